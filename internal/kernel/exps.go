package kernel

// Exps writes Exp of each of x to dst, the same bits. dst is at least as long as x, and may be x.
func Exps(dst, x []float64) {
	dst = dst[:len(x)]
	for i := exps(dst, x); i < len(x); i++ {
		dst[i] = Exp(x[i])
	}
}

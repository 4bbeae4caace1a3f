package kernel

// Log1ps writes Log1p of each of x to dst, the same bits. It is fastest between 0 and 1. dst is at
// least as long as x, and may be x.
func Log1ps(dst, x []float64) {
	dst = dst[:len(x)]
	for i := log1ps(dst, x); i < len(x); i++ {
		dst[i] = Log1p(x[i])
	}
}

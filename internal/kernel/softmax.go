package kernel

// RaiseTo writes the greater of each of top and x to top; NaN if either is. x is at least as long.
func RaiseTo(top, x []float64) {
	x = x[:len(top)]
	for i := raiseTo(top, x); i < len(top); i++ {
		top[i] = max(top[i], x[i])
	}
}

// Below writes x - top to dst, and 0 where they are equal, even if both are infinite. All slices
// are at least as long as dst, which may be x.
func Below(dst, x, top []float64) {
	x, top = x[:len(dst)], top[:len(dst)]
	for i := below(dst, x, top); i < len(dst); i++ {
		if dst[i] = x[i] - top[i]; x[i] == top[i] {
			dst[i] = 0
		}
	}
}

// AddFloats adds the numbers of b to those of a. b is at least as long.
func AddFloats(a, b []float64) {
	b = b[:len(a)]
	for i := addFloats(a, b); i < len(a); i++ {
		a[i] += b[i]
	}
}

// Probabilities makes g the probabilities p = e / sum of a class, and h factor * p * (1 - p). All
// slices are at least as long as g, and none of g and h may be one of the others.
func Probabilities(g, h, e, sum []float64, factor float64) {
	h, e, sum = h[:len(g)], e[:len(g)], sum[:len(g)]
	for i := probabilities(g, h, e, sum, factor); i < len(g); i++ {
		p := e[i] / sum[i]
		g[i], h[i] = p, factor*p*(1-p)
	}
}

//go:build amd64 && !purego

package kernel

const softmaxLanes = 4

// wholeFours returns the number of numbers that vectors do, of n.
func wholeFours(n int) int {
	if !hasAVX2 {
		return 0
	}
	return n &^ (softmaxLanes - 1)
}

func raiseTo(top, x []float64) int {
	n := wholeFours(len(top))
	if n > 0 {
		raiseFours(&top[0], &x[0], n)
	}
	return n
}

func below(dst, x, top []float64) int {
	n := wholeFours(len(dst))
	if n > 0 {
		belowFours(&dst[0], &x[0], &top[0], n)
	}
	return n
}

func addFloats(a, b []float64) int {
	n := wholeFours(len(a))
	if n > 0 {
		addFours(&a[0], &b[0], n)
	}
	return n
}

func probabilities(g, h, e, sum []float64, factor float64) int {
	n := wholeFours(len(g))
	if n > 0 {
		probabilityFours(&g[0], &h[0], &e[0], &sum[0], factor, n)
	}
	return n
}

// raiseFours and the others do n numbers, a multiple of four above 0.
//
//go:noescape
func raiseFours(top, x *float64, n int)

//go:noescape
func belowFours(dst, x, top *float64, n int)

//go:noescape
func addFours(a, b *float64, n int)

//go:noescape
func probabilityFours(first, second, e, sum *float64, factor float64, n int)

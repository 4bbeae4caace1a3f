package kernel

// Dot returns the sum of a[i] b[i] over the elements of a; b has at least as many. It is the sum of
// four sums, over the elements whose number has the same remainder when divided by four, so that
// the processor adds while it waits:
//
//	((s0 + s1) + (s2 + s3)) + rest
//
// The order is part of the contract: the same bits everywhere.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3, rest float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
	}
	for ; i < len(a); i++ {
		rest += float64(a[i] * b[i])
	}
	return ((s0 + s1) + (s2 + s3)) + rest
}

// SquaredDistance returns the sum of (a[i] - b[i])^2 in the order of Dot; b has at least as many
// elements as a.
func SquaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3, rest float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		d0, d1, d2, d3 := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	for ; i < len(a); i++ {
		d := a[i] - b[i]
		rest += float64(d * d)
	}
	return ((s0 + s1) + (s2 + s3)) + rest
}

// AddScaled adds factor x[i] to each dst[i]; dst has at least as many elements as x.
func AddScaled(dst []float64, factor float64, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += float64(factor * v)
	}
}

// Tanh returns the hyperbolic tangent, exactly odd, with an absolute error below 4e-16: the same
// bits on every machine.
func Tanh(x float64) float64 {
	if x < 0 {
		return -Tanh(-x)
	}
	e := Exp(-2 * x)
	return (1 - e) / (1 + e)
}

package kernel

import "math"

// NormalCDF returns the probability that a standard normal variable is at most x, with a relative
// error below 2e-15 unless the result is subnormal, the same bits on every architecture.
// NormalCDF(-Inf) = 0, NormalCDF(+Inf) = 1, NormalCDF(NaN) = NaN.
//
// It is Mills of |x| times the density. The density's exponent is split at a multiple h of 1/16,
// x^2 = h^2 + (x - h) (x + h), because h^2 and x - h are exact (Cody 1969).
func NormalCDF(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	y := math.Abs(x)
	if y > 40 { // the density is 0 from 38.6 on
		y = 40
	}
	h := float64(math.Trunc(16*y) / 16)
	density := Exp(float64(-0.5*h)*h) * Exp(float64(-0.5*(y-h))*(y+h)) / (math.Sqrt2 * sqrtPi)
	tail := float64(density * Mills(y))
	switch {
	case x < 0:
		return tail
	case x == 0:
		return 0.5
	}
	return 1 - tail
}

// NormalQuantile returns the x below which a standard normal variable lies with probability p, with
// a relative error below 1e-15, the same bits on every architecture. NormalQuantile(0) = -Inf,
// NormalQuantile(1) = +Inf; NaN for a p outside 0 to 1.
//
// It is a ratio of two polynomials of degree 7. One ratio is for the middle, p within 0.425 of 1/2.
// Two are for the tails, as functions of r = sqrt(-log p) (Wichura 1988, algorithm AS 241, PPND16).
func NormalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*polynomial(&normalMiddle[0], r)) / polynomial(&normalMiddle[1], r)
	}
	tail := p
	if q > 0 {
		tail = 1 - p
	}
	switch {
	case !(tail >= 0):
		return math.NaN()
	case tail == 0:
		return math.Copysign(math.Inf(1), q)
	}
	r, ratio := math.Sqrt(-Log(tail)), &normalFar
	if r <= 5 {
		r, ratio = r-1.6, &normalNear
	} else {
		r -= 5
	}
	return math.Copysign(polynomial(&ratio[0], r)/polynomial(&ratio[1], r), q)
}

// polynomial returns c[0] + c[1] x + ... + c[7] x^7.
func polynomial(c *[8]float64, x float64) float64 {
	sum := c[7]
	for i := 6; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// The ratios of NormalQuantile: numerator and denominator, constants first.
var (
	normalMiddle = [2][8]float64{
		{3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
			45921.953931549871457, 67265.770927008700853, 33430.575583588128105,
			2509.0809287301226727},
		{1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
			21213.794301586595867, 39307.895800092710610, 28729.085735721942674,
			5226.4952788528545610},
	}
	normalNear = [2][8]float64{
		{1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
			3.64784832476320460504,
			1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833,
			7.74545014278341407640e-4},
		{1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
			0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4,
			1.05075007164441684324e-9},
	}
	normalFar = [2][8]float64{
		{6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
			0.296560571828504891230,
			0.0265321895265761230930, 1.24266094738807843860e-3, 2.71155556874348757815e-5,
			2.01033439929228813265e-7},
		{1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
			2.04426310338993978564e-15},
	}
)

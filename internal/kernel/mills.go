package kernel

import "math"

// Mills returns the ratio of a standard normal variable's upper tail to its density, P(X > x) /
// f(x), for x >= 0. The relative error is below 1e-15, with the same bits on every architecture. It
// falls from sqrt(pi/2) at 0 like 1/x. Mills(+Inf) = 0; NaN for x < 0 and for NaN.
//
// It is sqrt(pi/2) times e^(t^2) erfc(t) with t = x / sqrt 2, by three ratios of polynomials (Cody
// 1969, "Rational Chebyshev approximations for the error function").
func Mills(x float64) float64 {
	t := x / math.Sqrt2
	switch {
	case !(x >= 0):
		return math.NaN()
	case t <= 0.46875:
		y := float64(t * t)
		top, bottom := float64(millsNear[0][4]*y), y
		for i := 0; i < 3; i++ {
			top = float64((top + millsNear[0][i]) * y)
			bottom = float64((bottom + millsNear[1][i]) * y)
		}
		erf := t * (top + millsNear[0][3]) / (bottom + millsNear[1][3])
		return sqrtHalfPi * Exp(y) * (1 - float64(erf))
	case t <= 4:
		top, bottom := float64(millsMiddle[0][8]*t), t
		for i := 0; i < 7; i++ {
			top = float64((top + millsMiddle[0][i]) * t)
			bottom = float64((bottom + millsMiddle[1][i]) * t)
		}
		return sqrtHalfPi * ((top + millsMiddle[0][7]) / (bottom + millsMiddle[1][7]))
	}
	y := 1 / (t * t)
	top, bottom := float64(millsFar[0][5]*y), y
	for i := 0; i < 4; i++ {
		top = float64((top + millsFar[0][i]) * y)
		bottom = float64((bottom + millsFar[1][i]) * y)
	}
	r := float64(y * ((top + millsFar[0][4]) / (bottom + millsFar[1][4])))
	return sqrtHalfPi * ((1/sqrtPi - r) / t)
}

const (
	sqrtPi     = 1.7724538509055160273
	sqrtHalfPi = 1.2533141373155002512
)

// The ratios of Mills: numerator and denominator.
var (
	millsNear = [2][5]float64{
		{3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02,
			3.20937758913846947e03, 1.85777706184603153e-1},
		{2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03,
			2.84423683343917062e03},
	}
	millsMiddle = [2][9]float64{
		{5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e01,
			2.98635138197400131e02, 8.81952221241769090e02,
			1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
			2.15311535474403846e-8},
		{1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02,
			1.62138957456669019e03, 3.29079923573345963e03,
			4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03},
	}
	millsFar = [2][6]float64{
		{3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
			1.60837851487422766e-2, 6.58749161529837803e-4,
			1.63153871373020978e-2},
		{2.56852019228982242e00, 1.87295284992346047e00, 5.27905102951428412e-1,
			6.05183413124413191e-2, 2.33520497626869185e-3},
	}
)

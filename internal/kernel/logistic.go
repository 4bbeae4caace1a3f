package kernel

import "math"

// Logistic writes the derivatives by raw of the log loss of two classes, log(1 + e^raw) - y raw
// with 0 <= y <= 1. With e = e^-|raw|, the greater of both classes' probabilities is 1 / (1 + e),
// and the lesser is e / (1 + e). The second class has p, the first q:
//
//	g = p (1 - y) - q y    h = p q
//
// This keeps the digits of both probabilities near 0, since neither is computed as 1 minus the
// other. All slices are at least as long as raw, and none of g and h may be one of the others.
func Logistic(g, h, y, raw []float64) {
	g, h, y = g[:len(raw)], h[:len(raw)], y[:len(raw)]
	for i := logistic(g, h, y, raw); i < len(raw); i++ {
		g[i], h[i] = logisticOf(y[i], raw[i])
	}
}

// logisticOf is Logistic of one row.
func logisticOf(y, raw float64) (g, h float64) {
	e := Exp(-math.Abs(raw))
	p := 1 / (1 + e)
	q := e * p
	if raw < 0 {
		p, q = q, p
	}
	return float64(p*(1-y)) - float64(q*y), p * q
}

// Sigmoid returns 1 / (1 + e^-x), the same bits on every architecture. The exponential is only ever
// taken of a number that is not positive, so it cannot overflow and small probabilities keep their
// leading digits. Sigmoid(-Inf) = 0, Sigmoid(+Inf) = 1, Sigmoid(NaN) = NaN.
func Sigmoid(x float64) float64 {
	if x < 0 {
		e := Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + Exp(-x))
}

package link

import "math"

// Hazard maps each score x by itself to e^x, as Exp does, and describes what it is: a rate in
// proportion to which events happen, so that the greater it is the earlier they are. Linear scores
// of rows far from those of training may be large. A hazard that no number holds, beyond x =
// 709.78, is the greatest number, since metrics and JSON take no infinite ones; scores keep the
// order.
func Hazard() Link { return hazard{} }

type hazard struct{}

// Name returns "hazard".
func (hazard) Name() string { return "hazard" }

// Apply maps each element of v. NaN stays NaN.
func (hazard) Apply(v []float64) {
	exponential{}.Apply(v)
	for i, x := range v {
		v[i] = min(x, math.MaxFloat64)
	}
}

// Describe returns what Exp does, which the function is up to the greatest number.
func (hazard) Describe() Description { return exponential{}.Describe() }

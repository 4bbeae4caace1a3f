package link

import "math"

// Step maps each score above 0 to 1 and all others to 0: classes without probabilities. It maps NaN
// to NaN.
type Step struct{}

// Name returns "step".
func (Step) Name() string { return "step" }

// Apply maps each element of v.
func (Step) Apply(v []float64) {
	for i, x := range v {
		switch {
		case math.IsNaN(x):
		case x > 0:
			v[i] = 1
		default:
			v[i] = 0
		}
	}
}

// Describe returns a kind of its own, which rises.
func (Step) Describe() Description { return Description{Kind: Step{}, Factor: 1, Monotone: 1} }

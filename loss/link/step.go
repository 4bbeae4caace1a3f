package link

import "math"

// Step maps each score above 0 to 1 and all others to 0: classes without probabilities. It maps NaN
// to NaN.
func Step() Link { return step{} }

type step struct{}

// Name returns "step".
func (step) Name() string { return "step" }

// Apply maps each element of v.
func (step) Apply(v []float64) {
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
func (step) Describe() Description { return Description{Kind: step{}, Factor: 1, Monotone: 1} }

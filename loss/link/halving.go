package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Halving maps each score x by itself to 2^-x: every unit halves the response. It makes the anomaly
// score of an isolation forest of a mean path length (Liu, Ting & Zhou 2008, equation 2). It maps
// -Inf to +Inf, +Inf to 0 and NaN to NaN.
func Halving() Link { return halving{} }

type halving struct{}

// Name returns "halving".
func (halving) Name() string { return "halving" }

// Apply maps each element of v. Of an integer the response is exact.
func (halving) Apply(v []float64) {
	for i, x := range v {
		v[i] = kernel.Exp2(-x)
	}
}

// Describe returns a kind of its own, which falls.
func (halving) Describe() Description {
	return Description{Kind: halving{}, Factor: 1, Monotone: -1}
}

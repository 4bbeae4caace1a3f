package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Logistic maps each score x by itself to the probability 1 / (1 + exp(-x)), the inverse of the log
// odds log(p / (1-p)). It maps -Inf to 0, +Inf to 1 and NaN to NaN.
type Logistic struct{}

// Name returns "logistic".
func (Logistic) Name() string { return "logistic" }

// Apply maps each element of v.
func (Logistic) Apply(v []float64) {
	for i, x := range v {
		v[i] = kernel.Sigmoid(x)
	}
}

// Describe returns a kind of its own, which is symmetric.
func (Logistic) Describe() Description {
	return Description{Kind: Logistic{}, Factor: 1, Monotone: 1, Symmetric: true}
}

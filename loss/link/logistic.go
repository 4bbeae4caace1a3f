package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Logistic maps each score x by itself to the probability 1 / (1 + exp(-x)), the inverse of the log
// odds log(p / (1-p)). It maps -Inf to 0, +Inf to 1 and NaN to NaN.
func Logistic() Link { return logistic{} }

type logistic struct{}

// Name returns "logistic".
func (logistic) Name() string { return "logistic" }

// Apply maps each element of v.
func (logistic) Apply(v []float64) {
	for i, x := range v {
		v[i] = kernel.Sigmoid(x)
	}
}

// Describe returns a kind of its own, which is symmetric.
func (logistic) Describe() Description {
	return Description{Kind: logistic{}, Factor: 1, Monotone: 1, Symmetric: true}
}

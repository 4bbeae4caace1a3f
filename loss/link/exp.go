package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Exp maps each score x by itself to e^x: counts, amounts and rates. It maps -Inf to 0, +Inf to
// +Inf and NaN to NaN.
func Exp() Link { return exponential{} }

type exponential struct{}

// Name returns "exp".
func (exponential) Name() string { return "exp" }

// Apply maps each element of v.
func (exponential) Apply(v []float64) { kernel.Exps(v, v) }

// Describe returns a kind of its own, which rises.
func (exponential) Describe() Description {
	return Description{Kind: exponential{}, Factor: 1, Monotone: 1}
}

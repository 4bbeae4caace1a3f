package link

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Softplus maps each score x by itself to log(1 + e^x), a positive number: the response of
// LightGBM's `cross_entropy_lambda`. It maps -Inf to 0, +Inf to +Inf and NaN to NaN.
func Softplus() Link { return softplus{} }

type softplus struct{}

// Name returns "softplus".
func (softplus) Name() string { return "softplus" }

// Apply maps each element of v. The exponential is only ever taken of a number that is not
// positive, so a large score is its own response where e^x would overflow.
func (softplus) Apply(v []float64) {
	for i, x := range v {
		v[i] = max(x, 0) + kernel.Log1p(kernel.Exp(-math.Abs(x)))
	}
}

// Describe returns a kind of its own, which rises.
func (softplus) Describe() Description {
	return Description{Kind: softplus{}, Factor: 1, Monotone: 1}
}

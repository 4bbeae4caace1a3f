package link

import "github.com/coppice-ml/coppice/internal/kernel"

// Probit maps each score x by itself to the probability that a standard normal variable is at most
// x, the inverse of the normal quantile function. PMML calls this normalisation `probit`; the
// transform `PROBIT` of ONNX is another function, ApproximateProbit. It maps -Inf to 0, +Inf to 1
// and NaN to NaN.
func Probit() Link { return probit{} }

type probit struct{}

// Name returns "probit".
func (probit) Name() string { return "probit" }

// Apply maps each element of v.
func (probit) Apply(v []float64) {
	for i, x := range v {
		v[i] = kernel.NormalCDF(x)
	}
}

// Describe returns a kind of its own, which is symmetric.
func (probit) Describe() Description {
	return Description{Kind: probit{}, Factor: 1, Monotone: 1, Symmetric: true}
}

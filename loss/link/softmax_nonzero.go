package link

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// SoftmaxNonzero is Softmax of the scores of one row that are not 0; a class whose score is 0 has
// the probability 0. It is the transform `SOFTMAX_ZERO` of ONNX as ONNX Runtime computes it, where
// a score counts as 0 up to the float32 nearest to 1e-7. If all scores are 0, or one is NaN, every
// probability is NaN.
func SoftmaxNonzero() Link { return softmaxNonzero{} }

type softmaxNonzero struct{}

// Name returns "softmax_nonzero".
func (softmaxNonzero) Name() string { return "softmax_nonzero" }

// Apply subtracts the largest score that is not 0 first, and adds the exponentials from first to
// last.
func (softmaxNonzero) Apply(v []float64) {
	const zero = float64(float32(1e-7))
	top := math.Inf(-1)
	zeros := 0
	for _, x := range v {
		if math.Abs(x) <= zero {
			zeros++
		} else {
			top = max(top, x) // NaN if any is
		}
	}
	if zeros == len(v) {
		for i := range v {
			v[i] = math.NaN()
		}
		return
	}
	sum := 0.0
	for i, x := range v {
		switch {
		case math.Abs(x) <= zero:
			v[i] = 0
		case x == top:
			v[i] = 1 // also where the difference would be Inf - Inf
		default:
			v[i] = kernel.Exp(x - top)
		}
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

// Describe returns a kind of its own.
func (softmaxNonzero) Describe() Description {
	return Description{Kind: softmaxNonzero{}, Factor: 1}
}

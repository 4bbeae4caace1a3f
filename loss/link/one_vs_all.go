package link

import "github.com/coppice-ml/coppice/internal/kernel"

// OneVsAll maps each score to its logistic probability and divides by their sum, so that the
// fractions of a row add up to 1. Scores so low that all probabilities are 0 are mapped as Softmax
// does, which is the limit.
func OneVsAll() Link { return oneVsAll{} }

type oneVsAll struct{}

// Name returns "one_vs_all".
func (oneVsAll) Name() string { return "one_vs_all" }

// Apply adds the probabilities from first to last.
func (oneVsAll) Apply(v []float64) {
	top := 0.0
	for i, x := range v {
		if i == 0 || !(x <= top) {
			top = x
		}
	}
	if top < -700 {
		softmax{}.Apply(v)
		return
	}
	logistic{}.Apply(v)
	sum := kernel.Sum(v)
	for i := range v {
		v[i] /= sum
	}
}

// Describe returns a kind of its own.
func (oneVsAll) Describe() Description { return Description{Kind: oneVsAll{}, Factor: 1} }

package link

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Softmax maps the scores x of one row to probabilities exp(x[k]) / sum of exp(x[j]), which are not
// negative and add up to 1. Scores of +Inf divide the whole among themselves; if all are -Inf the
// probabilities are equal; a NaN makes every probability NaN.
func Softmax() Link { return softmax{} }

type softmax struct{}

// Name returns "softmax".
func (softmax) Name() string { return "softmax" }

// Apply subtracts the largest score first, which changes no probability and keeps the exponentials
// at or below 1. They are added from first to last: the order belongs to the contract that the same
// model gives the same bits.
func (softmax) Apply(v []float64) {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x) // NaN if any is
	}
	for i, x := range v {
		v[i] = x - top
		if x == top {
			v[i] = 0 // also where the difference would be Inf - Inf
		}
	}
	kernel.Exps(v, v)
	sum := kernel.Sum(v)
	for i := range v {
		v[i] /= sum
	}
}

// Describe returns a kind of its own.
func (softmax) Describe() Description { return Description{Kind: softmax{}, Factor: 1} }

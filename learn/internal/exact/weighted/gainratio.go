package weighted

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// info gathers what gain and ratio are made of; xlog(x) is x log2 x.
type info struct {
	weight, known float64
	parent        float64 // xlog(known) - sum over classes of xlog
	children      float64 // the same of the branches
	branches      float64 // sum over branches of xlog(weight)
}

func xlog(x float64) float64 {
	if x < near {
		return 0
	}
	return float64(x * kernel.Log2(x))
}

// impurity returns the weight of a set and xlog(weight) - sum over classes of xlog.
func impurity(stats []float64) (weight, bits float64) {
	for _, w := range stats {
		weight += w
		bits -= xlog(w)
	}
	return weight, bits + xlog(weight)
}

func (f *info) branch(stats []float64) float64 {
	w, bits := impurity(stats)
	f.children += bits
	f.branches += xlog(w)
	return w
}

// gain is the information gain in bits per unit of weight, times the known fraction.
func (f *info) gain() float64 {
	num := float64((1 - (f.weight-f.known)/f.weight) * (f.parent - f.children))
	if equal(num, 0) {
		return 0
	}
	return num / f.known
}

// split is the split information times the weight; rows without a value are a branch of their own.
func (f *info) split() float64 {
	if !clearlyLess(0, f.known) {
		return 0
	}
	return xlog(f.weight) - f.branches - xlog(f.weight-f.known)
}

func (f *info) ratio(gain float64) float64 {
	total := f.split()
	if equal(total, 0) {
		return 0
	}
	return gain / (total / f.weight)
}

// fractions turns branch weights into fractions of the known weight, equal ones if nothing is
// known.
func fractions(weights []float64, known float64) []float64 {
	for i := range weights {
		if equal(known, 0) {
			weights[i] = 1 / float64(len(weights))
		} else {
			weights[i] /= known
		}
	}
	return weights
}

// near is the difference below which two sums are equal: sums of fractions of rows are not exact.
const near = 1e-6

func clearlyLess(a, b float64) bool { return b-a > near }

func atLeast(a, b float64) bool { return b-a < near || a >= b }

func equal(a, b float64) bool { return math.Abs(a-b) < near }

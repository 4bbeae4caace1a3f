// Package ensembles owns samples and out-of-bag predictions of the members of bags and forests.
//
// Bags are the rows that members are trained on: sampled from a weighed, grouped or repeated
// population, by the parameter class_fractions where it is set.
//
// Out-of-bag predictions are how the members of an ensemble, each trained on a sample
// of the rows, predict the rows that they were not trained on. It computes the error without a test
// set, its curve over the number of members, and importance by permutation. It also owns the rule
// by which training stops once the error has settled. It uses no learner.
//
// Rows are positions: place in the list of training rows, from 0. All results are the same whatever
// the number of workers: the sums of members are integers (fixed point), and the rest is summed in
// the order of rows or members.
package ensembles

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Truth is the labels that predictions are compared with, by position. Exactly one of Class and Y
// is set.
type Truth struct {
	Task    data.Task
	Classes int       // number of classes
	Class   []uint32  // below Classes
	Y       []float64 // finite
	Weight  []float64 // finite, not negative; nil = all 1
	// Decision chooses the class that is predicted from the mean probabilities; its zero value
	// takes the largest, of equal ones the first.
	Decision model.Decision
}

// plain reports whether the class of the largest probability is the one that is predicted.
func (t *Truth) plain() bool { return t.Decision.Costs == nil && t.Decision.Threshold == 0 }

// Rows returns the number of rows.
func (t *Truth) Rows() int {
	if t.Class != nil {
		return len(t.Class)
	}
	return len(t.Y)
}

// Width returns the number of values in a prediction: one for each class, or one.
func (t *Truth) Width() int {
	if t.Class != nil {
		return t.Classes
	}
	return 1
}

func (t *Truth) weight(row int32) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[row]
}

// weights are observation weights in fixed point, the sum of which is below 2^61; all 1 if nil.
type weights []int64

func fixWeights(w []float64) weights {
	if w == nil {
		return nil
	}
	most := 0.0
	for _, x := range w {
		most = max(most, x)
	}
	_, exponent := math.Frexp(most) // most < 2^exponent
	shift := 61 - exponent - bits.Len(uint(len(w)))
	fixed := make(weights, len(w))
	for i, x := range w {
		fixed[i] = int64(math.Round(math.Ldexp(x, shift)))
	}
	return fixed
}

func (w weights) at(row int32) int64 {
	if w == nil {
		return 1
	}
	return w[row]
}

// best returns the index of the largest value, of equal ones the first.
func best(values []int64) int {
	b := 0
	for i, v := range values {
		if v > values[b] {
			b = i
		}
	}
	return b
}

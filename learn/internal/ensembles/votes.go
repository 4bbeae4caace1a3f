package ensembles

import "math"

// one is the probability 1 in fixed point: 2^20 members of it are 2^60.
const one = 1 << 40

// votes are the sums of class probabilities. As long as members vote, they are counted, which takes
// half of the memory.
type votes struct {
	truth  *Truth
	count  []uint32 // rows x classes; nil from the first probabilities on
	sum    []int64  // rows x classes; nil until then
	weight weights
	lead   []uint32 // by row: the class that is predicted
	// of one row, for a decision; nil if it is for the largest sum, of equal ones the first
	probabilities []float64
	covered       int64 // weight of the rows with predictions
	missed        int64 // weight of those that are wrong
}

func newVotes(t *Truth) *votes {
	v := &votes{truth: t, count: make([]uint32, len(t.Class)*t.Classes),
		weight: fixWeights(t.Weight), lead: make([]uint32, len(t.Class))}
	if !t.plain() {
		v.probabilities = make([]float64, t.Classes)
	}
	return v
}

func (v *votes) add(row int32, values []float64, count int32) bool {
	if math.IsNaN(values[0]) {
		return false
	}
	v.toProbabilities()
	sum := v.sum[int(row)*len(values):][:len(values)]
	for k, x := range values {
		switch {
		case x >= 1:
			sum[k] += one
		case x > 0:
			sum[k] += int64(float64(x*one) + 0.5)
		}
	}
	if v.probabilities != nil {
		v.predict(row, v.decide(row, count), count)
	} else {
		v.predict(row, uint32(best(sum)), count)
	}
	return true
}

// toProbabilities turns counts into sums of probabilities.
func (v *votes) toProbabilities() {
	if v.count == nil {
		return
	}
	v.sum = make([]int64, len(v.count))
	for i, n := range v.count {
		v.sum[i] = int64(n) * one
	}
	v.count = nil
}

// enter adds the votes of a member for some rows to their sums.
func (v *votes) enter(rows []int32, labels []uint32) {
	if v.count != nil {
		enter(v.count, v.truth.Classes, rows, labels, 1)
	} else {
		enter(v.sum, v.truth.Classes, rows, labels, one)
	}
}

func enter[T uint32 | int64](sum []T, classes int, rows []int32, labels []uint32, vote T) {
	for i, row := range rows {
		sum[int(row)*classes+int(labels[i])] += vote
	}
}

// vote is add for a prediction that is a one for a class, without a comparison with all others. The
// one is in the sums: see enter.
func (v *votes) vote(row int32, label uint32, count int32) {
	k := v.truth.Classes
	if v.probabilities != nil {
		v.predict(row, v.decide(row, count), count)
	} else if v.count != nil {
		v.predict(row, lead(v.count[int(row)*k:][:k], label, v.lead[row]), count)
	} else {
		v.predict(row, lead(v.sum[int(row)*k:][:k], label, v.lead[row]), count)
	}
}

// decide returns the class that is chosen for a row of count members.
func (v *votes) decide(row, count int32) uint32 {
	v.mean(v.probabilities, row, count)
	return uint32(v.truth.Decision.Label(v.probabilities))
}

// lead returns the class of the largest sum, of equal ones the first, which was another until a
// label's grew.
func lead[T uint32 | int64](sum []T, label, was uint32) uint32 {
	if sum[label] > sum[was] || sum[label] == sum[was] && label < was {
		return label
	}
	return was
}

// predict enters the class that is predicted for a row, of whose members this is number count.
func (v *votes) predict(row int32, lead uint32, count int32) {
	w, class := v.weight.at(row), v.truth.Class[row]
	was, is := count > 1 && v.lead[row] != class, lead != class
	if count == 1 {
		v.covered += w
	}
	switch {
	case is && !was:
		v.missed += w
	case was && !is:
		v.missed -= w
	}
	v.lead[row] = lead
}

func (v *votes) loss() float64 { return float64(v.missed) / float64(v.covered) }

func (v *votes) mean(dst []float64, row, count int32) {
	for k := range dst {
		at := int(row)*len(dst) + k
		if v.count != nil {
			dst[k] = float64(v.count[at]) / float64(count)
		} else {
			dst[k] = float64(v.sum[at]) / float64(int64(count)*one)
		}
	}
}

package oob

import "math"

// one is the share 1 in fixed point: 2^20 members of it are 2^60.
const one = 1 << 40

// votes are the sums of shares of classes.
type votes struct {
	truth   *Truth
	sum     []int64 // rows x classes
	weight  weights
	lead    []uint32 // by row: the class of the largest sum, of equal ones the first
	covered int64    // weight of the rows with predictions
	missed  int64    // weight of those that are wrong
}

func newVotes(t *Truth) *votes {
	return &votes{truth: t, sum: make([]int64, len(t.Class)*t.Classes), weight: fixWeights(t.Weight), lead: make([]uint32, len(t.Class))}
}

func (v *votes) add(row int32, values []float64, count int32) bool {
	if math.IsNaN(values[0]) {
		return false
	}
	sum := v.sum[int(row)*len(values):][:len(values)]
	for k, x := range values {
		switch {
		case x >= 1:
			sum[k] += one
		case x > 0:
			sum[k] += int64(float64(x*one) + 0.5)
		}
	}
	v.predict(row, uint32(best(sum)), count)
	return true
}

// enter adds the votes of a member for some rows to their sums.
func (v *votes) enter(rows []int32, labels []uint32) {
	k, sum := v.truth.Classes, v.sum
	for i, row := range rows {
		sum[int(row)*k+int(labels[i])] += one
	}
}

// vote is add for a prediction that is a one for a class, which goes without a look at all others. The one is in the sums: see enter.
func (v *votes) vote(row int32, label uint32, count int32) {
	k := v.truth.Classes
	sum, lead := v.sum[int(row)*k:][:k], v.lead[row]
	if sum[label] > sum[lead] || sum[label] == sum[lead] && label < lead {
		lead = label
	}
	v.predict(row, lead, count)
}

// predict enters the class of the largest sum of a row, of whose members this is number count.
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
		dst[k] = float64(v.sum[int(row)*len(dst)+k]) / float64(int64(count)*one)
	}
}

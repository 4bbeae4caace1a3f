package oob

import "math"

// one is the share 1 in fixed point: 2^20 members of it are 2^60.
const one = 1 << 40

// votes are the sums of shares of classes.
type votes struct {
	truth   *Truth
	sum     []int64 // rows x classes
	weight  weights
	wrong   []bool // by row: the largest sum is not that of its class
	covered int64  // weight of the rows with predictions
	missed  int64  // weight of those that are wrong
}

func newVotes(t *Truth) *votes {
	return &votes{truth: t, sum: make([]int64, len(t.Class)*t.Classes), weight: fixWeights(t.Weight), wrong: make([]bool, len(t.Class))}
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
	w := v.weight.at(row)
	if count == 1 {
		v.covered += w
	}
	wrong := best(sum) != int(v.truth.Class[row])
	switch {
	case wrong && !v.wrong[row]:
		v.missed += w
	case !wrong && v.wrong[row]:
		v.missed -= w
	}
	v.wrong[row] = wrong
	return true
}

func (v *votes) loss() float64 { return float64(v.missed) / float64(v.covered) }

func (v *votes) mean(dst []float64, row, count int32) {
	for k := range dst {
		dst[k] = float64(v.sum[int(row)*len(dst)+k]) / float64(int64(count)*one)
	}
}

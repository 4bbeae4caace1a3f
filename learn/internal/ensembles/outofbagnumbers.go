package ensembles

import (
	"math"
	"math/bits"
)

// numbers are the sums of predicted numbers. They are in units of 2^(scale-36) from the middle of
// the labels, where all labels are within 2^scale of it. Predictions are limited to 64 times that
// distance: 2^42 units, of which 2^20 members make 2^62. Squared errors are in units of 2^(2
// scale-48), and so below 2^61.
type numbers struct {
	truth   *Truth
	middle  float64
	scale   int
	sum     []int64
	square  []uint64 // by row: squared error of the mean
	weight  weights
	covered int64 // weight of the rows with predictions
	// sum of weight x square, 128 bits
	high, low uint64
}

const (
	unit       = 0x1p-36 // of a sum
	squareUnit = 0x1p-48
	reach      = 64 // greatest distance of a prediction from the middle, in 2^scale
)

func newNumbers(t *Truth) *numbers {
	n := &numbers{truth: t, sum: make([]int64, len(t.Y)), square: make([]uint64, len(t.Y)),
		weight: fixWeights(t.Weight)}
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range t.Y {
		low, high = min(low, y), max(high, y)
	}
	if len(t.Y) == 0 {
		return n
	}
	half := func(x float64) float64 { return float64(x / 2) }
	n.middle = half(low) + half(high)
	size := max(high-n.middle, n.middle-low)
	if size == 0 {
		size = math.Abs(n.middle)
	}
	_, n.scale = math.Frexp(size) // size < 2^scale
	return n
}

// scaled returns x as its distance from the middle, in 2^scale.
func (n *numbers) scaled(x float64) float64 {
	return min(max(math.Ldexp(x-n.middle, -n.scale), -reach), reach)
}

func (n *numbers) add(row int32, values []float64, count int32) bool {
	x := values[0]
	if math.IsNaN(x) {
		return false
	}
	w := n.weight.at(row)
	if count == 1 {
		n.covered += w
	}
	n.sum[row] += int64(math.Round(n.scaled(x) / unit))
	d := n.scaled(n.truth.Y[row]) - n.offset(row, count)
	square := uint64(math.Round(float64(d*d) / squareUnit))
	n.exchange(uint64(w), n.square[row], square)
	n.square[row] = square
	return true
}

// offset returns the mean prediction of a row as its distance from the middle, in 2^scale.
func (n *numbers) offset(row, count int32) float64 {
	return float64(float64(n.sum[row]) / float64(count) * unit)
}

// exchange replaces one weighted square in their sum by another.
func (n *numbers) exchange(w, old, now uint64) {
	high, low := bits.Mul64(w, old)
	var carry uint64
	n.low, carry = bits.Sub64(n.low, low, 0)
	n.high, _ = bits.Sub64(n.high, high, carry)
	high, low = bits.Mul64(w, now)
	n.low, carry = bits.Add64(n.low, low, 0)
	n.high, _ = bits.Add64(n.high, high, carry)
}

func (n *numbers) loss() float64 {
	sum := float64(float64(n.high)*0x1p64) + float64(n.low)
	return math.Ldexp(float64(sum*squareUnit)/float64(n.covered), 2*n.scale)
}

func (n *numbers) mean(dst []float64, row, count int32) {
	dst[0] = n.middle + math.Ldexp(n.offset(row, count), n.scale)
}

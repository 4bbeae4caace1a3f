package model

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// nearWeight is the relative difference of two outputs up to which rounding may decide between
// them, and tinyWeight the size up to which numbers near 0 have too few digits for it. nearSwitch
// is the absolute one of scores of a softmax. All are far more than the errors of links.
const nearWeight, tinyWeight, nearSwitch = 1e-10, 1e-290, 1e-9

// byLargest is the rule of scores of which the largest has the label.
type byLargest struct {
	scores int
	found  int
}

func (b *byLargest) known(low, high []float64) bool {
	b.found = ArgMax(low)
	next := math.Inf(-1) // the largest bound of the others
	for k, x := range high {
		if k != b.found {
			next = max(next, x)
		}
	}
	// probabilities of scores that differ less could be rounded to the same one
	return low[b.found] > next+nearSwitch
}

func (b *byLargest) label() float64 { return float64(b.found) }

// every grows with the number of scores, all of which known compares.
func (b *byLargest) every() int { return 1 + b.scores/8 }

// byThreshold is the rule of two probabilities of which the positive one decides.
type byThreshold struct {
	positive  int
	threshold float64
	found     int
}

func (b *byThreshold) known(low, high []float64) bool {
	switch from, to := low[b.positive], high[b.positive]; {
	case from > float64(b.threshold*(1+nearWeight))+tinyWeight:
		b.found = b.positive
	case to < float64(b.threshold*(1-nearWeight))-tinyWeight:
		b.found = 1 - b.positive
	default:
		return false
	}
	return true
}

func (b *byThreshold) label() float64 { return float64(b.found) }
func (b *byThreshold) every() int     { return 1 }

// byCosts is the rule of probabilities of which the class of least expected cost has the label.
type byCosts struct {
	costs data.Costs
	most  []float64 // by class: the largest cost of a row of it
	found int
}

func newByCosts(costs data.Costs) *byCosts {
	b := &byCosts{costs: costs, most: make([]float64, len(costs))}
	for k := range costs {
		for _, c := range costs[k] {
			b.most[k] = max(b.most[k], c)
		}
	}
	return b
}

func (b *byCosts) known(least, most []float64) bool {
	// total is more than any expected cost, so that it bounds the rounding of all
	total, largest := 0.0, 0.0
	for k, c := range b.most {
		total += float64(c * max(math.Abs(least[k]), math.Abs(most[k])))
		largest = max(largest, c)
	}
	margin := float64(nearWeight*total) + float64(tinyWeight*(1+largest))
	if !(total <= math.MaxFloat64/4) {
		return false
	}
	b.found = 0
	for j := 1; j < len(b.costs); j++ {
		if b.cheaper(j, b.found, least, least) > 0 {
			b.found = j
		}
	}
	for j := range b.costs {
		if j != b.found && !(b.cheaper(b.found, j, least, most) > margin) {
			return false
		}
	}
	return true
}

// cheaper returns by how much less than label j label i costs at least, for probabilities
// between two bounds.
func (b *byCosts) cheaper(i, j int, least, most []float64) float64 {
	sum := 0.0
	for k, c := range b.costs {
		d := c[j] - c[i]
		sum += min(float64(d*least[k]), float64(d*most[k]))
	}
	return sum
}

func (b *byCosts) label() float64 { return float64(b.found) }

// every grows with the number of pairs of classes, each of which known compares.
func (b *byCosts) every() int { return 1 + len(b.costs)*len(b.costs)/16 }

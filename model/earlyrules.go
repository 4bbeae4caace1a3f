package model

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// nearWeight is the relative difference of two weights up to which rounding may decide between
// them, and tinyWeight the size up to which numbers near 0 have too few digits for it. Both are far
// more than the errors of links.
const nearWeight, tinyWeight = 1e-10, 1e-290

// weights is how the link of several scores makes their probabilities: each score has a weight that
// rises with it, and probabilities are the weights, or the weights divided by their sum.
type weights struct {
	// of overwrites two bounds of the scores of a row by bounds of the weights. It returns false if
	// it has none.
	of      func(low, high []float64) bool
	divided bool // by their sum
	ordered bool // scores and probabilities have the same order also where they are rounded
	// scratch
	low, high []float64
}

// kinds are the weights of links other than those whose responses are weights and rise by score.
var kinds = map[link.Link]weights{
	link.Identity(): {of: func(_, _ []float64) bool { return true }, ordered: true},
	link.Softmax():  {of: exponentials, divided: true, ordered: true},
	link.OneVsAll(): {of: logistics, divided: true},
}

// weightsOf returns the weights of a link, nil if it has none.
func weightsOf(l link.Link) *weights {
	l = link.OrIdentity(l)
	d := l.Describe()
	if w, ok := kinds[d.Kind]; ok {
		return &w
	}
	if d.Monotone <= 0 {
		return nil
	}
	return &weights{of: func(low, high []float64) bool {
		l.Apply(low)
		l.Apply(high)
		return true
	}}
}

// exponentials are the weights of a softmax, divided by the largest one.
func exponentials(low, high []float64) bool {
	top := high[ArgMax(high)]
	for k := range high {
		low[k], high[k] = low[k]-top, high[k]-top
	}
	link.Exp().Apply(low)
	link.Exp().Apply(high)
	return true
}

// logistics are the weights of link.OneVsAll, unless it may be a softmax of low scores.
func logistics(low, high []float64) bool {
	if !(low[ArgMax(low)] > -690) {
		return false
	}
	link.Logistic().Apply(low)
	link.Logistic().Apply(high)
	return true
}

// bounds returns the bounds of the weights of scores between two bounds. They are scratch.
func (w *weights) bounds(low, high []float64) (least, most []float64, ok bool) {
	w.low, w.high = append(w.low[:0], low...), append(w.high[:0], high...)
	return w.low, w.high, w.of(w.low, w.high)
}

// byLargest is the rule of scores of which the largest has the label.
type byLargest struct {
	*weights
	found int
	two   [2]float64 // scratch
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
	least := low[b.found]
	if !(least > next+nearSwitch) {
		return false
	}
	if b.ordered {
		return true
	}
	b.two[0], b.two[1] = least, next
	one, other, ok := b.bounds(b.two[:], b.two[:])
	return ok && one[0] > float64(other[1]*(1+nearWeight))+tinyWeight
}

func (b *byLargest) label() float64 { return float64(b.found) }
func (b *byLargest) every() int     { return 1 }

// byThreshold is the rule of two probabilities of which the positive one decides.
type byThreshold struct {
	*weights
	positive  int
	threshold float64
	found     int
}

func (b *byThreshold) known(low, high []float64) bool {
	least, most, ok := b.bounds(low, high)
	if !ok {
		return false
	}
	from, to := least[b.positive], most[b.positive]
	if other := 1 - b.positive; b.divided {
		from, to = from/(from+most[other]), to/(to+least[other])
	}
	switch {
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
// What divides all probabilities changes no label.
type byCosts struct {
	*weights
	costs data.Costs
	most  []float64 // by class: the largest cost of a row of it
	found int
}

func newByCosts(w *weights, costs data.Costs) *byCosts {
	b := &byCosts{weights: w, costs: costs, most: make([]float64, len(costs))}
	for k := range costs {
		for _, c := range costs[k] {
			b.most[k] = max(b.most[k], c)
		}
	}
	return b
}

func (b *byCosts) known(low, high []float64) bool {
	least, most, ok := b.bounds(low, high)
	if !ok {
		return false
	}
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

// cheaper returns by how much less than label j label i costs at least, for weights between two
// bounds.
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

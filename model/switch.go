package model

import (
	"math"

	"github.com/coppice-ml/coppice/loss/link"
)

// nearSwitch is how near to a score where the label changes rounding may decide, as a fraction. It
// is far more than the errors of links.
const nearSwitch = 1e-9

// spreadOf returns the change of a single score that changes the argument of its link by 1, if the
// response rises or falls with the score but for rounding. Else it returns 0. With costs the
// response must be finite for all scores.
func spreadOf(l link.Link, costs bool) float64 {
	l = link.OrIdentity(l)
	d := l.Describe()
	ends := []float64{-math.MaxFloat64, math.MaxFloat64}
	l.Apply(ends)
	if d.Monotone == 0 || costs && !finite(ends) {
		return 0
	}
	return 1 / d.Factor
}

// bySwitch is the rule of a single score: the label changes at one score, or nowhere.
type bySwitch struct {
	below, above float64 // scores from here on have the labels of both ends
	ends         [2]float64
	found        float64
}

// newBySwitch finds the score at which the label changes by bisection of all numbers. spread is the
// change of the score that matters as much as 1 in the argument of the link.
func newBySwitch(spread float64, label func(x float64) float64) *bySwitch {
	low, high := ordered(-math.MaxFloat64), ordered(math.MaxFloat64)
	b := &bySwitch{ends: [2]float64{label(number(low)), label(number(high))}}
	if b.ends[0] == b.ends[1] {
		b.below = math.Inf(1)
		return b
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; label(number(middle)) == b.ends[0] {
			low = middle
		} else {
			high = middle
		}
	}
	at := number(high)
	margin := float64(nearSwitch * (spread + math.Abs(at)))
	b.below, b.above = at-margin, at+margin
	return b
}

// ordered returns the place of a finite number in the order of all numbers; number is its inverse.
func ordered(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func number(place uint64) float64 {
	if place>>63 == 1 {
		return math.Float64frombits(place &^ (1 << 63))
	}
	return math.Float64frombits(^place)
}

func (b *bySwitch) known(low, high []float64) bool { return b.between(low[0], high[0]) }

func (b *bySwitch) between(low, high float64) bool {
	switch {
	case high < b.below:
		b.found = b.ends[0]
	case low > b.above:
		b.found = b.ends[1]
	default:
		return false
	}
	return true
}

func (b *bySwitch) label() float64 { return b.found }
func (b *bySwitch) every() int     { return 1 }

// byDifference is the rule of a softmax of two scores with a threshold: the probability depends on
// their difference alone.
type byDifference struct {
	*bySwitch
	positive int
}

// newByDifference makes the rule, by the labels that write makes of two scores.
func newByDifference(positive int, write func(dst, raw []float64)) *byDifference {
	return &byDifference{newBySwitch(1, func(x float64) float64 {
		var scores [2]float64
		scores[positive] = x
		return labelOf(write, scores[:]...)
	}), positive}
}

func (b *byDifference) known(low, high []float64) bool {
	p, o := b.positive, 1-b.positive
	// the differences that the link computes are rounded, too
	margin := float64(nearSwitch * max(math.Abs(low[p]), math.Abs(high[p]), math.Abs(low[o]),
		math.Abs(high[o])))
	return b.between(low[p]-high[o]-margin, high[p]-low[o]+margin)
}

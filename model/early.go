package model

import (
	"math"

	"github.com/coppice-ml/coppice/internal/engine"
	"github.com/coppice-ml/coppice/loss/link"
)

// labelRule finds the label of a row by bounds of its scores, if all scores between them have the
// same label. It is used by one goroutine at a time.
type labelRule interface {
	// known reports whether the label of scores between two bounds, both included, is known. It
	// then is that of label.
	known(low, high []float64) bool
	label() float64
}

// labels returns a function that writes the label of one row, for which it uses no more trees than
// its label depends on. write makes a label of scores, and raw has memory for these.
func (e *Ensemble) labels(
	program *engine.Program, raw []float64, write func(dst, raw []float64),
) func(dst, row []float64) {
	var early *engine.Early
	rule := e.labelRule(write)
	if rule != nil {
		early = program.Early(rule.known)
	}
	return func(dst, row []float64) {
		if program.RawUntil(raw, row, early) {
			write(dst, raw)
		} else {
			dst[0] = rule.label()
		}
	}
}

// labelRule returns the rule for the model's labels, nil if there is none.
func (e *Ensemble) labelRule(write func(dst, raw []float64)) labelRule {
	d := &e.Meta.Decision
	_, identity := e.Link.(link.Identity)
	_, softmax := e.Link.(link.Softmax)
	identity = identity || e.Link == nil
	switch {
	case d.Costs != nil:
		return nil
	case e.scores() == 1:
		if e.Link == nil || monotone(e.Link) {
			return newBySwitch(write)
		}
	case d.Threshold == 0 && (identity || softmax):
		return &byLargest{}
	case d.Threshold != 0 && identity && e.scores() == 2:
		return &byThreshold{positive: e.Meta.Positive(), threshold: d.Threshold}
	}
	return nil
}

// monotone reports whether the response of a single score rises or falls with it, but for rounding.
func monotone(l link.Link) bool {
	switch l.(type) {
	case link.Identity, link.Step, link.Halving, link.Exp, link.Symmetric:
		return true
	}
	return false
}

// nearSwitch is how near to a score where the label changes rounding may decide, as a fraction. It
// is far more than the errors of links.
const nearSwitch = 1e-9

// bySwitch is the rule of a single score: the label changes at one score, or nowhere.
type bySwitch struct {
	below, above float64 // scores from here on have the labels of both ends
	ends         [2]float64
	found        float64
}

// newBySwitch finds the score at which the label changes by bisection of all numbers.
func newBySwitch(write func(dst, raw []float64)) *bySwitch {
	label := func(x float64) float64 {
		var dst, raw [1]float64
		raw[0] = x
		write(dst[:], raw[:])
		return dst[0]
	}
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
	margin := float64(nearSwitch * (1 + math.Abs(at)))
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

func (b *bySwitch) known(low, high []float64) bool {
	switch {
	case high[0] < b.below:
		b.found = b.ends[0]
	case low[0] > b.above:
		b.found = b.ends[1]
	default:
		return false
	}
	return true
}

func (b *bySwitch) label() float64 { return b.found }

// byLargest is the rule of scores of which the largest has the label.
type byLargest struct{ found int }

func (b *byLargest) known(low, high []float64) bool {
	b.found = ArgMax(low)
	least := low[b.found]
	for k, x := range high {
		// probabilities of scores that differ less could be rounded to the same one
		if k != b.found && !(least > x+nearSwitch) {
			return false
		}
	}
	return true
}

func (b *byLargest) label() float64 { return float64(b.found) }

// byThreshold is the rule of two probabilities of which the positive one decides.
type byThreshold struct {
	positive  int
	threshold float64
	found     int
}

func (b *byThreshold) known(low, high []float64) bool {
	switch {
	case low[b.positive] > b.threshold:
		b.found = b.positive
	case high[b.positive] <= b.threshold:
		b.found = 1 - b.positive
	default:
		return false
	}
	return true
}

func (b *byThreshold) label() float64 { return float64(b.found) }

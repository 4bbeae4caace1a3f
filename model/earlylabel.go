package model

import (
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// labelRule finds the label of a row by bounds of its scores, if all scores between them have the
// same label. It is used by one goroutine at a time.
//
//	bySwitch      one score: the label changes at one score
//	byDifference  two scores of a softmax, with a threshold
//	byLargest     several scores: the label is that of the largest
//	byThreshold   two scores of another link, with a threshold
//	byCosts       several scores: the label has the least expected cost
//
// Bounds hold for sums of any order; rules add a margin that is far more than the rounding of links
// and of expected costs. So a label never differs from the one that all trees give.
type labelRule interface {
	// known reports whether the label of scores between two bounds, both included, is known. It
	// then is that of label.
	known(low, high []float64) bool
	label() float64
	// every is after how many stages of a row it is worth its time to look
	every() int
}

// labels returns a function that writes the label of one row, for which it uses no more trees than
// its label depends on. write makes a label of scores, and raw has memory for these.
//
// Batches use all trees: their rows are together in vectors, which the last undecided row keeps in
// use (ADR 52 has the measurement).
func (a *response) labels(
	program *engine.Program, raw []float64, write func(dst, raw []float64),
) func(dst, row []float64) {
	var early *engine.Early
	rule := a.labelRule(write)
	if rule != nil {
		early = program.Early(rule.every(), rule.known)
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
func (a *response) labelRule(write func(dst, raw []float64)) labelRule {
	d := &a.meta.Decision
	if a.scores == 1 {
		if spread := spreadOf(a.link, d.Costs != nil); spread > 0 {
			return newBySwitch(spread, func(x float64) float64 {
				return labelOf(write, x)
			})
		}
		return nil
	}
	w := weightsOf(a.link)
	softmax := a.link == link.Softmax()
	switch two := a.scores == 2; {
	case w == nil || d.Threshold != 0 && !two:
		return nil
	case d.Threshold != 0 && softmax:
		return newByDifference(a.meta.Positive(), write)
	case d.Threshold != 0:
		return &byThreshold{weights: w, positive: a.meta.Positive(), threshold: d.Threshold}
	case d.Costs != nil:
		return newByCosts(w, d.Costs)
	}
	return &byLargest{weights: w}
}

// labelOf returns the label that write makes of scores.
func labelOf(write func(dst, raw []float64), scores ...float64) float64 {
	var dst [1]float64
	write(dst[:], scores)
	return dst[0]
}

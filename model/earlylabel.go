package model

import (
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// labelRule finds the label of a row by bounds of its scores, if all scores between them have the
// same label. It is used by one goroutine at a time.
//
//	byLargest     the label is that of the largest score
//	byThreshold   two probabilities, with a threshold
//	byCosts       the label has the least expected cost
//
// Single scores have none. Boosted trees differ too little from the first to the last, so that
// bounds take longer than the trees that they spare.
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
	rule := a.labelRule()
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

// labelRule returns the rule for the model's labels, nil if there is none. Costs and thresholds
// have one where scores are probabilities, as those of forests are.
func (a *response) labelRule() labelRule {
	d, of := &a.meta.Decision, link.OrIdentity(a.link)
	largest := d.Threshold == 0 && d.Costs == nil
	switch {
	case a.scores == 1 || of != link.Identity() && !(of == link.Softmax() && largest):
		return nil
	case d.Costs != nil:
		return newByCosts(d.Costs)
	case largest:
		return &byLargest{scores: a.scores}
	case a.scores == 2:
		return &byThreshold{positive: a.meta.Positive(), threshold: d.Threshold}
	}
	return nil
}

package anyboost

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
)

// derivatives are those of the loss at the scores before a round, output-major, by position.
type derivatives struct {
	g, h []float64
	// first derivatives of each row's own loss, that is g over its weight: what the base is fitted
	// to
	own []float64

	train  *boosting.Set
	target *data.Target
	// the loss without weights; nil: rows have none, or it cannot be bound
	unweighted loss.Objective
	workers    int
}

func newDerivatives(l loss.Loss, t *data.Target, train *boosting.Set, workers int) derivatives {
	d := derivatives{train: train, target: t, workers: workers}
	d.g, d.h = make([]float64, len(train.Raw)), make([]float64, len(train.Raw))
	if d.own = d.g; t.Weight == nil {
		return d
	}
	d.own = make([]float64, len(d.g))
	plain := *t
	plain.Weight = nil
	if o, err := l.Bind(&plain, train.Rows); err == nil { // else rows of weight 0 have bad labels
		d.unweighted = o
	}
	return d
}

// update computes the derivatives before a round, from 1, of a loss by name. One that is not finite
// is an error.
func (d *derivatives) update(round int, loss string) error {
	d.train.Objective.Gradients(d.g, d.h, d.train.Raw, d.workers)
	d.unweigh()
	for i := range d.g {
		if math.IsNaN(d.g[i]-d.g[i]) || math.IsNaN(d.h[i]-d.h[i]) {
			return d.fault(i, round, loss)
		}
	}
	return nil
}

// fault returns the error of a derivative that is not finite.
func (d *derivatives) fault(i, round int, name string) error {
	return &loss.LabelError{Row: int(d.train.Rows[i%len(d.train.Rows)]), Reason: fmt.Sprintf(
		"round %d: the derivatives of loss=%s are not finite at this row's score, %g: %s",
		round, name, d.train.Raw[i], advice)}
}

// unweigh computes own. A quotient of what was multiplied before differs in its last bits, even
// where gradients are signs: trees would split rows of one value. So the derivatives without
// weights are taken where they are g over the weight, but for rounding. That holds for all losses
// that do not compare rows with each other. Quotients of the others are rounded, which makes equal
// again what was equal.
func (d *derivatives) unweigh() {
	if d.target.Weight == nil {
		return
	}
	if d.unweighted != nil {
		d.unweighted.Gradients(d.own, make([]float64, len(d.g)), d.train.Raw, d.workers)
	}
	for i, g := range d.g {
		w := d.target.WeightAt(d.train.Rows[i%len(d.train.Rows)])
		if d.unweighted == nil || math.Abs(g-float64(w*d.own[i])) > 1e-12*math.Abs(g) {
			d.own[i] = coarse(g / max(w, math.SmallestNonzeroFloat64))
		}
	}
}

// coarse rounds a number to 40 of its 52 bits behind the point: numbers that differ in their last
// bits become equal, but for one pair in a thousand.
func coarse(x float64) float64 {
	const off = 52 - 40
	return math.Float64frombits((math.Float64bits(x) + 1<<(off-1)) &^ (1<<off - 1))
}

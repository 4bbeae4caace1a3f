package boost

import (
	"context"
	"sync"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/ranks"
)

// outputDerivatives has words of those of all outputs, which a pass over the scores makes before a
// round: 8 bytes for a row and output, and half as much memory is read and written as by storing
// the derivatives. Where words are too coarse derivatives are stored too.
type outputDerivatives struct {
	setup     *setup
	scores    *scores
	objective loss.RowwiseOutputs
	words     *hist.Outputs

	mutex  sync.Mutex         // of stored, while it is grown on
	stored *storedDerivatives // nil: all words were fine enough
}

// newOutputDerivatives returns nil where something else needs derivatives, where some rows or ranks
// have some of them, or where rounds have several orders of the rows.
func newOutputDerivatives(s *setup, t *table.Table, sc *scores) *outputDerivatives {
	o, ok := sc.train.Objective.(loss.RowwiseOutputs)
	if !ok || !s.Config.unstored(o) || s.Config.samples() || len(t.Matrices) > 1 ||
		ranks.Of(s.Group).Size() > 1 {
		return nil
	}
	return &outputDerivatives{setup: s, scores: sc, objective: o}
}

// begin makes the memory of words for trees on a matrix.
func (d *outputDerivatives) begin(m *bins.Matrix, c *hist.Config) {
	d.words = hist.NewOutputs(m, d.objective.Outputs(), d.scores.rows.at, d.setup.workers())
}

func (d *outputDerivatives) update(r *roundPlan) error {
	raw := d.scores.train.Raw
	d.words.Update(func(g, h []float64, stride, from, to int) {
		d.objective.DeriveOutputs(g, h, stride, raw, from, to)
	})
	for o := range d.objective.Outputs() {
		if !d.words.Fixed(o) {
			return d.store(r)
		}
	}
	return nil
}

// store stores derivatives too.
func (d *outputDerivatives) store(r *roundPlan) error {
	if d.stored == nil {
		d.stored = newStoredDerivatives(d.setup, d.scores)
	}
	return d.stored.update(r)
}

func (d *outputDerivatives) all() (g, h []float64) { return nil, nil }
func (d *outputDerivatives) scale(*roundRows)      {}

func (d *outputDerivatives) grow(ctx context.Context, by *hist.Grower, output int,
	sampled *roundRows, seed uint64) (*hist.Grown, error) {
	if d.words.Fixed(output) {
		return by.GrowOutput(ctx, d.words, output, seed)
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.stored.grow(ctx, by, output, sampled, seed)
}

func (d *outputDerivatives) fault(round int) error {
	if d.stored == nil { // else it has those of the round
		return nil
	}
	return d.stored.fault(round)
}

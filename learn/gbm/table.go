package gbm

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/input"
)

// table is the stage of the columns: the features of the user's table in bins and, behind them, the
// columns that are derived from categories. Derived columns depend on an order of the rows, and a
// training uses one order or several in turn:
//
//	round          0        1        2        3        4
//	matrix     order 0  order 1  order 2  order 0  order 1 ...
//
// Without derived columns there is one order.
type table struct {
	frame    *data.Frame    // the user's
	fields   data.Schema    // of the features and the derived columns
	inputs   input.Set      // how derived columns are computed
	matrices []*bins.Matrix // of each order; they have the same rows
	// of each order, with the derived columns; nil: their numbers are not kept
	frames  []*data.Frame
	valid   *data.Frame // then: of the rows of the validation set; nil: frames has them
	workers int

	blocks *blocks      // has the values of the frame; nil: the frame has them
	others *bins.Matrix // then: the validation set in bins; nil: there is none
}

// newTable derives columns, and puts those in bins that are not yet. prepared is the table in bins,
// without columns where Prepare left them to Fit.
func newTable(ctx context.Context, s *setup, prepared *bins.Matrix) (*table, error) {
	t := &table{frame: s.frame, fields: s.frame.Schema, workers: s.job.Workers, blocks: s.blocks}
	if s.blocks != nil {
		return t, s.blocks.store(ctx, s, t)
	}
	if err := t.encode(ctx, s); err != nil || t.matrices != nil {
		return t, err
	}
	if len(prepared.Columns) == 0 && len(s.frame.Columns) > 0 {
		var err error
		all := binning{from: s.frame, rows: prepared.Rows, weight: s.target.Weight,
			ranks: s.ranks}
		if prepared, err = s.config.bin(ctx, all, s.job.Workers); err != nil {
			return nil, err
		}
	}
	t.matrices, t.frames = []*bins.Matrix{prepared}, []*data.Frame{s.frame}
	return t, nil
}

// rows returns the frame rows of the matrices, ascending: scores are kept for these.
func (t *table) rows() []int32 { return t.matrices[0].Rows }

// frameOf returns a frame with the columns of an order's matrix that are numbers.
func (t *table) frameOf(order int) *data.Frame {
	if t.frames == nil {
		return t.frame
	}
	return t.frames[order]
}

// addScores adds the raw scores of a model to those of some rows. Each tree predicts by the order
// of the rows that its round was grown by: so the statistics of a row do not depend on its own
// label.
func (t *table) addScores(
	ctx context.Context, p *boosting.Set, m *model.Ensemble, round func(tree int) int,
) error {
	orders := len(t.frames)
	switch {
	case t.blocks != nil && len(m.Trees) > 0:
		return t.blocks.addScores(ctx, p, &t.frame.Schema, m, t.workers)
	case len(m.Trees) == 0:
		return addScores(p, t.frame, m, t.workers)
	case orders == 1:
		return addScores(p, t.frames[0], m, t.workers)
	}
	for o, f := range t.frames {
		own := *m
		own.Trees, own.Output, own.Weights = nil, []int32{}, nil
		if o > 0 {
			own.Bias = make([]float64, len(m.Bias))
		}
		for i, tree := range m.Trees {
			if round(i)%orders != o {
				continue
			}
			own.Trees, own.Output = append(own.Trees, tree), append(own.Output, m.Output[i])
			if m.Weights != nil {
				own.Weights = append(own.Weights, m.Weights[i])
			}
		}
		if err := addScores(p, f, &own, t.workers); err != nil {
			return err
		}
	}
	return nil
}

// addValidScores adds the raw scores of a model to those of the validation set. Its rows have in
// all rounds the statistics that the model would predict them by.
func (t *table) addValidScores(p *boosting.Set, m *model.Ensemble) error {
	if t.valid == nil {
		return addScores(p, t.frames[0], m, t.workers)
	}
	return addScores(&boosting.Set{Rows: data.AllRows(len(p.Rows)), Raw: p.Raw}, t.valid, m,
		t.workers)
}

// addScores adds the raw scores of a model to those of rows of a frame.
func addScores(p *boosting.Set, f *data.Frame, m *model.Ensemble, workers int) error {
	if len(m.Trees) == 0 {
		for o, bias := range m.Bias {
			for i := range p.Rows {
				p.Raw[o*len(p.Rows)+i] += bias
			}
		}
		return nil
	}
	bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Workers: workers})
	if err != nil {
		return err
	}
	n, k := len(p.Rows), bound.Width()
	scores := make([]float64, n*k)
	if err := bound.Predict(scores, f, p.Rows); err != nil {
		return err
	}
	for i := range n {
		for o := range k {
			p.Raw[o*n+i] += scores[i*k+o]
		}
	}
	return nil
}

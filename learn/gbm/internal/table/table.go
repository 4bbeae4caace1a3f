// Package table prepares the columns of a table for boosting: in bins and, behind them, target
// statistics of their categories. All tables become a Table, whichever way their rows come:
//
//	in memory   frame -> Config.bin -> matrix                    binning.go, statistics.go
//	in blocks   rows -> scratch file of codes -> matrix          storedcolumns.go
//	on ranks    each rank bins some columns, or has some rows    binning.go, rankblocks.go
//
// A Prepared has what needs no labels. New makes the Table of one training from it and from a
// Request, with what depends on labels and on the rows of the training. The package knows nothing
// of losses, scores and rounds.
package table

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/model"
)

// Table is the stage of the columns: the features of the user's table in bins and, behind them, the
// columns that are derived from categories. Derived columns depend on an order of the rows, and a
// training uses one order or several in turn:
//
//	round          0        1        2        3        4
//	matrix     order 0  order 1  order 2  order 0  order 1 ...
//
// Without derived columns there is one order.
type Table struct {
	Frame    *data.Frame    // the user's
	Fields   data.Schema    // of the features and the derived columns
	Inputs   input.Set      // how derived columns are computed
	Matrices []*bins.Matrix // of each order; they have the same rows
	// of each order, with the derived columns; nil: their numbers are not kept
	Frames  []*data.Frame
	valid   *data.Frame // then: of the rows of the validation set; nil: frames has them
	workers int

	Blocks *blocks      // has the values of the frame; nil: the frame has them
	Others *bins.Matrix // then: the validation set in bins; nil: there is none
}

// New derives columns, and puts those in bins that are not yet. prepared is the table in bins,
// without columns where Prepare left them to Fit.
func New(ctx context.Context, s *Request, prepared *bins.Matrix) (*Table, error) {
	t := &Table{Frame: s.Frame, Fields: s.Frame.Schema, workers: s.Job.Workers, Blocks: s.Blocks}
	if err := t.fill(ctx, s, prepared); err != nil {
		return nil, err
	}
	if invariant.On {
		t.check()
	}
	return t, nil
}

// fill makes the matrices.
func (t *Table) fill(ctx context.Context, s *Request, prepared *bins.Matrix) error {
	if s.Blocks != nil {
		return s.Blocks.store(ctx, s, t)
	}
	if err := t.encode(ctx, s); err != nil || t.Matrices != nil {
		return err
	}
	if len(prepared.Columns) == 0 && len(s.Frame.Columns) > 0 {
		var err error
		all := binning{from: s.Frame, rows: prepared.Rows, weight: s.Target.Weight,
			ranks: s.Group}
		if prepared, err = s.Columns.bin(ctx, all, s.Job.Workers); err != nil {
			return err
		}
	}
	t.Matrices, t.Frames = []*bins.Matrix{prepared}, []*data.Frame{s.Frame}
	return nil
}

// check checks what the stages of boosting take for granted: the matrices of all orders have the
// same rows, which ascend. A training set with other rows is an error of what begins with it.
func (t *Table) check() {
	rows := t.Rows()
	for i := 1; i < len(rows); i++ {
		invariant.Check(rows[i] > rows[i-1], "matrix row %d is row %d, after row %d", i, rows[i],
			rows[i-1])
	}
	for o, m := range t.Matrices {
		invariant.Check(slices.Equal(m.Rows, rows), "the matrix of order %d has other rows", o)
	}
}

// Rows returns the frame rows of the matrices, ascending: scores are kept for these.
func (t *Table) Rows() []int32 { return t.Matrices[0].Rows }

// FrameOf returns a frame with the columns of an order's matrix that are numbers.
func (t *Table) FrameOf(order int) *data.Frame {
	if t.Frames == nil {
		return t.Frame
	}
	return t.Frames[order]
}

// AddScores adds the raw scores of a model to raw, those of some rows, output-major. Each tree
// predicts by the order of the rows that its round was grown by: so the statistics of a row do not
// depend on its own label.
func (t *Table) AddScores(ctx context.Context, raw []float64, rows []int32, m *model.Ensemble,
	round func(tree int) int) error {
	orders := len(t.Frames)
	switch {
	case t.Blocks != nil && len(m.Trees) > 0:
		return t.Blocks.addScores(ctx, raw, rows, &t.Frame.Schema, m, t.workers)
	case len(m.Trees) == 0:
		return addScores(raw, rows, t.Frame, m, t.workers)
	case orders == 1:
		return addScores(raw, rows, t.Frames[0], m, t.workers)
	}
	for o, f := range t.Frames {
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
		if err := addScores(raw, rows, f, &own, t.workers); err != nil {
			return err
		}
	}
	return nil
}

// AddValidScores does the same for the rows of the validation set. These have in all rounds the
// statistics that the model would predict them by.
func (t *Table) AddValidScores(raw []float64, rows []int32, m *model.Ensemble) error {
	if t.valid == nil {
		return addScores(raw, rows, t.Frames[0], m, t.workers)
	}
	return addScores(raw, data.AllRows(len(rows)), t.valid, m, t.workers)
}

// ValidFrame returns the rows of the validation set with their derived columns; nil: there is no
// such frame, since the numbers of all rows are kept, or no column is derived.
func (t *Table) ValidFrame() *data.Frame { return t.valid }

// addScores adds the raw scores of a model to those of rows of a frame.
func addScores(raw []float64, rows []int32, f *data.Frame, m *model.Ensemble, workers int) error {
	if len(m.Trees) == 0 {
		for o, bias := range m.Bias {
			for i := range rows {
				raw[o*len(rows)+i] += bias
			}
		}
		return nil
	}
	bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Workers: workers})
	if err != nil {
		return err
	}
	n, k := len(rows), bound.Width()
	scores := make([]float64, n*k)
	if err := bound.Predict(scores, f, rows); err != nil {
		return err
	}
	for i := range n {
		for o := range k {
			raw[o*n+i] += scores[i*k+o]
		}
	}
	return nil
}

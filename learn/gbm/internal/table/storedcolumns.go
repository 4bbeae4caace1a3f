package table

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/model"
)

// blocks is a table that is read in blocks, and the file for its codes.
type blocks struct {
	from   data.RowSource
	fitted bins.Rows     // that bins are fitted to: of both sets, if one was split off the other
	file   *scratch.File // of one Fit
	stored int64         // bytes of it with the codes that all trees need
}

// store puts the rows of both sets in bins, with their codes in the file, and derives columns. As
// in memory, bins are fitted to the training set alone where there are derived columns.
func (b *blocks) store(ctx context.Context, s *Request, t *Table) error {
	what := fmt.Sprintf("training in blocks on %d rows", s.Frame.Rows())
	if err := s.Memory.Check(what, s.heldBytes()); err != nil {
		return err
	}
	c, from, fitted := s.Columns, b.from, b.fitted
	var stored *encode.Stored
	if s.Target.Task != data.Survival && c.mayEncode(from.Fields()) {
		stored = encode.Store(from, b.file, s.Job.Workers)
		from, fitted = stored, bins.Rows{Rows: s.Rows, Weight: s.Target.Weight}
	}
	o, own := s.options(), s.own(stored != nil)
	f, err := bins.FitStored(ctx, from, fitted, o, s.Job.Workers, own)
	if err != nil {
		return err
	}
	if stored != nil {
		encodes, err := c.encodes(ctx, stored, s.Rows)
		if err != nil {
			return err
		}
		if encodes {
			return b.derive(ctx, s, t, f, stored)
		}
		if f, err = bins.FitStored(ctx, from, b.fitted, o, s.Job.Workers, own); err != nil {
			return err
		}
	}
	if err := s.checkOwn(own, len(from.Fields())); err != nil {
		return err
	}
	err = t.write(ctx, f, s)
	b.stored = b.file.Size()
	return err
}

// options returns how the columns of a table in blocks are put in bins.
func (s *Request) options() bins.Options {
	c := s.Columns
	return bins.Options{Bins: c.mostBins(s.Frame.Rows(), len(s.Frame.Schema.Fields)),
		MinInBin: c.MinBin, Sample: bins.DefaultSample, Sketch: c.Sketch,
		Joint: hist.JointCodes(len(s.Rows)), Least: c.Follows(hist.LightGBM)}
}

// write makes the matrices of a table without derived columns.
func (t *Table) write(ctx context.Context, f *bins.Fitted, s *Request) error {
	w, err := f.Writer(s.sets(), nil, 0, nil, s.Blocks.file)
	if err != nil {
		return err
	}
	return t.take(ctx, w, s)
}

// take makes the matrices of the table.
func (t *Table) take(ctx context.Context, w *bins.Writer, s *Request) error {
	made, err := w.Matrices(ctx)
	if err != nil {
		return err
	}
	if made[0].Store != nil {
		made[0].Store.Memory = max(0, s.Memory.Bytes()-s.heldBytes()-fixedBytes)
	}
	t.Matrices, t.Frames = made[:1], []*data.Frame{s.Frame}
	if s.Valid != nil {
		t.Others = made[1]
	}
	return nil
}

// Bytes that a training in blocks holds for each row.
const (
	labelBytes      = 4 + 16   // a list of rows, labels as they are and as the loss has them
	weightBytes     = 16       // as they are and as the loss has them
	orderBytes      = 8 + 8    // two lists of rows, words of derivatives
	scoreBytes      = 8        // of each output
	derivativeBytes = 16       // of each output, where derivatives are stored
	fixedBytes      = 96 << 20 // of blocks that are read ahead, histograms and buffers
)

// heldBytes returns the bytes that a training in blocks holds for all rows.
func (s *Request) heldBytes() int64 {
	outputs := int64(max(1, len(s.Target.Classes)))
	if outputs == 2 {
		outputs = 1
	}
	row := orderBytes + scoreBytes*outputs
	if s.Stored {
		row += derivativeBytes * outputs
	}
	if s.Columns.LocalPoints {
		row += 8 // weights
	}
	return s.labelsBytes() + int64(s.Frame.Rows())*row
}

// labelsBytes returns those of them that are held before the first round.
func (s *Request) labelsBytes() int64 {
	row := int64(labelBytes)
	if s.Target.Weight != nil {
		row += weightBytes
	}
	return int64(s.Frame.Rows()) * row
}

// addScores adds the raw scores of a model to those of rows of the table.
func (b *blocks) addScores(
	ctx context.Context, raw []float64, rows []int32, schema *data.Schema, m *model.Ensemble,
	workers int,
) error {
	bound, err := m.Bind(schema, model.Options{Output: model.Raw, Workers: workers})
	if err != nil {
		return err
	}
	n, k, at := len(rows), bound.Width(), 0
	for block, err := range b.from.Blocks(ctx) {
		if err != nil {
			return err
		}
		var here []int32
		for end := block.First + block.Rows(); at+len(here) < n &&
			int(rows[at+len(here)]) < end; {
			here = append(here, rows[at+len(here)]-int32(block.First))
		}
		scores := make([]float64, len(here)*k)
		if err := bound.Predict(scores, block.Frame, here); err != nil {
			return err
		}
		for i := range here {
			for o := range k {
				raw[o*n+at+i] += scores[i*k+o]
			}
		}
		at += len(here)
	}
	return nil
}

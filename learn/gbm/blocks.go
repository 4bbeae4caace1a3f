package gbm

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
)

// blocks is a table that is read in blocks, and the file for its codes.
type blocks struct {
	from   data.RowSource
	fitted bins.Rows     // that bins are fitted to: of both sets, if one was split off the other
	file   *scratch.File // of one Fit
}

// blockConflicts reports parameters that need the values of single rows after they are in bins.
func (c *Config) blockConflicts() error {
	var faults []error
	for _, of := range []struct {
		wrong     bool
		what, use string
	}{
		{c.Linear, "linear_tree=true", "linear_tree=false"},
		{c.Dropout != nil, "boosting=dart", "boosting=plain"},
		{c.Permutations > 0, "boosting=ordered", "boosting=plain"},
		{c.conventional(hist.XGBoostExact), "compat=" + xgboostExact, "compat=" + xgboost},
	} {
		if of.wrong {
			faults = append(faults, fmt.Errorf("%s needs the table in memory, which is trained on "+
				"in blocks: use %s, or more --memory", of.what, of.use))
		}
	}
	return joinFaults(faults)
}

// store puts the rows of both sets in bins, with their codes in the file, and derives columns. As
// in memory, bins are fitted to the training set alone where there are derived columns.
func (b *blocks) store(ctx context.Context, s *setup, t *table) error {
	what := fmt.Sprintf("training in blocks on %d rows", s.frame.Rows())
	if err := s.memory.Check(what, s.heldBytes()); err != nil {
		return err
	}
	c, from, fitted := &s.config, b.from, b.fitted
	var stored *encode.Stored
	if s.target.Task != data.Survival && c.mayEncode(from.Fields()) {
		stored = encode.Store(from, b.file, s.job.Workers)
		from, fitted = stored, bins.Rows{Rows: s.rows, Weight: s.target.Weight}
	}
	o := bins.Options{Bins: c.Bins, MinInBin: c.MinBin, Sample: bins.DefaultSample,
		Joint: hist.JointCodes(len(s.rows)), Least: c.conventional(hist.LightGBM)}
	own := s.own(stored != nil)
	f, err := bins.FitStored(ctx, from, fitted, o, s.job.Workers, own)
	if err != nil {
		return err
	}
	if stored != nil {
		encodes, err := c.encodes(ctx, stored, s.rows)
		if err != nil {
			return err
		}
		if encodes {
			return b.derive(ctx, s, t, f, stored)
		}
		if f, err = bins.FitStored(ctx, from, b.fitted, o, s.job.Workers, own); err != nil {
			return err
		}
	}
	if err := s.checkOwn(own, len(from.Fields())); err != nil {
		return err
	}
	w, err := f.Writer(s.storedSets(), nil, 0, nil, b.file)
	if err != nil {
		return err
	}
	return t.take(ctx, w, s)
}

// storedSets returns the rows of the training set and, if there is one, of the validation set.
func (s *setup) storedSets() [][]int32 {
	if s.valid == nil {
		return [][]int32{s.rows}
	}
	return [][]int32{s.rows, s.valid}
}

// take makes the matrices of the table.
func (t *table) take(ctx context.Context, w *bins.Writer, s *setup) error {
	made, err := w.Matrices(ctx)
	if err != nil {
		return err
	}
	if made[0].Store != nil {
		made[0].Store.Memory = max(0, s.memory.Bytes()-s.heldBytes()-fixedBytes)
	}
	t.matrices, t.frames = made[:1], []*data.Frame{s.frame}
	if s.valid != nil {
		t.others = made[1]
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
func (s *setup) heldBytes() int64 {
	outputs := int64(max(1, len(s.target.Classes)))
	if outputs == 2 {
		outputs = 1
	}
	row := orderBytes + scoreBytes*outputs
	if !s.rowwise || s.config.Sampling != nil {
		row += derivativeBytes * outputs
	}
	return s.labelsBytes() + int64(s.frame.Rows())*row
}

// labelsBytes returns those of them that are held before the first round.
func (s *setup) labelsBytes() int64 {
	row := int64(labelBytes)
	if s.target.Weight != nil {
		row += weightBytes
	}
	return int64(s.frame.Rows()) * row
}

// addScores adds the raw scores of a model to those of rows of the table.
func (b *blocks) addScores(
	ctx context.Context, p *boosting.Set, schema *data.Schema, m *model.Ensemble, workers int,
) error {
	bound, err := m.Bind(schema, model.Options{Output: model.Raw, Workers: workers})
	if err != nil {
		return err
	}
	n, k, at := len(p.Rows), bound.Width(), 0
	for block, err := range b.from.Blocks(ctx) {
		if err != nil {
			return err
		}
		var rows []int32
		for end := block.First + block.Rows(); at+len(rows) < n &&
			int(p.Rows[at+len(rows)]) < end; {
			rows = append(rows, p.Rows[at+len(rows)]-int32(block.First))
		}
		scores := make([]float64, len(rows)*k)
		if err := bound.Predict(scores, block.Frame, rows); err != nil {
			return err
		}
		for i := range rows {
			for o := range k {
				p.Raw[o*n+at+i] += scores[i*k+o]
			}
		}
		at += len(rows)
	}
	return nil
}

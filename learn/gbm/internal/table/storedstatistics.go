package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// derive derives columns from stored categories, and puts them and the others in bins, with the
// codes in the file. The columns are those of a training in memory.
//
//	pass 1 of the table     its bins are fitted, its categories are stored
//	the scratch file        categories, read for one combination of columns after the other
//	pass 2 of the table     codes of the other columns
//
// On several ranks each stores the categories of all rows, and derives all columns.
func (b *blocks) derive(
	ctx context.Context, s *Request, t *Table, f *bins.Fitted, stored *encode.Stored,
) error {
	if err := s.derivedConflicts(); err != nil {
		return err
	}
	before, err := s.inputsBefore()
	if err != nil {
		return err
	}
	workers, err := s.derivingWorkers()
	if err != nil {
		return err
	}
	draft, target, err := s.draft(ctx, stored, nil, workers)
	if err != nil {
		return err
	}
	fields, derived := len(stored.Fields()), len(draft.Columns())
	kept := keptColumns(fields, draft.Sources(), s.Columns.Categories == BothEncodings)
	if err := s.checkOwn(s.own(true), len(kept)+derived); err != nil {
		return err
	}
	w, err := f.Writer(s.sets(), kept, derived, target.Weight, b.file)
	if err != nil {
		return err
	}
	set, err := deriveTo(ctx, draft, w)
	if err != nil {
		return err
	}
	place, err := t.setInputs(s, &before, set)
	if err != nil {
		return err
	}
	if len(t.Inputs.Columns) > len(place) {
		return errors.New("the model to continue has target statistics of other rows, and the " +
			option.Expand("table is read in blocks: give it more {memory}"))
	}
	if err := t.take(ctx, w, s); err != nil {
		return err
	}
	for _, m := range append(t.Matrices[:1:1], t.Others) {
		if m == nil {
			continue
		}
		for i := range m.Columns {
			if c := &m.Columns[i]; int(c.Feature) >= fields {
				c.Feature = int32(fields) + place[int(c.Feature)-fields]
			}
		}
	}
	return nil
}

// deriveTo derives the columns of a draft for a writer.
func deriveTo(ctx context.Context, draft *encode.Draft, w *bins.Writer) (*input.Set, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	set, err := draft.Derive(ctx, func(column int, _ []int, values []float64) {
		if err := w.Column(column, values); err != nil {
			cancel(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return &set, err
}

// derivedConflicts reports what needs the numbers of derived columns after they are in bins.
func (s *Request) derivedConflicts() error {
	if n := s.Columns.Statistics.Permutations; n > 1 {
		return fmt.Errorf("ts_permutations=%d needs the table in memory, which is trained on in "+
			option.Expand("blocks: use ts_permutations=1, or more {memory}"), n)
	}
	if s.Job.HoldOut != nil {
		return errors.New("out-of-fold target statistics need the table in memory, which is " +
			option.Expand("trained on in blocks: use categories=native, or more {memory}"))
	}
	if s.Job.Start != nil && s.Job.Start.State == nil {
		if before, err := s.inputsBefore(); err != nil || len(before.Columns) > 0 {
			return cmp.Or(err, errors.New("a model with target statistics is continued with the "+
				option.Expand("table in memory, and it is read in blocks: give more {memory}")))
		}
	}
	return nil
}

// derivingWorkers returns how many columns are derived at a time: as many as there is memory for.
func (s *Request) derivingWorkers() (int, error) {
	once, each := encode.RowBytes(s.Target, s.Columns.Statistics, len(s.Rows),
		s.Frame.Rows())
	limit, held := s.Memory.Bytes(), s.labelsBytes()+once
	what := fmt.Sprintf("target statistics of %d rows", s.Frame.Rows())
	if err := s.Memory.Check(what, held+each); err != nil {
		return 0, err
	}
	return int(min(int64(parallel.Workers(s.Job.Workers)), (limit-held)/max(1, each))), nil
}

package table

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/model"
)

// derivation is the derived columns before they are in bins.
type derivation struct {
	sources [][]int32 // columns of the frame that the tables are made of
	set     input.Set
	made    [][]bins.Made // by order of the rows
	numbers [][][]float64 // of all rows of the frame, where they are kept
	valid   [][]float64   // else: of the validation set
}

// encode derives columns from the categories and the labels of the training set, and puts all
// columns in bins. The matrices then have the rows of the training set alone, and the features
// behind those of the frame are the derived columns. Where there are none it does nothing.
func (t *Table) encode(ctx context.Context, s *Request) error {
	before, err := s.inputsBefore()
	if err != nil {
		return err
	}
	d := &derivation{made: make([][]bins.Made, 1), numbers: make([][][]float64, 1)}
	encodes := false
	if s.Target.Task != data.Survival {
		encodes, err = s.Columns.encodes(ctx, encode.InMemory(s.Frame), s.Rows)
	}
	if encodes && err == nil {
		d, err = s.derive(ctx)
	}
	if err != nil {
		return err
	}
	place, err := t.setInputs(s, &before, &d.set)
	if len(t.Inputs.Columns) == 0 || err != nil {
		return err
	}
	kept := keptColumns(len(s.Frame.Columns), d.sources, s.Columns.Categories == BothEncodings)
	features := make([]int32, len(place))
	for i, k := range place {
		features[i] = int32(len(s.Frame.Columns)) + k
	}
	for p, made := range d.made {
		m, err := s.Columns.bin(ctx,
			binning{s.Frame.Select(kept), kept, made, features, s.Rows, s.Target.Weight,
				s.Group},
			s.Job.Workers)
		if err != nil {
			return err
		}
		d.made[p] = nil
		t.Matrices = append(t.Matrices, m)
	}
	if s.keepsNumbers() {
		return t.frameOrders(d, &before, place)
	}
	if s.Valid != nil {
		t.valid, err = encode.Frame(s.Frame.Subset(s.Valid), &t.Fields, d.valid)
	}
	return err
}

// setInputs makes the derived columns those of a model to continue and, behind them, those of a set
// that it has not. It returns the place of each of the set's.
func (t *Table) setInputs(s *Request, before, set *input.Set) ([]int32, error) {
	all, place := before.Join(set)
	if len(all.Columns) == 0 {
		return nil, nil
	}
	if err := all.Validate(s.Frame.Schema.Fields); err != nil {
		return nil, fmt.Errorf("target statistics of the model to continue, with those of these "+
			"rows: %w", err)
	}
	t.Inputs, t.Fields = all, encode.Schema(&s.Frame.Schema, &all, s.Target.Classes)
	return place, nil
}

// frameOrders makes the frames with the derived columns of each order. place are those of the
// columns derived here, behind those of a model to continue.
func (t *Table) frameOrders(d *derivation, before *input.Set, place []int32) error {
	tables := encode.Columns(before, t.Frame)
	for _, numbers := range d.numbers {
		columns := append(slices.Clip(tables),
			make([][]float64, len(t.Inputs.Columns)-len(tables))...)
		for i, at := range place {
			columns[at] = numbers[i]
		}
		f, err := encode.Frame(t.Frame, &t.Fields, columns)
		if err != nil {
			return err
		}
		t.Frames = append(t.Frames, f)
	}
	return nil
}

// keepsNumbers reports whether the numbers of derived columns are used after they are in bins: by
// linear leaves, by trees of a model to continue or of dropped rounds, by supporting models, and by
// a job that takes out-of-fold statistics. Otherwise they are released at once, for all rows they
// would take most of the memory of a training. Those of the validation set stay, since trees of
// every round predict for it.
func (s *Request) keepsNumbers() bool {
	return s.Numbers || s.Job.Start != nil || s.Job.HoldOut != nil ||
		s.Columns.Follows(hist.LightGBM)
}

// derive computes the target statistics of the training set, and hands the out-of-fold ones to the
// job.
func (s *Request) derive(ctx context.Context) (*derivation, error) {
	keep := s.keepsNumbers()
	var others []int32
	if !keep { // then only both sets are put in bins
		others = slices.Concat(s.sets()...)
	}
	draft, t, err := s.draft(ctx, encode.InMemory(s.Frame), others, s.Job.Workers)
	if err != nil {
		return nil, err
	}
	c := s.Columns
	maker, err := bins.NewMaker(s.Frame, s.Rows, t.Weight,
		bins.Options{Bins: c.Bins, MinInBin: c.MinBin, Sample: bins.DefaultSample,
			Sketch: c.Sketch}, s.Job.Workers)
	if err != nil {
		return nil, err
	}
	d := newDerivation(draft, c.Statistics.Permutations)
	d.set, err = draft.Derive(ctx, func(column int, orders []int, values []float64) {
		made := maker.Column(values)
		var own []float64
		if keep {
			own = slices.Clone(values)
		}
		for _, p := range orders {
			d.made[p][column], d.numbers[p][column] = made, own
		}
		if s.Valid != nil && !keep && orders[0] == 0 {
			valid := make([]float64, len(s.Valid))
			for i, r := range s.Valid {
				valid[i] = values[r]
			}
			d.valid[column] = valid
		}
	})
	if err != nil || s.Job.HoldOut == nil {
		return d, err
	}
	e := encode.Encoded{Set: d.set, Columns: d.numbers, Outputs: draft.Outputs()}
	width, values := e.Predictions(s.Rows, len(t.Classes))
	if values == nil {
		return d, nil
	}
	return d, s.Job.HoldOut("target statistics",
		&learn.HoldOut{Rows: s.Rows, Width: width, Values: values})
}

// draft finds the columns that are derived of a table, for its training set and others, nil = all.
// It returns the target that they are of.
func (s *Request) draft(
	ctx context.Context, from encode.Source, others []int32, workers int,
) (*encode.Draft, *data.Target, error) {
	t := *s.Target
	if !s.Job.Plan.KeepsGroups(&t) {
		t.Group = nil
	}
	options := s.Columns.Statistics
	options.Together, options.UsualValues = s.Columns.Limits.Sets, s.Columns.Own()
	options.Others = others
	draft, err := encode.Begin(ctx, from, s.Rows, &t, options,
		s.Orders, workers)
	return draft, &t, err
}

// newDerivation lays out the columns of a draft, by so many orders of the rows.
func newDerivation(draft *encode.Draft, orders int) *derivation {
	n := len(draft.Columns())
	d := &derivation{sources: draft.Sources(), valid: make([][]float64, n)}
	for range orders {
		d.made = append(d.made, make([]bins.Made, n))
		d.numbers = append(d.numbers, make([][]float64, n))
	}
	return d
}

// inputsBefore returns the derived columns of the model that training continues. Where its tables
// were made of the same rows, by the same options, this training derives the same columns: by
// order, so that no row's own label has an effect. Columns of other tables are those that the model
// predicts by.
func (s *Request) inputsBefore() (input.Set, error) {
	if s.Job.Start == nil {
		return input.Set{}, nil
	}
	m, ok := s.Job.Start.Model.(*model.Ensemble)
	if !ok || len(m.Inputs.Columns) == 0 {
		return input.Set{}, nil
	}
	return m.Inputs, SameColumns(&m.Meta.Schema, &s.Frame.Schema)
}

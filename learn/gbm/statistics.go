package gbm

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/encode"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/input"
)

// derivation is derived columns on their way into bins.
type derivation struct {
	sources [][]int32 // columns of the frame that the tables are made of
	set     input.Set
	made    [][]bins.Made // by permutation
	numbers [][][]float64 // of all rows of the frame, where they are kept
	holdOut [][]float64   // of the validation part
}

// encode derives columns from the categories and the labels of the rows to train on, and puts all
// columns in bins. From then on all matrices are of the rows to train on alone, and features behind
// those of the frame are the derived columns.
func (b *boost) encode(ctx context.Context, rows []int32) error {
	before, err := b.inputsBefore()
	if err != nil {
		return err
	}
	d := &derivation{made: make([][]bins.Made, 1), numbers: make([][][]float64, 1)}
	if b.target.Task != data.Survival && b.learner.encodes(b.frame, rows) {
		if d, err = b.derive(ctx, rows); err != nil {
			return err
		}
	}
	all, place := before.Join(&d.set)
	if len(all.Columns) == 0 {
		return nil
	}
	if err := all.Validate(b.frame.Schema.Fields); err != nil {
		return fmt.Errorf("target statistics of the model to go on from, with those of these rows: %w", err)
	}
	own := *b.fitter
	b.fitter, b.inputs = &own, all
	b.fields = encode.Schema(&b.frame.Schema, &all, b.target.Classes)
	kept := b.learner.kept(b.frame, d.sources)
	at := make([]int32, len(place))
	for i, k := range place {
		at[i] = int32(len(b.frame.Columns)) + k
	}
	for p, made := range d.made {
		m, err := b.learner.bin(ctx, b.frame, rows, b.target.Weight, kept, made, at, b.Workers)
		if err != nil {
			return err
		}
		d.made[p] = nil
		b.matrices = append(b.matrices, m)
	}
	own.matrix = b.matrices[0]
	return b.frameDerived(d, &before, place)
}

// frameDerived makes the frames that derived columns are looked up in.
func (b *boost) frameDerived(d *derivation, before *input.Set, place []int32) error {
	if !b.keepsNumbers() {
		if b.valid == nil {
			return nil
		}
		var err error
		b.holdOut, err = encode.Frame(b.frame.Subset(b.valid.Rows), &b.fields, d.holdOut)
		return err
	}
	tables := encode.Columns(before, b.frame)
	for _, numbers := range d.numbers {
		columns := append(slices.Clip(tables), make([][]float64, len(b.inputs.Columns)-len(tables))...)
		for i, at := range place {
			columns[at] = numbers[i]
		}
		f, err := encode.Frame(b.frame, &b.fields, columns)
		if err != nil {
			return err
		}
		b.frames = append(b.frames, f)
	}
	return nil
}

// keepsNumbers reports whether the numbers of derived columns are looked at after they are in bins:
// by equations in leaves, by the trees of a model to go on from or those that are dropped for a
// round, and by whoever is told what statistics say. Else they are let go as soon as they are made,
// for of all rows they would be the most of the memory that a training takes; but for those of the
// validation part, which trees of every round are added to.
func (b *boost) keepsNumbers() bool {
	l := &b.learner
	return b.Start != nil || b.HoldOut != nil || l.LinearTree || l.Boosting.Dart != nil || l.Compat == CompatLightGBM
}

// derive makes the target statistics of the rows to train on, and tells the job what they say of
// them.
func (b *boost) derive(ctx context.Context, rows []int32) (*derivation, error) {
	t := *b.target
	if !b.Plan.KeepsGroups(&t) {
		t.Group = nil
	}
	l := &b.learner
	limits, err := l.limits(&b.frame.Schema)
	if err != nil {
		return nil, err
	}
	o := l.Encode
	o.Together = limits.sets
	draft, err := encode.Begin(ctx, b.frame, rows, &t, o, seedOf(b.Seed, purposeStatistics), b.Workers)
	if err != nil {
		return nil, err
	}
	maker, err := bins.NewMaker(b.frame, rows, t.Weight, bins.Options{Bins: l.Bins, MinInBin: l.MinBin, Sample: bins.DefaultSample}, b.Workers)
	if err != nil {
		return nil, err
	}
	n := len(draft.Columns())
	d := &derivation{sources: draft.Sources(), holdOut: make([][]float64, n)}
	for range l.Encode.Permutations {
		d.made = append(d.made, make([]bins.Made, n))
		d.numbers = append(d.numbers, make([][]float64, n))
	}
	keep := b.keepsNumbers()
	d.set, err = draft.Derive(ctx, func(column int, permutations []int, values []float64) {
		made := maker.Column(values)
		var own []float64
		if keep {
			own = slices.Clone(values)
		}
		for _, p := range permutations {
			d.made[p][column], d.numbers[p][column] = made, own
		}
		if b.valid != nil && !keep && permutations[0] == 0 {
			holdOut := make([]float64, len(b.valid.Rows))
			for i, r := range b.valid.Rows {
				holdOut[i] = values[r]
			}
			d.holdOut[column] = holdOut
		}
	})
	if err != nil || b.HoldOut == nil {
		return d, err
	}
	e := encode.Encoded{Set: d.set, Columns: d.numbers, Outputs: draft.Outputs()}
	width, values := e.Answers(rows, len(t.Classes))
	if values == nil {
		return d, nil
	}
	return d, b.HoldOut("target statistics", &learn.HoldOut{Rows: rows, Width: width, Values: values})
}

// inputsBefore returns the derived columns of the model that training goes on from. Of rows that
// their tables were made of, and by the same options, columns are those that this training derives:
// by order, so that no row knows its own label. Of other tables they are what the model would take
// to predict.
func (b *boost) inputsBefore() (input.Set, error) {
	if b.Start == nil {
		return input.Set{}, nil
	}
	m, ok := b.Start.Model.(*model.Ensemble)
	if !ok || len(m.Inputs.Columns) == 0 {
		return input.Set{}, nil
	}
	return m.Inputs, b.sameColumns(&m.Meta)
}

package gbm

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// Rows of a rehearsal. A gain that counts shows on a part of a large table, too.
const (
	fewestRehearsed = 500    // of a table that rehearses: differences on fewer are chance
	mostRehearsed   = 50_000 // of any table
	mostOfThree     = 20_000 // of tables with three folds
	// of larger tables, where one hold-out set chooses the rounds, as a fraction
	rehearsedFraction = 0.3
)

// rehearses reports whether a training compares candidates before it chooses its rounds.
func (f *fitter) rehearses(job learn.Job, rows int) bool {
	l := &f.learner
	return l.Rehearse && l.Trees == 0 && l.Compat == CompatNone && f.blocks == nil &&
		job.Start == nil && rows >= fewestRehearsed
}

// newRehearsal puts the rows of a rehearsal in bins and assigns them to folds; nil: no rows can be
// held out.
func (f *fitter) newRehearsal(ctx context.Context, p *plan, t *data.Target, job learn.Job,
	rows []int32) (*rehearsal, error) {
	train, valid, err := boosting.SplitValidation(&job, t, f.matrix.Rows, f.learner.ValidFraction,
		seedOf(job.Seed, purposeValid))
	if err != nil {
		return nil, nil // which the training reports
	}
	r := &rehearsal{plan: p, target: t, job: job, rows: f.matrix.Rows, first: 1}
	n := len(data.Distinct(train))
	most := n
	switch {
	case n > threeRows || valid != nil:
		most = max(mostOfThree, int(float64(rehearsedFraction*float64(n))))
	case n > fiveRows:
		most = mostOfThree
	default:
		r.first = 2
	}
	train = sampleRows(t, job.Plan, train, min(most, mostRehearsed), seedOf(job.Seed, purposeRehearsal))
	if valid != nil {
		valid = sampleRows(t, job.Plan, valid, mostOfThree,
			seedOf(job.Seed, purposeRehearsal, 1))
	}
	all := data.Distinct(append(slices.Clip(train), valid...))
	if len(all) < f.matrix.Len() || valid != nil {
		r.takeRows(f, all, train, valid)
	} else {
		r.fitter, r.folds = f, r.foldsOf(t, train)
	}
	if r.folds == nil {
		return nil, nil
	}
	r.first = min(r.first, len(r.folds))
	return r, r.bin(ctx)
}

// foldsOf assigns rows to the folds of the rehearsal; nil where no rows can be held out.
func (r *rehearsal) foldsOf(t *data.Target, rows []int32) []data.Fold {
	n := len(data.Distinct(rows))
	if n <= threeRows {
		job := r.job
		job.Rows = rows
		return foldsOf(t, job, rows)
	}
	plan := r.job.Plan.For(t, rows, 3, seedOf(r.job.Seed, purposeFold))
	if plan == nil {
		return nil
	}
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil
	}
	return folds
}

// takeRows makes a table of the rows of the rehearsal alone.
func (r *rehearsal) takeRows(f *fitter, all, train, valid []int32) {
	t := r.target.Subset(all)
	r.target = &t
	own := *f
	own.frame, own.matrix = f.frame.Subset(all), &bins.Matrix{Rows: data.AllRows(len(all))}
	r.fitter = &own
	if p := r.job.Plan; p != nil && p.Assign != nil {
		assigned := *p
		assigned.Assign = data.Pick(p.Assign, all)
		r.job.Plan = &assigned
	}
	place := func(rows []int32) []int32 {
		places := make([]int32, len(rows))
		for i, row := range rows {
			at, _ := slices.BinarySearch(all, row)
			places[i] = int32(at)
		}
		return places
	}
	if valid != nil {
		r.folds = []data.Fold{{Train: place(train), Test: place(valid)}}
		return
	}
	r.folds = r.foldsOf(r.target, place(train))
}

// bin puts the columns of the rehearsal in bins, once for all candidates and folds.
func (r *rehearsal) bin(ctx context.Context) error {
	f := r.fitter
	if len(f.matrix.Columns) > 0 || len(f.frame.Columns) == 0 {
		return nil
	}
	l := r.plan.learner
	m, err := l.bin(ctx, binning{from: f.frame, rows: f.matrix.Rows, weight: r.target.Weight},
		r.job.Workers)
	if err != nil {
		return err
	}
	own := *f
	own.matrix = m
	r.fitter = &own
	return nil
}

// costOfChoice estimates the cost of choosing the number of rounds, in rows x rounds, after the
// default was trained on the first folds.
func (r *rehearsal) costOfChoice(usual *candidate) float64 {
	rounds := 0
	for _, t := range usual.trials[:r.first] {
		rounds = max(rounds, t.rounds)
	}
	n := len(r.job.RowsOf(r.rows))
	steps := r.rate() / r.plan.foldRate(n)
	folds := 5.0
	switch {
	case len(r.job.Valid) > 0:
		return float64(steps*float64(rounds)) * float64(n)
	case n > threeRows:
		folds = 1 / (1 - holdOutFraction)
	case n > fiveRows:
		folds = 3
	}
	return float64(steps*float64(rounds)) * float64(folds-1) * float64(n)
}

// sampleRows returns some of the rows at random, ascending; all of them if there are no more. Rows
// of a group stay together.
func sampleRows(t *data.Target, plan *data.Plan, rows []int32, most int, seed uint64) []int32 {
	distinct := data.Distinct(rows)
	n := len(distinct)
	if n <= most {
		return rows
	}
	kind := plan.KindFor(t)
	if kind == data.GroupedPlan || kind == data.StratifiedPlan {
		split := data.Split{Kind: kind, Seed: seed, Valid: float64(most) / float64(n)}
		if _, sample, _, err := split.Sets(t, distinct); err == nil {
			return sample
		}
	}
	sample := make([]int32, most)
	for i, at := range rng.New(seed).Perm(n)[:most] {
		sample[i] = distinct[at]
	}
	slices.Sort(sample)
	return sample
}

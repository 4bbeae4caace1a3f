package gbm

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// Rows of a rehearsal. A gain that counts shows on a part of a large table, too.
const (
	fewestRehearsed = 500    // of a table that rehearses: differences on fewer are chance
	mostRehearsed   = 50_000 // of any table
	// Rows that a table of more rehearses on: half of its rows up to 20,000, a fifth of more. With
	// these the budget, which is what the choice of rounds costs, is enough for all candidates.
	allRehearsed, halfRehearsed = 10_000, 20_000
	rehearsedFraction           = 0.2
	leastValid                  = 2000 // where there is a validation set
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
	r := &rehearsal{plan: p, target: t, job: job, rows: f.matrix.Rows, first: 1,
		shared: map[sharing]*sharedTable{}}
	n, given := len(data.Distinct(train)), train
	validation := valid
	if valid == nil && r.steps(n, mostFolds) > fewSteps && n < fewRows {
		r.first = 2
	}
	train = sampleRows(t, job.Plan, train, rehearsedRows(n, valid != nil),
		seedOf(job.Seed, purposeRehearsal))
	if valid != nil {
		valid = sampleRows(t, job.Plan, valid, halfRehearsed,
			seedOf(job.Seed, purposeRehearsal, 1))
	}
	all := data.Distinct(append(slices.Clip(train), valid...))
	if len(data.Distinct(train)) < n || len(valid) < len(validation) {
		r.whole = wholeOf(f, p, t, job, rows, given, validation)
	}
	if len(all) < f.matrix.Len() || valid != nil {
		r.takeRows(f, all, train, valid)
	} else {
		r.fitter, r.folds = f, r.foldsOf(t, train)
	}
	r.folds = slices.DeleteFunc(r.folds, func(f data.Fold) bool {
		return !r.target.Relevant(f.Test)
	})
	if len(r.folds) == 0 {
		return nil, nil
	}
	r.first = min(r.first, len(r.folds))
	return r, r.bin(ctx)
}

// rehearsedRows returns the number of rows that a training of n rows rehearses on. A validation set
// leaves little work for that, because one training chooses the rounds.
func rehearsedRows(n int, valid bool) int {
	all := allRehearsed
	if valid {
		all = leastValid
	}
	return min(n, mostRehearsed, max(all, min(n/2, halfRehearsed),
		int(float64(rehearsedFraction*float64(n)))))
}

// foldsOf assigns rows to the folds of the rehearsal; nil where no rows can be held out.
func (r *rehearsal) foldsOf(t *data.Target, rows []int32) []data.Fold {
	if r.first > 1 || r.job.Plan.KindFor(t) == data.TimePlan {
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
	m, err := l.bin(ctx, binning{from: f.frame, rows: f.matrix.Rows, weight: r.target.Weight,
		ranks: r.job.Ranks}, r.job.Workers)
	if err != nil {
		return err
	}
	own := *f
	own.matrix = m
	r.fitter = &own
	return nil
}

// fewSteps is how many times the rate of the choice a rehearsal's is at most, where the choice of
// rounds costs too little for five folds of a rehearsal.
const fewSteps = 4

// steps returns how many rounds of the choice take the place of one of the rehearsal, where n rows
// are assigned to some folds, 1 = there is one validation set. A choice at a higher rate is
// counted as if it had the fast one: by what it costs, too few candidates would be tried.
func (r *rehearsal) steps(n, folds int) float64 {
	p := r.plan
	rate := p.foldRate(r.target.Task, folds, n)
	return r.rate() / min(rate, max(p.learner.LearningRate, fastRate))
}

// fiveCounted is the number of rows up to which the choice of rounds is counted as five folds.
const fiveCounted = 10_000

// costOfChoice estimates the work of choosing the number of rounds, after the default was trained
// on the first folds.
func (r *rehearsal) costOfChoice(usual *candidate) float64 {
	n := len(r.job.RowsOf(r.rows))
	folds, fraction := 5.0, 0.8 // of the rows that a fold trains on
	switch {
	case len(r.job.Valid) > 0 || r.plan.learner.ValidFraction > 0:
		folds, fraction = 1, 1-r.plan.learner.ValidFraction
		if len(r.job.Valid) > 0 {
			fraction = 1
		}
	case n > manyRows:
		folds, fraction = 1, 1-holdOutFraction
	case n > fiveCounted:
		folds, fraction = 3, 2.0/3
	}
	steps, one := r.steps(n, int(folds)), 0.0 // one is a training
	for i, t := range usual.trials[:r.first] {
		scale := float64(fraction*float64(n)) / float64(len(r.folds[i].Train))
		one += float64(scale*(r.statisticsWork(usual, i)+float64(steps*t.Work))) / float64(r.first)
	}
	return folds * one
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

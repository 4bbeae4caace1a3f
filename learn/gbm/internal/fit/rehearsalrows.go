package fit

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/ranks"
)

// rehearses reports whether a training compares candidates before it chooses its rounds.
func (p *decision) rehearses(job learn.Job, rows int) bool {
	return p.Config.User.Left().Rehearsal && p.prepared.Blocks == nil && job.Start == nil &&
		rounds.Compares(rows)
}

// newRehearsal puts the rows of a rehearsal in bins and assigns them to folds; nil: no rows can be
// held out.
func (p *decision) newRehearsal(ctx context.Context, t *data.Target, job learn.Job,
	rows []int32) (*rehearsal, error) {
	f := p.prepared
	train, valid, err := boosting.SplitValidation(&job, t, f.Matrix.Rows, p.given.ValidFraction,
		rng.Seed(job.Seed, boost.PurposeValid))
	if err != nil {
		return nil, nil // which the training reports
	}
	r := &rehearsal{decision: p, target: t, job: job, rows: f.Matrix.Rows}
	rate := rounds.Rate(p.given.LearningRate)
	n, given, validation, first := len(data.Distinct(train)), train, valid, 1
	if valid == nil {
		first = rounds.FirstFolds(n, r.steps(rate, n, rounds.FewFolds))
	}
	train = rounds.Sample(t, job.Plan, train, rounds.TrainingRows(n, valid != nil),
		rng.Seed(job.Seed, boost.PurposeRehearsal))
	if valid != nil {
		valid = rounds.SampleValid(t, job.Plan, valid,
			rng.Seed(job.Seed, boost.PurposeRehearsal, 1))
	}
	var all *rehearsal
	sampled := data.Distinct(append(slices.Clip(train), valid...))
	if len(data.Distinct(train)) < n || len(valid) < len(validation) {
		all = onAllRows(p, t, job, rows, given, validation)
	}
	var folds []split.Fold
	if len(sampled) < f.Matrix.Len() || valid != nil {
		folds = r.takeRows(f, sampled, train, valid, first)
	} else {
		r.prepared = f
		folds = rounds.RaceFolds(t, job.Plan, train, first, rng.Seed(job.Seed, boost.PurposeFold))
	}
	folds = relevant(folds, r.target)
	if len(folds) == 0 {
		return nil, nil
	}
	r.newRace(folds, min(first, len(folds)), rate)
	r.race.Rows, r.race.Challengers = r.prepared.Matrix.Len(), r.challengers()
	n = len(job.RowsOf(r.rows))
	r.race.Choice = rounds.ChoiceOf(n, len(job.Valid) > 0, p.Config.ValidFraction,
		func(folds int) float64 { return r.steps(rate, n, folds) })
	if r.whole = all; all != nil {
		r.race.Sample = &rounds.OtherRows{Final: len(all.race.Folds[0].Train),
			Whole: func(ctx context.Context) (*rounds.Race, error) {
				return all.race, all.bin(ctx)
			}}
		if rounds.Forecasts(len(folds[0].Train), r.race.Sample.Final) {
			r.race.Sample.Smaller = r.smaller
		}
	}
	return r, r.bin(ctx)
}

// smaller returns the race of one fold on some of its training rows.
func (r *rehearsal) smaller() *rounds.Race {
	s := &rehearsal{prepared: r.prepared, decision: r.decision, target: r.target, job: r.job,
		rows: r.rows}
	s.job.Observe = nil // checkpoints are those of the larger race
	fold := r.race.Folds[0]
	most := int(float64(rounds.SmallerPart * float64(len(fold.Train))))
	fold.Train = rounds.Sample(r.target, r.job.Plan, fold.Train, most,
		rng.Seed(r.job.Seed, boost.PurposeRehearsal, 2))
	s.newRace([]split.Fold{fold}, 1, r.race.Rate)
	return s.race
}

// relevant returns the folds whose validation sets have rows that count.
func relevant(folds []split.Fold, t *data.Target) []split.Fold {
	return slices.DeleteFunc(folds, func(f split.Fold) bool { return !t.Relevant(f.Test) })
}

// takeRows makes a table of the rows of the rehearsal alone, and returns its folds.
func (r *rehearsal) takeRows(f *table.Prepared, all, train, valid []int32, first int) []split.Fold {
	t := r.target.Subset(all)
	r.target = &t
	r.prepared = f.Subset(all)
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
		return []split.Fold{{Train: place(train), Test: place(valid)}}
	}
	return rounds.RaceFolds(r.target, r.job.Plan, place(train), first,
		rng.Seed(r.job.Seed, boost.PurposeFold))
}

// bin puts the columns of the rehearsal in bins, once for all candidates and folds.
func (r *rehearsal) bin(ctx context.Context) error {
	var err error
	r.prepared, err = r.prepared.InBins(ctx, &r.decision.Config.Config, r.target.Weight,
		r.job.Workers)
	return err
}

// steps returns how many rounds of the choice take the place of one of the rehearsal, where n rows
// are assigned to some folds, 1 = there is one validation set. A choice at a higher rate is
// counted as if it had the fast one: by what it costs, too few candidates would be tried. of is the
// rehearsal's rate.
func (r *rehearsal) steps(of float64, n, folds int) float64 {
	p := r.decision
	rate := p.foldRate(r.target.Task, folds, n)
	return of / min(rate, max(p.Config.LearningRate, FastRate))
}

// onAllRows returns the rehearsal of one fold on a table of which another has a sample of the rows;
// nil: no rows can be held out. Its rate is that of the choice of rounds, on the first of whose
// folds it trains. A validation set, with the rows of the training set, is the fold of the
// training. The choice goes on with the winner's training on its first fold.
func onAllRows(p *decision, t *data.Target, job learn.Job,
	rows, train, valid []int32) *rehearsal {
	f := p.prepared
	r := &rehearsal{prepared: f, decision: p, target: t, job: job, rows: f.Matrix.Rows}
	r.job.Observe = nil // the checkpoints are those of the sample
	if valid != nil {
		fold := split.Fold{Train: train, Test: valid}
		r.newRace([]split.Fold{fold}, 1, p.foldRate(t.Task, 1, len(train)))
		return r
	}
	of := rounds.Folds
	if job.Plan.KindFor(t) == split.ByTime {
		of = rounds.HoldOut
	}
	all := of(t, job.Plan, rows, rng.Seed(job.Seed, boost.PurposeFold))
	folds := relevant(slices.Clone(all), t)
	if len(folds) == 0 {
		return nil
	}
	n := len(folds[0].Train) + len(folds[0].Test)
	r.newRace(folds[:1], 1, p.foldRate(t.Task, len(folds), n))
	if len(folds) == len(all) && p.Config.User.Left().Rate && t.Task != data.Ranking &&
		ranks.Of(f.Env.Ranks).Size() == 1 {
		r.begun = map[string]*boost.Fold{}
	}
	return r
}

package gbm

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/loss"
	report "github.com/coppice-ml/coppice/model/training"
)

const (
	defaultRounds = 100 // where no rows can be held out

	// A learning rate of 0.05 takes twice as many rounds as 0.1, for errors that are lower by about
	// 1 % (test sets of california and spambase: 0.3 is 3 to 5 % worse than 0.1, 0.02 no better
	// than 0.05). Small tables have the time.
	slowRate, fastRate = 0.05, 0.1
	slowRows           = 100_000
)

// plan is a learner whose number of rounds and learning rate are decided.
type plan struct {
	learner Learner
	given   *Learner       // with the parameters as the user set them
	choice  *report.Choice // how cross-validation chose the number of rounds; nil: it did not
	// how values of parameters were chosen before; nil: they were not
	rehearsal *report.Rehearsal
	prepared  *fitter // the table in bins as these values need it
	table     *table  // that of another training on the same rows; nil: it is made
	auto      bool    // the validation set chooses the number of rounds
	// rows of weight 0 that were dropped
	weightless int
	stopped    bool           // the observer ended the choice, and is not called again
	final      *finalTraining // the training, begun beside the choice; nil: it was not
}

// decide decides the number of rounds and the learning rate, from the rows of the job if the
// parameters leave that to the data. A state is that of a choice to resume, nil = none.
func (f *fitter) decide(ctx context.Context, t *data.Target, job learn.Job,
	state []byte) (plan, error) {
	l := &f.learner
	p := plan{learner: f.learner, given: l, prepared: f}
	p.learner.settle(t.Task, len(f.frame.Schema.Fields))
	if l.LearningRate == 0 {
		p.learner.LearningRate = fastRate
	}
	rows := job.RowsOf(f.matrix.Rows)
	n := len(data.Distinct(rows))
	if l.LearningRate == 0 && l.Compat == CompatCatBoost {
		loss, _, err := l.lossOf(t)
		if err != nil {
			return p, err
		}
		valid := len(job.Valid) > 0 || l.ValidFraction > 0
		p.learner.LearningRate = catboostRateOf(loss, valid, n, l.Trees)
	}
	if l.Trees > 0 {
		return p, nil
	}
	if l.LearningRate == 0 && l.Compat != CompatCatBoost && n <= slowRows {
		p.learner.LearningRate = slowRate
	}
	inBlocks := f.blocks != nil && len(job.Valid) == 0 && l.ValidFraction == 0
	if job.Start != nil && job.Start.State != nil {
		if err := p.takeChoice(job.Start.State); err != nil {
			return p, err
		}
		if inBlocks {
			p.learner.ValidFraction = rounds.HoldOutFraction
		}
		return p, p.prepare(ctx, f, t, job)
	}
	state, err := f.rehearse(ctx, &p, t, job, rows, state)
	if err != nil || p.stopped {
		return p, err
	}
	switch {
	case inBlocks:
		p.learner.ValidFraction = rounds.HoldOutFraction
		fallthrough
	case len(job.Valid) > 0 || l.ValidFraction > 0:
		if p.auto, p.learner.Trees = true, rounds.MostRounds; l.EarlyStopping == 0 {
			p.learner.Trees = defaultRounds
		}
		return p, nil
	}
	c, err := p.prepared.choose(ctx, &p, t, job, rows, state)
	if err != nil {
		return p, err
	}
	p.choice, p.learner.Trees = c, c.Rounds
	return p, nil
}

// takeChoice takes over the choice of the training that is resumed from a state. Without one its
// validation set chose the number of rounds, and continues to do so.
func (p *plan) takeChoice(state []byte) error {
	c, rehearsal, err := choiceOf(state)
	if err != nil {
		return err
	}
	if err := p.takeRehearsal(rehearsal); err != nil {
		return err
	}
	if c == nil {
		p.auto, p.learner.Trees = true, rounds.MostRounds
		return nil
	}
	p.choice = c
	p.learner.Trees, p.learner.LearningRate, p.learner.ValidFraction = c.Rounds, c.Rate, 0
	return nil
}

// takeRehearsal takes over the winner of a rehearsal, nil = there was none.
func (p *plan) takeRehearsal(r *report.Rehearsal) error {
	if p.rehearsal = r; r == nil {
		return nil
	}
	for _, c := range r.Candidates {
		if c.Won {
			return p.learner.take(c.Settings)
		}
	}
	return errState
}

// rehearse compares candidates for what was left to training, if there is any, and takes the best
// one. A state is that of a rehearsal to resume, or that of a choice of rounds, which has what was
// found and is returned.
func (f *fitter) rehearse(ctx context.Context, p *plan, t *data.Target, job learn.Job, rows []int32,
	state []byte) ([]byte, error) {
	known := &head{}
	if state != nil {
		var err error
		if known, _, err = readHead(state); err != nil {
			return nil, err
		}
	}
	if state != nil && known.Trials == nil {
		if err := p.takeRehearsal(known.Rehearsal); err != nil {
			return nil, err
		}
		return state, p.prepare(ctx, f, t, job)
	}
	if !f.rehearses(job, len(data.Distinct(rows))) {
		return nil, nil
	}
	encoding := p.learner.Categories
	if encoding == CategoriesAuto && slices.ContainsFunc(f.frame.Schema.Fields, categorical) {
		many, err := manyCategories(ctx, encode.InMemory(f.frame), rows)
		if err != nil {
			return nil, err
		}
		if p.learner.Categories = CategoriesNative; many {
			p.learner.Categories = CategoriesTarget
		}
	}
	r, err := f.newRehearsal(ctx, p, t, job, rows)
	if err != nil {
		return nil, err
	}
	if err := p.follow(ctx, r, known); err != nil {
		return nil, err
	}
	if p.rehearsal == nil {
		p.learner.Categories = encoding
	}
	return nil, p.prepare(ctx, f, t, job)
}

// follow carries a rehearsal out, nil = none, from what a checkpoint has of it.
func (p *plan) follow(ctx context.Context, r *rehearsal, known *head) (err error) {
	if r == nil {
		return nil
	}
	if err := r.take(known); err != nil {
		return err
	}
	p.rehearsal, err = r.race.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return &interrupted{nil, ctx.Err()}
	case err != nil && fitting.UnlessStop(err) == nil && p.rehearsal != nil:
		p.stopHere(r)
	case err != nil:
		return &interrupted{nil, err}
	default:
		return p.takeRehearsal(p.rehearsal)
	}
	return nil
}

// stopHere takes the rounds and the rate of the best candidate so far in a rehearsal that the
// observer ended.
func (p *plan) stopHere(r *rehearsal) {
	at := slices.IndexFunc(p.rehearsal.Candidates, func(c report.Candidate) bool { return c.Won })
	p.stopped = true
	p.learner.LearningRate = r.race.Rate
	p.learner.Trees = max(1, r.race.BestRound(at))
}

// foldRate returns the learning rate of some folds, of so many rows in all.
func (p *plan) foldRate(task data.Task, folds, rows int) float64 {
	return rounds.FoldRate(p.learner.LearningRate, p.choosesRate(), task, folds, rows)
}

// choosesRate reports whether training chooses the learning rate, the same for all rounds.
func (p *plan) choosesRate() bool {
	l := p.given
	return l.LearningRate == 0 && l.LearningRateDecay == 1 && l.LearningRates == "" &&
		l.Boosting.Dart == nil && l.Compat == CompatNone
}

// prepare puts the columns in bins that Prepare left to Fit, if the values of the parameters need
// no target statistics.
func (p *plan) prepare(ctx context.Context, f *fitter, t *data.Target, job learn.Job) error {
	if p.rehearsal == nil || len(f.matrix.Columns) > 0 || len(f.frame.Columns) == 0 {
		return nil
	}
	encodes, err := p.learner.encodes(ctx, encode.InMemory(f.frame), f.matrix.Rows)
	if encodes || err != nil {
		return err
	}
	m, err := p.learner.bin(ctx, binning{from: f.frame, rows: f.matrix.Rows, weight: t.Weight,
		ranks: job.Ranks}, job.Workers)
	if err != nil {
		return err
	}
	own := *f
	own.matrix, p.prepared = m, &own
	return nil
}

// choose finds the number of rounds by cross-validation. The folds train on fewer rows than the
// final training, which needs more rounds in proportion. They may learn at a higher rate, which
// needs fewer:
//
//	rounds = best round of the folds x (rows / rows that a fold trains on) x (their rate / rate)
func (f *fitter) choose(ctx context.Context, p *plan, t *data.Target, job learn.Job, rows []int32,
	state []byte) (*report.Choice, error) {
	c := &report.Choice{Rounds: defaultRounds, Rate: p.learner.LearningRate}
	folds := rounds.Folds(p.learner.planned(t), job.Plan, rows, seedOf(job.Seed, purposeFold))
	if folds == nil {
		return c, nil
	}
	of := len(folds)
	folds = folds[:min(of, rounds.MostFolds(p.choosesRate(), t.Task, job.Plan,
		len(data.Distinct(rows))))]
	r, err := f.beginFolds(ctx, p, t, job, folds)
	var label *loss.LabelError
	if errors.As(err, &label) || errors.Is(err, loss.ErrNoWeight) {
		return c, nil // all rows together may be valid
	}
	if err != nil {
		return nil, err
	}
	if len(r.trainings) == 0 {
		return c, nil
	}
	if state != nil {
		if err := r.resume(state); err != nil {
			return nil, err
		}
	}
	fraction := float64(len(folds[0].Train)) / float64(len(rows))
	c.Factor = r.rate / p.learner.LearningRate / fraction
	if r.final, err = f.beginFinal(ctx, p, r, c.Factor); err != nil {
		return nil, err
	}
	if err := r.run(ctx); err != nil {
		m, failed := r.soFar()
		if failed != nil {
			return nil, failed
		}
		return nil, &interrupted{m, err}
	}
	p.stopped, p.final = r.stopped, r.final
	if job.HoldOut != nil {
		for _, b := range r.trainings {
			if err := b.scores.complete(ctx); err != nil {
				return nil, err
			}
		}
		if err := boosting.ReportHoldOut(&job, t, r.valid()...); err != nil {
			return nil, err
		}
	}
	if c.Folds = len(r.trainings); c.Folds < of {
		c.Of = of
	}
	c.Curve = r.Means
	c.Metric, c.Best, c.Value = r.first().Metric, r.Best, r.Value
	if c.Rounds = roundsFor(r.Best, c.Factor); r.rate != c.Rate {
		c.FoldRate = r.rate
	}
	return c, nil
}

// beginFolds makes the trainings of the folds ready for their first round.
func (f *fitter) beginFolds(ctx context.Context, p *plan, t *data.Target, job learn.Job,
	folds []data.Fold) (*roundSearch, error) {
	r := &roundSearch{job: job, target: t, given: p.given, rehearsal: p.rehearsal}
	r.rate = p.foldRate(t.Task, len(folds), len(folds[0].Train)+len(folds[0].Test))
	r.Ranking, r.Classes = t.Task == data.Ranking, t.Task.Classes()
	r.Patience = rounds.Patience(p.learner.EarlyStopping, p.learner.LearningRate, r.rate, r.Ranking)
	for i, fold := range folds {
		if p.learner.Compat == CompatNone && !t.Relevant(fold.Test) {
			continue // metrics of rankings have no value there
		}
		own := plan{learner: p.learner, given: p.given}
		l := &own.learner
		l.Trees, l.EarlyStopping, l.TrainingMetric, l.ValidFraction = rounds.MostRounds, 0, 0, 0
		l.LearningRate = r.rate
		inner := learn.Job{Rows: fold.Train, Valid: fold.Test,
			Seed: seedOf(job.Seed, purposeFold, uint64(i)), Start: job.Start,
			Workers: max(1, parallel.Workers(job.Workers)/len(folds)), Plan: job.Plan.Within(i)}
		if len(folds) == 1 { // several train at the same time, each rank all of them
			inner.Ranks = job.Ranks
		}
		b, err := f.begin(ctx, own, t, inner)
		if err != nil {
			return nil, err
		}
		r.trainings = append(r.trainings, b)
	}
	if r.Folds = len(r.trainings); r.Folds > 0 {
		r.Higher = r.first().Higher
	}
	return r, nil
}

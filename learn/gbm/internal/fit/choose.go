package fit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
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
	SlowRate, FastRate = 0.05, 0.1
	SlowRows           = 100_000
)

// decision is a plan and what its choices were made by.
type decision struct {
	boost.Plan
	given    boost.Config    // before the choices
	prepared *table.Prepared // the table in bins as the plan needs it
	stopped  bool            // the observer ended the choice, and is not called again
	final    *finalTraining  // the training, begun beside the choice; nil: it was not
	begun    *boost.Fold     // the first fold of the choice, which a rehearsal began; nil: none has
	later    laterRates      // of the final training; nil: its rate stays, or was given
	raced    *rehearsal      // that chose the settings, until the folds are begun; nil: none did
}

// decide decides the number of rounds and the learning rate, from the rows of the job if the
// parameters leave that to the data. A state is that of a choice to resume, nil = none.
func decide(ctx context.Context, f *table.Prepared, given boost.Config, t *data.Target,
	job learn.Job, state []byte) (decision, error) {
	p := decision{Plan: boost.Plan{Config: given}, given: given, prepared: f}
	c := &p.Config
	if given.LearningRate == 0 {
		c.LearningRate = FastRate
	}
	rows := job.RowsOf(f.Matrix.Rows)
	n := len(data.Distinct(rows))
	catboost := given.CatBoost()
	if given.LearningRate == 0 && catboost {
		loss, _, err := given.LossOf(t)
		if err != nil {
			return p, err
		}
		valid := len(job.Valid) > 0 || given.ValidFraction > 0
		c.LearningRate = catboostRateOf(loss, valid, n, given.Trees)
	}
	if given.Trees > 0 {
		return p, nil
	}
	if err := p.suitFewRows(t, n); err != nil {
		return p, err
	}
	if given.LearningRate == 0 && !catboost && n <= SlowRows {
		c.LearningRate = SlowRate
	}
	inBlocks := f.Blocks != nil && len(job.Valid) == 0 && given.ValidFraction == 0
	if job.Start != nil && job.Start.State != nil {
		if err := p.takeChoice(job.Start.State); err != nil {
			return p, err
		}
		if inBlocks {
			c.ValidFraction = rounds.HoldOutFraction
		}
		return p, p.prepare(ctx, t, job)
	}
	state, err := p.rehearse(ctx, t, job, rows, state)
	if err != nil || p.stopped {
		return p, err
	}
	switch {
	case inBlocks:
		c.ValidFraction = rounds.HoldOutFraction
		fallthrough
	case len(job.Valid) > 0 || given.ValidFraction > 0:
		if p.Auto, c.Trees = true, rounds.MostRounds; given.EarlyStopping == 0 {
			c.Trees = defaultRounds
		}
		return p, nil
	}
	choice, err := p.choose(ctx, t, job, rows, state)
	if err != nil {
		return p, err
	}
	p.Choice, c.Trees = choice, choice.Rounds
	p.setLater(choice.Later)
	return p, nil
}

// with returns the configuration so far with other settings of what was left to training.
func (p *decision) with(settings []string) (boost.Config, error) {
	c, err := p.Config.User.With(settings)
	if err != nil {
		return c, err
	}
	c.Schedule = p.Config.Schedule
	if c.Categories == table.AutoEncoding {
		c.Categories = p.Config.Categories
	}
	return c, nil
}

// takeChoice takes over the choice of the training that is resumed from a state. Without one its
// validation set chose the number of rounds, and continues to do so.
func (p *decision) takeChoice(state []byte) error {
	c, rehearsal, err := boost.ChoiceOf(state)
	if err != nil {
		return err
	}
	if err := p.takeRehearsal(rehearsal); err != nil {
		return err
	}
	if c == nil {
		p.Auto, p.Config.Trees = true, rounds.MostRounds
		return nil
	}
	p.Choice = c
	p.Config.Trees, p.Config.LearningRate, p.Config.ValidFraction = c.Rounds, c.Rate, 0
	p.setLater(c.Later)
	return nil
}

// takeRehearsal takes over the winner of a rehearsal, nil = there was none.
func (p *decision) takeRehearsal(r *report.Rehearsal) error {
	if p.Rehearsal = r; r == nil {
		return nil
	}
	for _, c := range r.Candidates {
		if c.Won {
			var err error
			p.Config, err = p.with(c.Settings)
			return err
		}
	}
	return boost.ErrState
}

// rehearse compares candidates for what was left to training, if there is any, and takes the best
// one. A state is that of a rehearsal to resume, or that of a choice of rounds, which has what was
// found and is returned.
func (p *decision) rehearse(ctx context.Context, t *data.Target, job learn.Job, rows []int32,
	state []byte) ([]byte, error) {
	known := &searchHead{}
	if state != nil {
		if _, err := boost.ReadHead(state, known); err != nil {
			return nil, err
		}
	}
	if state != nil && known.Trials == nil {
		if err := p.takeRehearsal(known.Rehearsal); err != nil {
			return nil, err
		}
		return state, p.prepare(ctx, t, job)
	}
	if !p.rehearses(job, len(data.Distinct(rows))) {
		return nil, nil
	}
	c := &p.Config
	given := c.Categories
	var err error
	if c.Categories, err = p.prepared.Encoding(ctx, &c.Config, rows); err != nil {
		return nil, err
	}
	r, err := p.newRehearsal(ctx, t, job, rows)
	if err != nil {
		return nil, err
	}
	if err := p.follow(ctx, r, known); err != nil {
		return nil, err
	}
	if p.Rehearsal == nil {
		c.Categories = given
	}
	return nil, p.prepare(ctx, t, job)
}

// follow carries a rehearsal out, nil = none, from what a checkpoint has of it.
func (p *decision) follow(ctx context.Context, r *rehearsal, known *searchHead) (err error) {
	if r == nil {
		return nil
	}
	if err := r.take(known); err != nil {
		return err
	}
	p.Rehearsal, err = r.race.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return &interrupted{nil, ctx.Err()}
	case err != nil && fitting.UnlessStop(err) == nil && p.Rehearsal != nil:
		p.stopHere(r)
	case err != nil:
		return &interrupted{nil, err}
	default:
		if p.Rehearsal != nil && r.whole != nil {
			p.begun = r.whole.begun[strings.Join(p.winner().Settings, " ")]
		}
		if p.Rehearsal != nil {
			p.raced = r
		}
		return p.takeRehearsal(p.Rehearsal)
	}
	return nil
}

// winner returns the candidate that won a rehearsal which was carried out.
func (p *decision) winner() *report.Candidate {
	all := p.Rehearsal.Candidates
	return &all[slices.IndexFunc(all, func(c report.Candidate) bool { return c.Won })]
}

// stopHere takes the rounds and the rate of the best candidate so far in a rehearsal that the
// observer ended.
func (p *decision) stopHere(r *rehearsal) {
	at := slices.IndexFunc(p.Rehearsal.Candidates, func(c report.Candidate) bool { return c.Won })
	p.stopped = true
	p.Config.LearningRate = r.race.Rate
	p.Config.Trees = max(1, r.race.BestRound(at))
}

// foldRate returns the learning rate of some folds, of so many rows in all. Those of wide tables,
// where a tree takes long, have a high one too: on 16 of 100 to 200 rows the final trainings were
// equally good.
func (p *decision) foldRate(task data.Task, folds, rows int) float64 {
	left := p.Config.User.Left().Rate
	rate := rounds.FoldRate(p.Config.LearningRate, left, task, folds, rows)
	if left && table.Wide(rows, len(p.prepared.Frame.Schema.Fields)) {
		return max(rate, FastRate)
	}
	return rate
}

// prepare puts the columns in bins that Prepare left to Fit, if the settings need no target
// statistics.
func (p *decision) prepare(ctx context.Context, t *data.Target, job learn.Job) error {
	f := p.prepared
	if p.Rehearsal == nil {
		return nil
	}
	encodes, err := f.Encodes(ctx, &p.Config.Config)
	if encodes || err != nil {
		return err
	}
	p.prepared, err = f.InBins(ctx, &p.Config.Config, t.Weight, job.Workers)
	return err
}

// choose finds the number of rounds by cross-validation. The folds train on fewer rows than the
// final training, which needs more rounds in proportion. They may learn at a higher rate, which
// needs fewer:
//
//	rounds = best round of the folds x (rows / rows that a fold trains on) x (their rate / rate)
func (p *decision) choose(ctx context.Context, t *data.Target, job learn.Job, rows []int32,
	state []byte) (*report.Choice, error) {
	c := &report.Choice{Rounds: defaultRounds, Rate: p.Config.LearningRate}
	by := p.Config.PlanTarget(t)
	folds := rounds.Folds(by, job.Plan, rows, rng.Seed(job.Seed, boost.PurposeFold))
	if folds == nil {
		return c, nil
	}
	of := len(folds)
	folds = folds[:min(of, rounds.MostFolds(p.Config.User.Left().Rate, by, job.Plan,
		len(data.Distinct(rows))))]
	r, err := p.beginFolds(ctx, t, job, folds)
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
	fraction := rounds.TrainedFraction(by, job.Plan, folds, len(rows))
	c.Factor = r.rate / p.Config.LearningRate / fraction
	if p.rises(t, job, len(data.Distinct(rows))) {
		p.later = rising
	}
	if r.final, err = p.beginFinal(ctx, r, c.Factor); err != nil {
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
	if c.Correction, err = r.corrections(); err != nil {
		return nil, err
	}
	if job.HoldOut != nil || job.Folds != nil {
		for _, b := range r.trainings {
			if err := b.Complete(ctx); err != nil {
				return nil, err
			}
			if set := b.ValidationSet(); c.Temperature > 0 {
				set.Raw = scaled(set.Raw, 1/c.Temperature)
			}
		}
		if err := boosting.ReportHoldOut(&job, t, r.valid()...); err != nil {
			return nil, err
		}
	}
	if c.Folds = len(r.trainings); c.Folds < of {
		c.Of = of
	}
	c.Curve, c.Time = r.Means, job.Plan.KindFor(by) == split.ByTime
	c.Metric, c.Best, c.Value = r.first().Metric, r.Best, r.Value
	if len(r.Means) > 0 && p.followsRule(r, c.Factor) {
		p.Config.LearningRate, c.Rate, c.Factor = r.rate, r.rate, 1/fraction
		p.later = nil
		p.final = nil // it has the slow rate
	}
	c.Rounds = p.later.roundsFor(r.Best, c.Factor)
	if c.Later = p.later.within(c.Rounds); r.rate != c.Rate {
		c.FoldRate = r.rate
	}
	return c, nil
}

// A table follows a rule if the loss of its folds is below such a part of that of the first round,
// and slow steps would take more than so many rounds. What these would gain is in probabilities
// next to 0 and 1.
const (
	ruleLoss   = 0.05
	ruleRounds = 1000
)

// followsRule reports whether the classes of a table follow a rule that the folds have found at
// their high rate. The final training then takes that rate, too: thousands of slow rounds gain
// nothing that counts, and on such tables fast ones end at a lower loss.
func (p *decision) followsRule(r *roundSearch, factor float64) bool {
	return p.Config.User.Left().Rate && r.Classes && !r.Higher && r.rate > p.Config.LearningRate &&
		r.Value < ruleLoss*r.Means[0] && float64(float64(r.Best)*factor) > ruleRounds
}

// beginFolds makes the trainings of the folds ready for their first round.
func (p *decision) beginFolds(ctx context.Context, t *data.Target, job learn.Job,
	folds []split.Fold) (*roundSearch, error) {
	r := &roundSearch{config: &p.Config, job: job, target: t, rehearsal: p.Rehearsal}
	r.rate = p.foldRate(t.Task, len(folds), len(folds[0].Train)+len(folds[0].Test))
	r.Ranking, r.Classes = t.Task == data.Ranking, t.Task.Classes()
	r.Patience = rounds.Patience(p.Config.EarlyStopping, p.Config.LearningRate, r.rate, r.Ranking)
	if p.begun != nil {
		r.trainings = []*boost.Fold{p.begun}
		if job.Plan.KindFor(t) == split.ByTime {
			folds = folds[:1] // the latest times, which are no expanding fold
		}
	}
	for i, fold := range folds {
		if i == 0 && p.begun != nil {
			continue
		}
		if p.Config.Own() && !t.Relevant(fold.Test) {
			continue // metrics of rankings have no value there
		}
		// several train at the same time, each rank all of them
		own := boost.Plan{Config: p.Config, Alone: len(folds) > 1}
		own.Config.StopNowhere(rounds.MostRounds)
		own.Config.LearningRate = r.rate
		if p.raced != nil {
			own.Table = p.raced.madeFor(p.winner().Settings, i, &fold)
		}
		inner := learn.Job{Rows: fold.Train, Valid: fold.Test,
			Seed: rng.Seed(job.Seed, boost.PurposeFold, uint64(i)), Start: job.Start,
			Workers: max(1, parallel.Workers(job.Workers)/len(folds)), Plan: job.Plan.Within(i)}
		b, err := boost.Begin(ctx, p.prepared, own, t, inner)
		if err != nil {
			return nil, err
		}
		r.trainings = append(r.trainings, boost.NewFold(b))
	}
	p.raced = nil
	if r.Folds = len(r.trainings); r.Folds > 0 {
		r.Higher = r.first().Higher
	}
	if r.Folds > 0 {
		left := p.Config.User.Left()
		r.corrected = r.corrects(&left)
	}
	return r, nil
}

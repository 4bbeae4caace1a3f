package rounds

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/parallel"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
)

const (
	// A rehearsal takes large steps, so that it needs a sixth of the rounds. The rate is the same
	// for all candidates: of equal rounds, small steps and small trees always look worse.
	rehearsalRate  = 0.3
	rehearsalStops = 10   // rounds without improvement that end a trial
	mostTrialRound = 1000 // of a trial
	// A candidate may need more rounds than the default, but not more than so many times as many.
	mostTimesRounds = 3
)

// Race compares candidates for what was left to training, on the same folds and with large steps.
// Each trial, which is a candidate on a fold, ends by its own early stopping. Losers are dropped
// early:
//
//	                 fold 0  fold 1  fold 2  fold 3  fold 4
//	default             *       *       *       *       *
//	colsample=1         *       *       *       *       *     ahead after two folds: goes on
//	colsample_node      *       *                             behind the other one of its factor
//	leaves=8            *       *                             behind the default
//	...
//	winners together    *       *       *       *       *     where several factors have a winner
//
// A candidate wins if its mean gain exceeds one standard error. One that is certainly ahead after
// the first folds, see certain, wins by these if the budget does not allow it the others. Several
// of them leave the work of the other folds to their trial together, see strong. Winners of a
// sample of the rows are confirmed on all of them.
//
// The work of all trials is at most what the choice of rounds costs with the default. It is
// counted, so that the winner does not depend on the machine. A trial that reaches its limit ends
// with its best round so far, which can only make a challenger look worse.
type Race struct {
	Folds []split.Fold
	First int     // folds after which losers are dropped
	Rate  float64 // the learning rate of all trials
	Rows  int     // of the table, for the report
	// the candidates that differ from the default in one factor each, by factor
	Challengers [][]*Candidate
	Choice      Choice // what the choice of rounds costs, which limits the work of all trials
	Workers     int
	Ranks       ranks.Group
	Known       []Known // trials of the checkpoint that is resumed

	Train Train
	// Preparation returns what the training of a candidate on a fold has to prepare, and its work,
	// which trials that prepare the same do once.
	Preparation func(settings []string, fold int) (Prepared, float64)
	// Observe is called after trials have ended, with the number of all so far; nil: it is not.
	Observe func(trials int) error
	Sample  *OtherRows // nil: the rows of this race are all there are

	Metric Metric // that candidates are compared by, from the first training that was begun

	budget    float64
	spent     float64 // work of all trials
	tried     []*Candidate
	skipped   []*Candidate // too costly to be tried
	prepared  map[Prepared]bool
	confirmed []report.Confirmation
}

// OtherRows is what a race on a sample of the rows asks of other numbers of them.
type OtherRows struct {
	// Whole makes a race of one fold on the table of which the rows are a sample.
	Whole func(ctx context.Context) (*Race, error)
	// Smaller makes a race of one fold, of SmallerPart of the training rows of the first fold; nil:
	// gains need no forecast for the Final rows of a training on the whole table.
	Smaller func() *Race
	Final   int
}

var unlimited = math.Inf(1)

// Run carries the race out, and returns its report; nil: the default could not be trained. Of a
// race that ends with an error, as one of the observer, the report has the trials so far.
func (r *Race) Run(ctx context.Context) (*report.Rehearsal, error) {
	usual := &Candidate{Weight: 1}
	if err := r.resume(ctx, usual); err != nil {
		return nil, err
	}
	err := r.train(ctx, r.places(usual, 0, r.First, unlimited))
	if usual.failed() || r.Metric.Name == "" {
		return nil, err
	}
	if err != nil {
		return r.Report(usual), err
	}
	r.budget = r.costOfChoice(usual)
	winner := usual
	finalists, err := r.race(ctx, usual)
	if err == nil {
		winner, err = r.confirm(ctx, finalists, usual)
	}
	if err != nil {
		return r.Report(usual), err
	}
	return r.Report(winner), nil
}

// resume begins a training, which finds out whether the trials of a checkpoint are of this table.
func (r *Race) resume(ctx context.Context, usual *Candidate) error {
	if len(r.Known) == 0 {
		return nil
	}
	what, work := r.Preparation(usual.Settings, 0)
	r.prepared = map[Prepared]bool{what: true}
	r.spent += work
	made, err := r.Train(ctx, Config{Settings: usual.Settings, Rate: r.Rate, Rounds: mostTrialRound,
		Workers: parallel.Workers(r.Workers), Begin: true})
	r.Metric = made.Metric
	return err
}

// race returns the candidates that win, the best first, after the default was trained on the first
// folds.
func (r *Race) race(ctx context.Context, usual *Candidate) ([]*Candidate, error) {
	challengers, err := r.screen(ctx, usual)
	if err != nil {
		return nil, err
	}
	leaders := r.leaders(challengers) // the best first
	promising := leaders
	if strong := r.strong(usual, leaders); strong != nil {
		leaders = strong
	} else if len(leaders) > 0 && len(r.Folds) > r.First {
		var places []place
		if leaders, places = r.remaining(usual, leaders); len(leaders) > 0 {
			if err := inTurn(ctx, r, usual, leaders, places); err != nil {
				return nil, err
			}
		}
	}
	leaders = slices.DeleteFunc(slices.Clone(leaders),
		func(c *Candidate) bool { return !r.Metric.beats(c, usual) })
	if leaders, err = r.addCertain(ctx, usual, challengers, leaders); err != nil {
		return nil, err
	}
	r.Metric.bestFirst(leaders, usual)
	if leaders, err = r.Sample.forecast(ctx, r, challengers, leaders); err != nil {
		return nil, err
	}
	if len(leaders) == 0 {
		return refused(r, usual, promising), nil
	}
	return r.join(ctx, usual, leaders)
}

// join tries the settings of leaders together: of all, and, while that promises no gain over the
// best of them alone, without the least one. It returns the leaders with those that win together,
// the best first. If the budget allows no such trial of a sample, the best two together are a
// finalist without one.
func (r *Race) join(ctx context.Context, usual *Candidate,
	leaders []*Candidate) ([]*Candidate, error) {
	all, asked := leaders, false
	for n := len(leaders); n > 1; n-- {
		both, places := r.together(usual, leaders[:n])
		if both == nil {
			continue
		}
		asked = true
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		if !r.Metric.beats(both, usual) {
			continue
		}
		at := slices.IndexFunc(all, func(c *Candidate) bool { return r.Metric.promises(both, c) })
		if at < 0 {
			at = len(all)
		}
		if all = slices.Insert(slices.Clone(all), at, both); at == 0 {
			break
		}
	}
	if !asked && len(leaders) > 1 && r.Sample != nil {
		both := together(leaders[:2])
		both.trials = make([]Trial, len(r.Folds))
		r.tried = append(r.tried, both)
		all = slices.Insert(slices.Clone(all), 0, both)
	}
	return all, nil
}

// atRate returns a number of rounds of the usual rate as one of the rate of all trials, if that is
// lower.
func (r *Race) atRate(rounds int) int {
	return int(math.Ceil(float64(rounds) * max(1, rehearsalRate/r.Rate)))
}

// costOfChoice estimates the work of choosing the number of rounds, after the default was trained
// on the first folds.
func (r *Race) costOfChoice(usual *Candidate) float64 {
	c, one := &r.Choice, 0.0 // one is a training
	for i, t := range usual.trials[:r.First] {
		scale := float64(c.Fraction*float64(c.Rows)) / float64(len(r.Folds[i].Train))
		_, setup := r.Preparation(usual.Settings, i)
		one += float64(scale*(setup+float64(c.Steps*t.Work))) / float64(r.First)
	}
	return c.Folds * one
}

// Rate returns the learning rate of a race's trials, where one may be given; 0 = none is.
func Rate(given float64) float64 { return max(rehearsalRate, given) }

// leaders returns the best challenger of each factor, of those that promise to win, the greatest
// gain first. One that stands behind others of its factor takes longer, and has to promise a gain
// over these, too.
func (r *Race) leaders(challengers []*Candidate) []*Candidate {
	var leaders []*Candidate
	for _, c := range challengers {
		if c.failed() || !r.Metric.promises(c, r.tried[0]) || !c.worth(r, challengers) {
			continue
		}
		at := slices.IndexFunc(leaders, func(l *Candidate) bool { return l.Factor == c.Factor })
		switch {
		case at < 0:
			leaders = append(leaders, c)
		case r.Metric.promises(c, leaders[at]):
			leaders[at] = c
		}
	}
	r.Metric.bestFirst(leaders, r.tried[0])
	return leaders
}

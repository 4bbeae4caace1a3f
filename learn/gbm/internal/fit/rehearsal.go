package fit

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/model"
)

// rehearsal carries out the trainings of a race, which compares candidates for what was left to
// training: see rounds.Race. It has their table and rows, and what checkpoints need.
type rehearsal struct {
	race     *rounds.Race
	prepared *table.Prepared // of the rows of the rehearsal
	decision *decision
	target   *data.Target
	job      learn.Job
	rows     []int32 // prepared ones of the training

	lock   sync.Mutex
	shared map[rounds.Prepared]*sharedTable

	whole *rehearsal // of finalists, on all rows; nil: the rows are all there are
	// the trainings on the first fold of the choice of rounds, by settings, with which that goes
	// on; nil: the choice has other folds
	begun map[string]*boost.Fold

	// of checkpoints: the model without trees and the checksum of the default's first fold
	blank   *model.Ensemble
	sum     uint32
	resumed bool // sum is that of the checkpoint
}

// sharedTable is columns in bins, which the first trial that needs them makes.
type sharedTable struct {
	sync.Mutex
	table *table.Table
}

var errNotFinite = errors.New("the metric is not finite")

// newRace connects a race on some folds with its trainings.
func (r *rehearsal) newRace(folds []split.Fold, first int, rate float64) {
	r.shared = map[rounds.Prepared]*sharedTable{}
	r.race = &rounds.Race{Folds: folds, First: first, Rate: rate, Workers: r.job.Workers,
		Ranks: r.prepared.Env.Ranks, Train: r.train, Preparation: r.preparation}
	if r.job.Observe != nil {
		r.race.Observe = func(trials int) error {
			return r.job.Observe(learn.Round{Stage: "rehearse", N: trials,
				Checkpoint: r.checkpoint})
		}
	}
}

// preparation returns the columns in bins that a training with some settings on a fold needs, and
// the work of their target statistics.
func (r *rehearsal) preparation(settings []string, fold int) (rounds.Prepared, float64) {
	c, err := r.decision.with(settings)
	if err != nil {
		return rounds.Prepared{}, 0 // its trial reports the error
	}
	return rounds.Prepared{Encoding: c.Categories.String(), Fold: fold},
		c.StatisticsWork(r.prepared.Frame, len(r.race.Folds[fold].Train), r.target)
}

// begin makes the training of a configuration ready for its first round.
func (r *rehearsal) begin(ctx context.Context, c *rounds.Config) (*boost.Training, error) {
	config, err := r.decision.with(c.Settings)
	if err != nil {
		return nil, err
	}
	own, purpose := boost.Plan{Config: config, Alone: true}, uint64(boost.PurposeRehearsal)
	own.OrdersOf = rng.Seed(r.job.Seed, boost.PurposeFold, uint64(c.Fold)) // see madeFor
	own.Config.StopNowhere(c.Rounds)
	if r.begun != nil {
		own.Config.StopNowhere(rounds.MostRounds)
		purpose = boost.PurposeFold
	}
	own.Config.LearningRate, own.Config.Starts, own.Config.Decay = c.Rate, nil, 1
	fold := &r.race.Folds[c.Fold]
	job := learn.Job{Rows: fold.Train, Valid: fold.Test,
		Seed: rng.Seed(r.job.Seed, purpose, uint64(c.Fold)), Workers: c.Workers,
		Plan: r.job.Plan.Within(c.Fold)}
	of := r.tableOf(c)
	of.Lock()
	own.Table = of.table
	if of.table != nil {
		of.Unlock()
		return boost.Begin(ctx, r.prepared, own, r.target, job)
	}
	defer of.Unlock()
	b, err := boost.Begin(ctx, r.prepared, own, r.target, job)
	if err == nil {
		of.table = b.SharedTable()
	}
	return b, err
}

// tableOf returns the columns that a configuration has in common with others.
func (r *rehearsal) tableOf(c *rounds.Config) *sharedTable {
	what, _ := r.preparation(c.Settings, c.Fold)
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.shared[what] == nil {
		r.shared[what] = &sharedTable{}
	}
	return r.shared[what]
}

// madeFor returns the columns in bins that a trial made for the winner on a fold of the choice of
// rounds; nil: no trial here had these rows and target statistics. Trials have the orders of rows
// that the choice has, so that it goes the same way with them and without.
func (r *rehearsal) madeFor(winner []string, i int, fold *split.Fold) *table.Table {
	if r == nil || r.prepared.Frame != r.decision.prepared.Frame || i >= len(r.race.Folds) {
		return nil
	}
	own := &r.race.Folds[i]
	if !slices.Equal(own.Train, fold.Train) || !slices.Equal(own.Test, fold.Test) {
		return nil
	}
	of := r.tableOf(&rounds.Config{Settings: winner, Fold: i})
	if of.table == nil || len(of.table.Inputs.Columns) == 0 {
		return nil
	}
	return of.table
}

// train implements rounds.Train: it trains until the metric on the other rows does not improve, or
// until the work reaches the limit.
func (r *rehearsal) train(ctx context.Context, c rounds.Config) (rounds.Curve, error) {
	var t rounds.Curve
	b, err := r.begin(ctx, &c)
	if err != nil {
		return t, err
	}
	first := b.FirstCurve()
	t.Metric = rounds.Metric{Name: first.Metric, Higher: first.Higher}
	if len(c.Settings) == 0 && c.Fold == 0 {
		if err := r.refer(b); err != nil {
			return t, err
		}
	}
	if c.Begin {
		return t, nil
	}
	f := boost.NewFold(b)
	smooth := r.target.Task != data.Ranking
	var raw []float64 // of the best round
	for t.Rounds < c.Rounds && !b.Exhausted() {
		if t.Rounds > 0 && f.Work() >= c.Limit {
			t.Cut = true
			break
		}
		v, err := f.Round(ctx, t.Rounds+1)
		if err != nil {
			return t, err
		}
		t.Rounds++
		if t.Best == 0 || t.Metric.Higher && v > t.Value || !t.Metric.Higher && v < t.Value {
			t.Best, t.Value = t.Rounds, v
			raw = append(raw[:0], b.ValidationSet().Raw...)
		}
		if c.Behind(&t, f.Work(), func() []float64 { return f.BlockValues(raw) }) {
			break
		}
		if t.Rounds-t.Best >= c.Patience || smooth && c.HasRisen(&t, v) ||
			boosting.Flat(first.Values, c.Patience, 1, r.target.Task.Classes()) {
			break
		}
	}
	t.Work = f.Work()
	if r.begun != nil {
		r.lock.Lock()
		r.begun[strings.Join(c.Settings, " ")] = f
		r.lock.Unlock()
	}
	if t.Value-t.Value != 0 {
		return t, errNotFinite
	}
	if raw != nil {
		t.Blocks = f.BlockValues(raw)
	}
	return t, nil
}

// refer takes what checkpoints have of a training of the default. The trials of a checkpoint that
// is resumed must be of this table.
func (r *rehearsal) refer(b *boost.Training) (err error) {
	sum := b.Checksum()
	if r.resumed && sum != r.sum {
		return boost.ErrOtherData
	}
	r.sum = sum
	r.blank, err = b.BlankModel()
	return err
}

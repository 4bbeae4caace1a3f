package portfolio

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
)

// unit is a training of one configuration without one fold.
type unit struct {
	over   bool // there is no time for the configuration, or there are no more
	params []byte
	model  model.Model
	values []float64 // of the fold's test rows
	took   time.Duration
	err    error
}

// errOver ends the search.
var errOver = errors.New("the budget is spent")

// Tables of up to so many rows are trained on by several units side by side, each with one worker;
// larger ones one after the other, each with all workers, since each unit holds a copy.
const sideBySideRows = 100_000

// try trains configurations on the folds until the budget is spent. The units are kept in order, so
// a number of configurations gives the same for any number of workers.
//
//	unit            0 1 2 3 4 | 5 6 7 8 9 | ...
//	configuration   0         | 1         | ...
//	fold            0 1 2 3 4 | 0 1 2 3 4 | ...
func (j *job) try(ctx context.Context) error {
	k, n := len(j.folds), math.MaxInt
	if j.budget.Count > 0 {
		n = j.budget.Count * k
	}
	at := j.workers
	if len(j.Rows) > sideBySideRows {
		at = 1
	}
	each := max(1, j.workers/min(at, n))
	j.pace.sideBySide = min(at, n)
	err := parallel.InOrder(ctx, n, at,
		func(ctx context.Context, i int) (unit, error) {
			c, ok := j.list.at(i / k)
			if !ok || i >= k && j.late(outside.Since(j.start)) {
				return unit{over: true}, nil
			}
			own := ctx
			if i >= k && j.budget.Time > 0 { // the first configuration is trained in any case
				var cancel context.CancelFunc
				own, cancel = outside.WithTimeout(ctx, j.timeToSearch()+overtime(j.budget.Time)-outside.Since(j.start), nil)
				defer cancel()
			}
			begun := outside.Now()
			u := j.unit(own, i/k, &c, i%k, each)
			if own.Err() != nil && ctx.Err() == nil {
				return unit{over: true}, nil
			}
			u.took = outside.Since(begun)
			return u, ctx.Err()
		},
		func(i int, u unit) error {
			if u.over {
				return errOver
			}
			return j.keep(i/k, i%k, u, n, outside.Since(j.start))
		})
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// unit trains a configuration without a fold.
func (j *job) unit(ctx context.Context, number int, c *configuration, fold, workers int) unit {
	l, err := c.learner()
	if err == nil && number == 0 {
		err = l.Params().Set(j.chosen)
	}
	if err != nil {
		return unit{err: err}
	}
	u := unit{}
	if u.params, u.err = l.Params().MarshalJSON(); u.err != nil {
		return u
	}
	f := j.folds[fold]
	own := learn.Job{Rows: f.Train, Plan: j.inner(fold),
		Seed: rng.Seed(j.Seed, forFold, uint64(fold)), Workers: workers}
	if l.Capabilities().ChoosesRounds {
		own.Valid = f.Test
	}
	if u.model, u.err = j.fit(ctx, l, own); u.err != nil {
		return u
	}
	if len(u.model.Spec().Quantiles) > 0 {
		u.err = errors.New("quantiles cannot be combined by their mean: train the learner alone")
		return u
	}
	_, u.values, u.err = fitting.PredictRows(u.model, j.frame, data.Distinct(f.Test),
		model.Response, workers)
	return u
}

// keep enters a unit, and its configuration with the last one. A configuration that fails is left
// out, unless it is the first one, which is what the caller gave.
func (j *job) keep(number, fold int, u unit, n int, spent time.Duration) error {
	if fold == 0 {
		c, _ := j.list.at(number)
		j.partial = &tried{number: number, configuration: c, params: u.params,
			x: make([]float64, len(j.tested))}
	}
	t := j.partial
	t.took += u.took
	if u.err != nil {
		if number == 0 {
			return t.failed(u.err)
		}
		t.err = u.err
	} else {
		t.models = append(t.models, u.model)
		j.risk = model.Hazards(u.model)
		j.enter(t, fold, u.values)
	}
	if fold == len(j.folds)-1 {
		if err := j.complete(t); err != nil {
			return err
		}
	}
	if j.Observe == nil {
		return nil
	}
	round := learn.Round{Stage: "configurations", N: number*len(j.folds) + fold + 1, Of: n}
	if limit := j.budget.Time; limit > 0 {
		round.N, round.Of = int(min(spent, limit)/time.Second), int(limit/time.Second)
	}
	if best := j.best(); best != nil && !math.IsInf(best.loss, 0) {
		round.Metrics = []learn.Metric{{Set: "best", Name: j.metric(), Value: best.shown(j)}}
	}
	return j.Observe(round)
}

// enter notes what selection needs of the predictions of a fold's test rows.
func (j *job) enter(t *tried, fold int, values []float64) {
	rows := data.Distinct(j.folds[fold].Test)
	width := len(values) / max(1, len(rows))
	if j.HoldOut != nil && t.all == nil {
		t.all = &learn.HoldOut{Rows: j.tested, Width: width,
			Values: make([]float64, width*len(j.tested))}
	}
	for i, row := range rows {
		if t.all != nil {
			copy(t.all.Values[int(j.at[row])*width:], values[i*width:(i+1)*width])
		}
		v := values[i*width]
		if j.target.Task.Classes() {
			v = values[i*width+int(j.target.Class[row])]
		}
		t.x[j.at[row]] = v
	}
}

// complete appends a configuration that was tried on all folds, and hands out its predictions.
func (j *job) complete(t *tried) error {
	j.tried = append(j.tried, t)
	j.pace.add(t, len(j.folds))
	if t.err != nil {
		t.models, t.x = nil, nil
		return nil
	}
	if all := t.all; all != nil {
		t.all = nil
		what := fmt.Sprintf("configuration %d, member %s", t.number, t.member.name)
		if err := j.HoldOut(what, all); err != nil {
			return err
		}
	}
	t.loss = j.pool([]*tried{t}, nil).loss(t.x, nil, 1)
	if j.refit {
		t.models = nil // they are trained again
	}
	j.prune()
	return nil
}

// mostKept is the number of configurations whose models and predictions are kept.
const mostKept = 24

// prune drops the least of too many configurations: that of the largest loss among those that are
// selected least often. The first one stays.
func (j *job) prune() {
	var kept []*tried
	for _, t := range j.tried {
		if t.x != nil {
			kept = append(kept, t)
		}
	}
	if len(kept) <= mostKept {
		return
	}
	j.choose(kept)
	least := kept[1]
	for _, t := range kept[2:] {
		if t.weight < least.weight || t.weight == least.weight && t.loss >= least.loss {
			least = t
		}
	}
	least.models, least.x, least.weight = nil, nil, 0
}

// best returns the configuration of the least loss, nil if none was tried on all folds.
func (j *job) best() *tried {
	var best *tried
	for _, t := range j.tried {
		if t.err == nil && (best == nil || t.loss < best.loss) {
			best = t
		}
	}
	return best
}

package portfolio

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// The purposes of random streams beside forConfiguration. They never change, because the same seed
// must give the same bytes.
const (
	forPlan  = 2 // assignment of rows to folds
	forFold  = 3 // the seeds of what is trained without a fold; the same for all configurations
	forRefit = 4 // the seeds of what is trained on all rows
)

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target  *data.Target
	counted training.Trained // the rows of the job, those of weight 0 too
	start   time.Time
	workers int
	list    *configurations
	pace    pace
	holdOut
	tried []*tried // with the models of those that are kept, in order
	// of the configuration that is being tried: the models of its folds so far
	partial *tried
	risk    bool // of survival: models predict hazards

	first      model.Model // the first configuration, trained on all rows; nil: it is not
	chosen     []string    // settings that its training chose, by which the folds repeat it
	comparison *Comparison // of the ensemble with it
}

// tried is a configuration with what was found of it.
type tried struct {
	number int
	configuration
	params []byte
	models []model.Model  // one for each fold; nil: dropped, see prune
	x      []float64      // by hold-out row: probability of its class, or number; nil: dropped
	all    *learn.HoldOut // the same with all classes; nil: nobody wants them
	loss   float64
	took   time.Duration // of its units, which may have run side by side
	weight int           // how often it was selected
	// models is one that was trained on all rows, in place of the models of the folds
	allRows bool
	err     error
}

// Fit tries configurations and combines the best. On a cancelled context it returns the ensemble of
// those that were tried so far, if there is one; where the observer returns learn.Stop, too.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	if t.Class == nil && len(t.Y) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, fmt.Errorf("%s predicts one number, the label has %d", Name, len(t.Y))
	}
	if err := given.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows := given.Weighty(t, f.rows)
	able, err := f.able(ctx, t, rows)
	if err != nil {
		return nil, err
	}
	j := &job{fitter: able, Job: given, start: outside.Now(), target: t, workers: parallel.Workers(given.Workers)}
	j.counted = training.TrainedOn(t, given.RowsOf(f.rows))
	j.Rows, j.Valid = rows, t.WithWeight(given.Valid)
	j.list = able.configurations(t, len(j.Rows), j.Seed)
	if j.holdOut, err = able.split(t, &j.Job); err != nil {
		return nil, err
	}
	if len(j.folds) == 0 {
		return j.single(ctx)
	}
	if err := j.trainFirst(ctx, given.Plan); err != nil {
		return nil, err
	}
	ended := j.try(ctx)
	if len(j.tried) == 0 && ended != nil {
		if j.partial == nil || !errors.Is(ended, learn.Stop) {
			return nil, ended
		}
		j.tried = []*tried{j.partial}
	}
	j.guard(j.choose(j.tried))
	if j.first != nil {
		j.tried[0].models, j.tried[0].allRows = []model.Model{j.first}, true
	}
	if j.refit && ended == nil {
		if ended = j.train(ctx); ended != nil && fitting.UnlessStop(ended) != nil {
			return nil, ended
		}
	}
	if j.refit && ended != nil { // the others have no models
		for _, t := range j.tried[1:] {
			t.weight = 0
		}
	}
	m, err := j.model()
	if err != nil {
		return nil, err
	}
	return m, fitting.UnlessStop(ended)
}

// able returns the fitter with those of its members that support the task; a *learn.TaskError if
// none does.
func (f *fitter) able(ctx context.Context, t *data.Target, rows []int32) (*fitter, error) {
	if len(rows) == 0 {
		return f, nil // the first member refuses them
	}
	own := *f
	own.members = nil
	for i := range f.members {
		if learn.CheckTaskUnprepared(ctx, f.members[i].given, f.frame, t, rows[0], f.env) == nil {
			own.members = append(own.members, f.members[i])
		}
	}
	if len(own.members) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	return &own, nil
}

// single trains the first configuration on all rows, where none can be held out.
func (j *job) single(ctx context.Context) (model.Model, error) {
	c, _ := j.list.at(0)
	first := &tried{configuration: c, weight: 1}
	l, err := c.learner()
	if err == nil {
		first.params, err = l.Params().MarshalJSON()
	}
	if err != nil {
		return nil, c.failed(err)
	}
	m, err := j.fit(ctx, l, learn.Job{Rows: j.Rows, Plan: j.Plan.Within(-1),
		Seed: rng.Seed(j.Seed, forRefit, 0), Workers: j.workers})
	if err != nil {
		return nil, c.failed(err)
	}
	first.models = []model.Model{m}
	j.tried = []*tried{first}
	return j.model()
}

// fit prepares and trains a learner on the rows of a job, which choose its columns of texts.
func (j *job) fit(ctx context.Context, l learn.Learner, own learn.Job) (model.Model, error) {
	env := j.env
	env.Workers = own.Workers
	return env.Train(ctx, l, &data.Dataset{Frame: j.frame, Target: *j.target}, own)
}

// trainFirst trains the first configuration on all rows, as it would be without a portfolio. What
// its training chose is the configuration on the folds, too, which have fewer rows to choose by.
//
// It is not done where the models of the folds are to predict, and where a validation set is the
// only fold: the model of that is the same.
func (j *job) trainFirst(ctx context.Context, plan *split.Plan) error {
	if len(j.Valid) > 0 || j.learner.Final == FinalFolds {
		return nil
	}
	c, _ := j.list.at(0)
	l, err := c.learner()
	if err == nil {
		j.first, err = j.fit(ctx, l, learn.Job{Rows: j.Rows, Plan: plan, Seed: j.Seed,
			Workers: j.workers})
	}
	if err != nil {
		return c.failed(err)
	}
	if chosen := l.Capabilities().Chosen; chosen != nil {
		j.chosen, err = chosen(j.first)
	}
	return c.failed(err)
}

// train trains the other selected configurations on all rows. Where the observer stops it, the
// first one alone predicts.
func (j *job) train(ctx context.Context) error {
	selected := slices.DeleteFunc(slices.Clone(j.tried),
		func(t *tried) bool { return t.weight == 0 || t.allRows })
	models := make([]model.Model, len(selected))
	for i, t := range selected {
		l, err := t.learner()
		if err == nil {
			models[i], err = j.fit(ctx, l, learn.Job{Rows: j.Rows, Plan: j.inner(-1),
				Seed: rng.Seed(j.Seed, forRefit, uint64(t.number)), Workers: j.workers})
		}
		if err != nil {
			return t.failed(err)
		}
		if j.Observe == nil {
			continue
		}
		err = j.Observe(learn.Round{Stage: "train the selected", N: i + 1, Of: len(selected)})
		if err != nil {
			return err
		}
	}
	for i, t := range selected {
		t.models = models[i : i+1]
	}
	return nil
}

// failed adds the member's name to an error.
func (c *configuration) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("member %s: %w", c.member.name, err)
}

package stack

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// The purposes of random streams, whose paths end with the number of the member. They never change,
// because the same seed must give the same bytes.
const (
	forPlan        = 1 // assignment of rows to folds
	forFolds       = 2 // the seeds of what is trained without the rows of a fold
	forMember      = 3 // the seeds of the members of the model
	forMetaLearner = 4
)

// job is one Fit on its way.
type job struct {
	*fitter
	learn.Job
	target    *data.Target
	counted   training.Trained // the rows of the job, those of weight 0 too
	workers   int
	plan      *split.Plan  // what keeps rows together or in order; nil = the target's own
	folds     []split.Fold // of the cross-validation; one of a blend
	requested int          // folds of the parameter, where there are fewer; else 0
	refit     bool         // members are trained again, on all rows
	// rows that the meta-learner is trained on, with multiplicity; nil: no row can be held out
	holdOutRows []int32
	predicted   []*learn.HoldOut // by member, what the meta-learner learns from
	// by member, the same rows as probabilities or numbers; the entries of predicted where the
	// meta-learner learns from these
	responses []*learn.HoldOut
	models    []model.Model
	done      int // units of work that the observer was called after
}

// Fit trains members and meta-learner. On a cancelled context there is no model. Where the observer
// returns learn.Stop during the cross-validation, the meta-learner is not trained, and all members
// have the same weight. While members are trained, the model consists of those that are.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	if t.Task != data.Regression && !t.Task.Classes() || t.Class == nil && len(t.Y) == 0 {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, fmt.Errorf("%s predicts one number, the label has %d", Name, len(t.Y))
	}
	if err := given.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	j := &job{fitter: f, Job: given, target: t, workers: parallel.Workers(given.Workers)}
	j.counted = training.TrainedOn(t, given.RowsOf(f.rows))
	j.Rows, j.Valid = given.Weighty(t, f.rows), t.WithWeight(given.Valid)
	if err := j.check(ctx); err != nil {
		return nil, err
	}
	if err := j.split(); err != nil {
		return nil, err
	}
	if err := j.predictHoldOut(ctx); errors.Is(err, learn.Stop) {
		j.folds, j.holdOutRows, j.predicted, j.responses, j.Observe = nil, nil, nil, nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := j.train(ctx); errors.Is(err, learn.Stop) {
		j.only(len(j.models))
	} else if err != nil {
		return nil, err
	}
	if err := j.report(); err != nil {
		return nil, err
	}
	return j.model(ctx)
}

// check returns an error if a member or the meta-learner does not support the task, before any is
// trained. The meta-learner is tried on a row of the table, because its own columns do not exist
// yet; errors about columns are ignored.
func (j *job) check(ctx context.Context) error {
	if j.metaLearner == nil && j.ridge.powers() && !j.target.Task.Classes() {
		return fmt.Errorf("meta_learner.pool=%s pools class probabilities, and the label is one "+
			"of %s: use meta_learner.pool=linear", j.ridge.Pool, j.target.Task)
	}
	for i := range j.members {
		m := &j.members[i]
		if err := m.failed(learn.CheckTask(m.whole, j.target, j.Rows)); err != nil {
			return err
		}
	}
	if j.metaLearner == nil || len(j.Rows) == 0 {
		return nil
	}
	if err := learn.CheckTaskUnprepared(ctx, j.metaLearner, j.frame, j.target, j.Rows[0],
		j.env); err != nil {
		return fmt.Errorf("meta-learner: %w", err)
	}
	return nil
}

// split assigns the rows to folds.
func (j *job) split() error {
	l, seed := &j.learner, rng.New(j.Seed, forPlan).Uint64()
	j.plan, j.refit = j.Plan, true
	switch l.Plan {
	case PlanNaive:
		j.holdOutRows, j.refit = j.Rows, false
		return nil
	case PlanBlend:
		return j.blend(seed)
	case PlanAuto:
	default:
		j.plan = &split.Plan{}
		if err := j.plan.Kind.UnmarshalText([]byte(l.Plan.String())); err != nil {
			return err
		}
	}
	given := j.plan
	plan := given.For(j.target, j.Rows, l.Folds, seed)
	if plan == nil {
		return nil
	}
	folds, err := plan.Folds(j.target, j.Rows)
	if err != nil {
		return fmt.Errorf("plan=%s: %w", l.Plan, err)
	}
	j.plan, j.folds, j.requested = plan, folds, given.Short(plan, l.Folds)
	for _, fold := range folds {
		j.holdOutRows = append(j.holdOutRows, fold.Test...)
	}
	return nil
}

// blend makes the hold-out set: the validation set, or a fraction of the rows. One row, group or
// time alone leaves it empty.
func (j *job) blend(seed uint64) error {
	if len(j.Valid) > 0 {
		j.folds, j.holdOutRows, j.refit = []split.Fold{{Train: j.Rows, Test: j.Valid}}, j.Valid,
			false
		return nil
	}
	once := j.Plan.HoldOutFor(j.target, seed, j.learner.Blend)
	train, holdOutRows, _, err := once.Sets(j.target, j.Rows)
	var few *split.TooFewError
	switch {
	case errors.As(err, &few):
		return nil
	case err != nil:
		return fmt.Errorf("plan=blend: %w", err)
	}
	j.folds, j.holdOutRows = []split.Fold{{Train: train, Test: holdOutRows}}, holdOutRows
	return nil
}

// predictHoldOut computes the out-of-fold predictions of all members.
func (j *job) predictHoldOut(ctx context.Context) error {
	if len(j.folds) == 0 || !j.refit {
		return nil
	}
	for i := range j.members {
		m := &j.members[i]
		own := learn.Job{Plan: j.plan, Seed: rng.New(j.Seed, forFolds, uint64(i)).Uint64(),
			Workers: j.workers,
			Observe: func(learn.Round) error { return j.unit("hold rows back") }}
		if j.learner.Plan != PlanBlend {
			own.Valid = j.Valid
		}
		predicted, err := fitting.OutOfFold(ctx, m.Learner, m.frame, j.target, j.folds, own, j.env,
			j.outputs()...)
		if err != nil {
			return m.failed(err)
		}
		j.keep(predicted)
	}
	return nil
}

// outputs returns what members predict of held-out rows: what the meta-learner learns from, and the
// response.
func (j *job) outputs() []model.Output {
	if j.learner.Outputs == model.Response {
		return []model.Output{j.learner.Outputs}
	}
	return []model.Output{j.learner.Outputs, model.Response}
}

// keep appends the predictions of a member by outputs.
func (j *job) keep(predicted []*learn.HoldOut) {
	j.predicted = append(j.predicted, predicted[0])
	j.responses = append(j.responses, predicted[len(predicted)-1])
}

// train trains the members of the model, on all rows. If the meta-learner is trained on their own
// training rows, or on the validation set, they predict these now.
func (j *job) train(ctx context.Context) error {
	for i := range j.members {
		m := &j.members[i]
		own := learn.Job{Rows: j.Rows, Valid: j.Valid, Plan: j.plan.Within(-1),
			Seed: rng.New(j.Seed, forMember, uint64(i)).Uint64(), Workers: j.workers}
		if j.learner.Plan == PlanBlend {
			own.Valid = nil // it teaches the meta-learner
		}
		fitted, err := m.whole.Fit(ctx, j.target, own)
		if err != nil {
			return m.failed(err)
		}
		j.models = append(j.models, fitted)
		if j.holdOutRows != nil && !j.refit {
			predicted := make([]*learn.HoldOut, len(j.outputs()))
			for k, output := range j.outputs() {
				predicted[k] = &learn.HoldOut{Rows: data.Distinct(j.holdOutRows)}
				if predicted[k].Width, predicted[k].Values,
					err = fitting.PredictRows(fitted, m.frame, predicted[k].Rows, output,
					j.workers); err != nil {
					return m.failed(err)
				}
			}
			j.keep(predicted)
		}
		if err := j.unit("train members"); err != nil {
			return err
		}
	}
	return nil
}

// only leaves out all but the first n members.
func (j *job) only(n int) {
	own := *j.fitter // others fit with it, too
	own.members = own.members[:n]
	j.fitter = &own
	if j.predicted != nil {
		j.predicted, j.responses = j.predicted[:n], j.responses[:n]
	}
}

// unit calls the observer after a unit of work.
func (j *job) unit(stage string) error {
	j.done++
	if j.Observe == nil {
		return nil
	}
	of := len(j.members)
	if j.refit {
		of += len(j.members) * len(j.folds)
	}
	return j.Observe(learn.Round{Stage: stage, N: j.done, Of: of})
}

// report hands out what the meta-learner learns from, as responses.
func (j *job) report() error {
	if j.HoldOut == nil {
		return nil
	}
	for i, response := range j.responses {
		if err := j.HoldOut("member "+j.members[i].Name, response); err != nil {
			return err
		}
	}
	return nil
}

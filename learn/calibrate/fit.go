package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found, as JSON in the model's Spec.
type Summary struct {
	Base string `json:"base"` // name of the learner that was calibrated
	training.Trained
	HoldOut int `json:"hold_out"` // distinct rows with out-of-fold predictions
	// 0 = there was no cross-validation, and probabilities are the base's
	Folds int `json:"folds"`
	// how many folds were requested, where there are too few rows, groups or times for them
	Requested int    `json:"folds_requested,omitempty"`
	Why       string `json:"why,omitempty"` // there was no cross-validation
	// of the out-of-fold probabilities
	Before *Losses `json:"before"`
	// of the same rows after calibration; the calibrators were fitted to these rows
	After *Losses `json:"after"`

	ThresholdFor string `json:"threshold_for,omitempty"`
	// its value on the out-of-fold predictions
	ThresholdValue *float64 `json:"threshold_value,omitempty"`
}

// Check implements learn.Summary.
func (s *Summary) Check(m model.Model) error {
	var c training.Checks
	c.Require(s.ThresholdValue == nil || len(m.Spec().Classes) == 2, "threshold_value",
		"the model has %d classes", len(m.Spec().Classes))
	return c.Err()
}

// Fit fits the base without each fold in turn and to all rows, fits the calibrators to the
// out-of-fold predictions, and chooses the threshold by the calibrated ones. Rows count by weight
// and multiplicity. Probabilities are not calibrated where there are too few rows for folds, where
// all rows are of one class, or where the observer returns learn.Stop during the folds. If the
// context is cancelled while the base is fitted to all rows, or the observer returns an error, the
// model of the base so far is returned too.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if !t.Task.Classes() || t.Class == nil {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task,
			Advice: "only classifiers have probabilities to calibrate, thresholds and costs: " +
				"leave these out"}
	}
	if err := job.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	costs, err := f.learner.Costs.Of(t)
	if err != nil {
		return nil, err
	}
	if f.learner.ThresholdFor != AimNone && len(t.Classes) != 2 {
		return nil, fmt.Errorf("threshold_for: a threshold separates two classes, the label %q "+
			"has %d: use costs", t.Name, len(t.Classes))
	}
	method := f.learner.Method
	job.OutOfBag, job.Unseen, job.Start, job.Fitted = nil, nil, nil, nil
	all := f.frame.Chosen(job.RowsOf(f.rows))
	found := &Summary{Base: f.learner.Base.Name, Trained: training.TrainedOn(t, all)}
	job.Rows, job.Valid = t.WithWeight(all), t.WithWeight(job.Valid)
	h, err := f.predictHoldOut(ctx, t, job, found)
	if err != nil {
		return nil, err
	}
	if found.Why == whyStopped {
		job.Observe = nil
	}
	base, ended := f.whole.Fit(ctx, t, job)
	if base == nil {
		return nil, ended
	}
	c := &committee.Calibrated{Base: base, Meta: model.NewSpec(Name, f.frame.Schema, t)}
	c.Meta.Decision.Costs = base.Spec().Decision.Costs
	if costs != nil {
		c.Meta.Decision.Costs = costs
	}
	if h != nil {
		found.Before = h.losses()
		c.Method, c.Calibrators = method, h.calibrators(method)
		h.apply(c)
		found.After = h.losses()
		f.decide(c, h, found)
	}
	m, err := fitting.Model(c, f.learner.Params(), found)
	if err != nil {
		return nil, err
	}
	return m, ended
}

// whyStopped is Summary.Why of a training whose observer returned learn.Stop before all folds were
// there.
const whyStopped = "the training was stopped before all folds were predicted"

// decide chooses the threshold.
func (f *fitter) decide(c *committee.Calibrated, h *holdOut, found *Summary) {
	if f.learner.ThresholdFor == AimNone {
		return
	}
	aim := f.learner.ThresholdFor
	positive, total, costs := c.Meta.Positive(), 0.0, c.Meta.Decision.Costs
	for _, w := range h.weight {
		total += w
	}
	if positive == 0 && costs != nil {
		costs = data.Costs{{costs[1][1], costs[1][0]}, {costs[0][1], costs[0][0]}}
	}
	probabilities, is := h.against(positive)
	at, value := bestThreshold(aim, probabilities, is, h.weight, costs)
	if c.Meta.Decision.Threshold = at; aim == AimCost {
		value = -value / total // the mean cost
	}
	found.ThresholdFor, found.ThresholdValue = aim.String(), &value
}

// predictHoldOut predicts rows by models of the base that were not trained on them. It returns nil
// where that is impossible.
func (f *fitter) predictHoldOut(ctx context.Context, t *data.Target, job learn.Job,
	found *Summary) (*holdOut, error) {
	rows := job.Rows
	several, times := false, make(map[int32]int, len(rows))
	for _, r := range rows {
		several = several || t.Class[r] != t.Class[rows[0]]
		times[r]++
	}
	if !several {
		found.Why = "all rows are of one class"
		return nil, nil
	}
	plan := job.Plan.For(t, rows, f.learner.Folds, job.Seed)
	if plan == nil {
		found.Why = "there are too few rows for two folds"
		return nil, nil
	}
	found.Requested = job.Plan.Short(plan, f.learner.Folds)
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil, err
	}
	job.Plan = plan
	all, err := fitting.OutOfFold(ctx, f.base, f.frame, t, folds, job, f.env, model.Response)
	if errors.Is(err, learn.Stop) {
		found.Why = whyStopped
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := all[0]
	h := &holdOut{classes: len(t.Classes), probabilities: out.Values,
		class: make([]uint32, len(out.Rows)), weight: make([]float64, len(out.Rows))}
	if out.Width != h.classes {
		return nil, fmt.Errorf("%s predicts %d values for %d classes", f.learner.Base.Name,
			out.Width, h.classes)
	}
	if job.HoldOut != nil {
		predicted := *out
		predicted.Values = slices.Clone(out.Values) // those of h will be calibrated in place
		if err := job.HoldOut("calibration", &predicted); err != nil {
			return nil, err
		}
	}
	total := 0.0
	for i, r := range out.Rows {
		h.class[i], h.weight[i] = t.Class[r], t.WeightAt(r)*float64(times[r])
		total += h.weight[i]
	}
	if total == 0 {
		found.Why = "the rows of the folds have no weight"
		return nil, nil
	}
	found.HoldOut, found.Folds = len(out.Rows), len(folds)
	return h, nil
}

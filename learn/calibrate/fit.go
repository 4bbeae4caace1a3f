package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outoffold"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/calibrated"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	Base string `json:"base"` // name of the learner that was calibrated
	training.Trained
	HoldOut int `json:"hold_out"` // distinct rows that were held back
	// 0 = nothing was held back: the shares are the base's
	Folds int `json:"folds"`
	// where there are rows, groups or times for fewer folds: how many they were to be
	Requested int    `json:"folds_requested,omitempty"`
	Why       string `json:"why,omitempty"` // nothing was
	// of the rows held back, by the base's shares
	Before *Losses `json:"before"`
	// of the same rows, by the calibrated shares: the curves were fitted to them
	After *Losses `json:"after"`

	ThresholdFor string `json:"thresholdFor,omitempty"`
	// what it reaches on the rows held back
	ThresholdValue *float64 `json:"thresholdValue,omitempty"`
}

// Check implements learn.Summary.
func (s *Summary) Check(m model.Model) error {
	var c training.Checks
	c.Rows(s.Trained)
	c.Name("base", s.Base)
	c.Name("thresholdFor", s.ThresholdFor)
	c.Count("hold_out", s.HoldOut)
	c.Count("folds", s.Folds)
	c.Count("folds_requested", s.Requested)
	c.Require(s.ThresholdValue == nil || len(m.Spec().Classes) == 2, "thresholdValue", "the model has %d classes", len(m.Spec().Classes))
	return c.Err()
}

// Fit fits the base on each fold and on all rows, the curves to what the former say of the rows
// held back, and chooses the threshold by what the curves make of that. Rows count by weight and
// multiplicity. Where nothing can be held back, or all rows are of one class, the shares stay as
// they are; so they do where the observer returns learn.Stop while rows are held back. If the
// context is cancelled while the base is fitted to all rows, or the observer returns an error, the
// model of the base so far is returned too.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	if !t.Task.Classes() || t.Class == nil {
		return nil, &learn.TaskError{Learner: Name, Task: t.Task, Advice: "only classes have shares to correct, thresholds and costs: leave these out"}
	}
	if err := job.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	costs, err := f.learner.Costs.Of(t)
	if err != nil {
		return nil, err
	}
	if f.learner.ThresholdFor != noAim && len(t.Classes) != 2 {
		return nil, fmt.Errorf("threshold_for: a threshold stands between two classes, the label %q has %d: use costs", t.Name, len(t.Classes))
	}
	method := f.learner.Method
	job.OutOfBag, job.Start = nil, nil
	found := &Summary{Base: f.learner.Base.Name}
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
	c := &calibrated.Calibrated{Base: base, Meta: model.NewSpec(Name, f.frame.Schema, t)}
	c.Meta.Decision.Costs = base.Spec().Decision.Costs
	if costs != nil {
		c.Meta.Decision.Costs = costs
	}
	if h != nil {
		found.Before = h.losses()
		c.Method, c.Calibrators = method, h.curves(method)
		h.apply(c)
		found.After = h.losses()
		if err := f.decide(c, h, found); err != nil {
			return nil, err
		}
	}
	m, err := learn.Described(c, f.learner.Params(), found)
	if err != nil {
		return nil, err
	}
	return m, ended
}

// whyStopped is Summary.Why of a training whose observer returned learn.Stop before all folds were
// there.
const whyStopped = "the training was stopped before all rows were held back once"

// decide chooses the threshold.
func (f *fitter) decide(c *calibrated.Calibrated, h *holdOut, found *Summary) error {
	if f.learner.ThresholdFor == noAim {
		return nil
	}
	aim, err := aimByName(f.learner.ThresholdFor)
	if err != nil {
		return err
	}
	positive, total, costs := c.Meta.Positive(), 0.0, c.Meta.Decision.Costs
	for _, w := range h.weight {
		total += w
	}
	if positive == 0 && costs != nil {
		costs = data.Costs{{costs[1][1], costs[1][0]}, {costs[0][1], costs[0][0]}}
	}
	probabilities, is := h.against(positive)
	at, value := Threshold(aim, probabilities, is, h.weight, costs)
	if c.Meta.Decision.Threshold = at; aim.Name == costAim {
		value = -value / total // the mean cost
	}
	found.ThresholdFor, found.ThresholdValue = aim.Name, &value
	return nil
}

// predictHoldOut has the base predict rows that it does not see. It returns nil where that cannot
// be.
func (f *fitter) predictHoldOut(ctx context.Context, t *data.Target, job learn.Job, found *Summary) (*holdOut, error) {
	rows := f.frame.Chosen(job.RowsOf(f.rows))
	found.Trained = training.TrainedOn(t, rows)
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
		found.Why = "there are too few rows to hold some back"
		return nil, nil
	}
	found.Requested = job.Plan.Short(plan, f.learner.Folds)
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil, err
	}
	job.Plan = plan
	all, err := outoffold.Predict(ctx, f.base, f.frame, t, folds, job, f.env, model.Response)
	if errors.Is(err, learn.Stop) {
		found.Why = whyStopped
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := all[0]
	h := &holdOut{classes: len(t.Classes), probabilities: out.Values, class: make([]uint32, len(out.Rows)), weight: make([]float64, len(out.Rows))}
	if out.Width != h.classes {
		return nil, fmt.Errorf("%s predicts %d values for %d classes", f.learner.Base.Name, out.Width, h.classes)
	}
	if job.HoldOut != nil {
		predicted := *out
		predicted.Values = slices.Clone(out.Values) // the curves will be put to those of h
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
		found.Why = "the rows held back have no weight"
		return nil, nil
	}
	found.HoldOut, found.Folds = len(out.Rows), len(folds)
	return h, nil
}

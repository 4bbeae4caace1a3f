package train

import (
	"context"
	"slices"
	"sort"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// underway is what a training notes while it runs.
type underway struct {
	start    *learn.Checkpoint // opened by startFlags; nil = training starts anew
	repeated *repeated         // nil: it is no training of a model anew
	began    time.Time
	bags     *learn.Unseen  // predictions that the members of an ensemble made of rows out of the bag
	folds    *learn.HoldOut // predictions by the folds that chose the number of rounds
}

// watch makes a job hand over the predictions for rows that no part of the model was trained on.
func (u *underway) watch(job *learn.Job, s *tables.RowSets) {
	if len(s.Valid) > 0 || len(s.Test) > 0 {
		return
	}
	job.Unseen = func(found *learn.Unseen) error {
		u.bags = found
		return nil
	}
	job.Folds = func(found *learn.HoldOut) error {
		u.folds = found
		return nil
	}
}

// estimate is how good the model is: by the rows that say most of new ones.
type estimate struct {
	title     string
	metrics   []model.Evaluated // the most important ones
	undefined string            // why there are none
	confusion *eval.Confusion
}

// estimate returns the estimate of the test set, else of the validation set, else of out-of-bag or
// out-of-fold predictions, else of the training rows, which is too optimistic. It is nil if the
// model's predictions cannot be compared with labels.
func (o *command) estimate(ctx context.Context, r *report, m model.Model, t *data.Target) (
	*estimate, error) {
	spec := m.Spec()
	stored := func(origin string) model.Evaluation {
		for _, e := range spec.Evaluations {
			if e.Origin == origin {
				return e
			}
		}
		return model.Evaluation{}
	}
	if len(r.Sets) == 0 {
		return nil, nil
	}
	last := r.Sets[len(r.Sets)-1]
	switch last.Name {
	case model.OfTest:
		return estimateOf("Test set", stored(last.Name), last.Report, o.Seed), nil
	case model.OfValidation:
		title := "Validation set"
		if last.Use != "" {
			title += " (too optimistic: it was used for " + last.Use + ")"
		}
		return estimateOf(title, stored(last.Name), last.Report, o.Seed), nil
	}
	unseen, title, e := o.bags, "Out-of-bag predictions", stored(model.OfOutOfBagRows)
	if o.folds != nil && r.view.Training.Kind == training.Rounds {
		unseen, title = asUnseen(o.folds, t), "Predictions of rows that chose the number of trees"
		if r.view.Training.Brief.Folds {
			title = "Out-of-fold predictions (cross-validation)"
		}
		made, _, err := eval.OutOfBag(ctx, m, unseen, o.Seed, o.Threads)
		if err != nil {
			return nil, err
		}
		if e = (model.Evaluation{}); made != nil {
			e = *made
		}
	}
	if unseen != nil && len(e.Metrics) > 0 {
		report, err := eval.ReportUnseen(m, unseen, o.Seed)
		if err != nil {
			return nil, err
		}
		if report != nil {
			if report.Rows < last.Report.Rows {
				title += " of " + humanize.Ratio(int64(report.Rows), int64(last.Report.Rows)) + " of the rows"
			}
			return estimateOf(title, e, report, o.Seed), nil
		}
	}
	title = "Training rows (too optimistic: --test 0.2 estimates the error on new rows)"
	return estimateOf(title, last.Report.Evaluation(last.Name), last.Report, o.Seed), nil
}

// asUnseen are the predictions of folds as those of an ensemble.
func asUnseen(h *learn.HoldOut, t *data.Target) *learn.Unseen {
	return &learn.Unseen{Target: *t, Width: h.Width, Predict: func(dst []float64, row int32) bool {
		at := sort.Search(len(h.Rows), func(i int) bool { return h.Rows[i] >= row })
		if at == len(h.Rows) || h.Rows[at] != row {
			return false
		}
		copy(dst, h.Values[at*h.Width:(at+1)*h.Width])
		return true
	}}
}

// shownMetrics is the most metrics of an estimate.
const shownMetrics = 4

// important lists metrics, of which the first ones that an evaluation has are shown.
func important() []string {
	return []string{"accuracy", "auc", "roc_auc_ovr", "logloss", "cost", "f1", macroF1, "balanced_accuracy",
		"rmse", "mae", "r2", "pinball", "ndcg@10", "map@10", "mrr", "concordance"}
}

// macroF1 is the F1 score of several classes, which is made of the confusion matrix.
const macroF1 = "macro_f1"

// macroOf returns that score, with an interval where other metrics have one.
func macroOf(c *eval.Confusion, e model.Evaluation, seed uint64) model.Evaluated {
	i := c.MacroF1(seed)
	m := model.Evaluated{Name: macroF1, Value: i.Value}
	if a := e.Metric("accuracy"); a != nil && a.Low != nil {
		m.Low, m.High = &i.Low, &i.High
	}
	return m
}

// estimateOf chooses the metrics of an evaluation that are shown.
func estimateOf(title string, e model.Evaluation, r *eval.Report, seed uint64) *estimate {
	shown := &estimate{title: title, confusion: r.Confusion}
	if c := r.Confusion; c != nil && len(c.Classes) > 2 && !c.Unweighted {
		e.Metrics = append(slices.Clone(e.Metrics), macroOf(c, e, seed))
	}
	for _, name := range important() {
		if m := e.Metric(name); m != nil && len(shown.metrics) < shownMetrics {
			shown.metrics = append(shown.metrics, *m)
		}
	}
	if len(shown.metrics) == 0 {
		shown.undefined = "No metric has a value: " + r.Undefined + "."
		return shown
	}
	if slices.ContainsFunc(shown.metrics, func(m model.Evaluated) bool { return m.Low != nil }) {
		shown.title += ", with intervals of 95 %"
	}
	shown.title += ":"
	return shown
}

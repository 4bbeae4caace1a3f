package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// predictionBytes are held for each row and class: a predicted probability, and a copy of it where
// predictions are put together.
const predictionBytes = 16

// batchRows is the number of rows predicted between two checks of the context.
const batchRows = 1 << 16

// Evaluate reports how well a model predicts the labels of a data set, by every metric of the task:
//
//	r, err := eval.Evaluate(ctx, m, test)
//	auc, ok := r.Metrics.Get("auc")
//
// Columns are found by name, categories and classes by text, so that the data set may come from
// another file than the training set. A label that is none of the model's classes is a
// *data.UnknownLabelError; the other errors are those of EvaluateRows.
func Evaluate(ctx context.Context, m model.Model, ds *data.Dataset) (*Report, error) {
	spec := m.Spec()
	labeled := ds.Target.Class != nil || len(ds.Target.Y) == 1
	if spec.Task.Classes() && labeled && !slices.Equal(spec.Classes, ds.Target.Classes) {
		own := *ds
		var err error
		if own.Target, err = ds.Target.WithClasses(spec.Classes, ds.Frame); err != nil {
			return nil, err
		}
		ds = &own
	}
	return EvaluateRows(ctx, m, ds, nil, model.Options{})
}

// EvaluateTable is Evaluate for a table whose columns have the roles that they had in training: the
// label, and weights, groups, events or upper ends of times (model.Spec.RolesFor). Options of
// readers that name the columns of model.Spec.Beside make them read these:
//
//	spec := m.Spec()
//	o := csvdata.Options{ReadOptions: data.ReadOptions{Schema: &spec.Schema, Optional: spec.Beside()}}
//	f, err := csvdata.Open(o, "test.csv").Frame(ctx)
//	r, err := eval.EvaluateTable(ctx, m, f)
//
// Errors are also those of RolesFor and of data.Roles.Apply.
func EvaluateTable(ctx context.Context, m model.Model, f *data.Frame) (*Report, error) {
	roles, err := m.Spec().RolesFor(&f.Schema)
	if err != nil {
		return nil, err
	}
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return EvaluateRows(ctx, m, ds, nil, model.Options{})
}

// EvaluateRows is Evaluate for some rows of a data set; nil means all of them. The options limit
// the goroutines that predict, memory, and the rounds of a boosted model. Their output is ignored:
// it is the response. Where memory does not hold the predictions of all rows, some are made at a
// time.
//
// The target's classes must be the model's, in the same order: data.Roles with the model's classes
// makes them so. Anomaly scores are compared with any two classes, of which the second is the
// anomaly: see data.Roles.RareLast. Of two classes the positive one is that of the target where it
// was chosen (data.Target.Positive), else the model's.
//
// Errors: no label or one of another task, other classes, times of a survival model without the
// events or the upper ends that it was trained with, no rows, rows that the dataset does not have,
// and those of Bind and Predict.
func EvaluateRows(
	ctx context.Context, m model.Model, ds data.AnyDataset, rows []int32, o model.Options,
) (*Report, error) {
	reports, err := EvaluateSets(ctx, m, ds, [][]int32{rows}, SetOptions{Options: o})
	if err != nil {
		return nil, err
	}
	return reports[0], nil
}

// Sample returns a model's predictions for rows, nil = all, with their labels and weights: what the
// metrics are computed of. Rows of the sample have the order of rows. Options and errors are those
// of EvaluateRows; predictions that exceed the memory are an error, too.
func Sample(
	ctx context.Context, m model.Model, ds *data.Dataset, rows []int32, o model.Options,
) (*metric.Sample, error) {
	l, err := newLabeled(m, ds, rows, o)
	if err != nil {
		return nil, err
	}
	return l.predict(ctx, ds.Frame)
}

// bound is a model bound to a table with labels that it fits.
type bound struct {
	spec      *model.Spec
	predictor model.Predictor
	like      metric.Sample // of no rows
}

func newBound(m model.Model, ds *data.Dataset, o model.Options) (*bound, error) {
	if err := Fits(m.Spec(), &ds.Target); err != nil {
		return nil, err
	}
	if k := int64(len(m.Spec().Classes)); m.Spec().Task.Classes() {
		what := fmt.Sprintf("the confusion matrix of %d classes", k)
		if err := o.Memory.Check(what, 8*k*k); err != nil {
			return nil, err
		}
	}
	o.Output = model.Response
	p, err := m.Bind(&ds.Schema, o)
	if err != nil {
		return nil, err
	}
	return unbound(m, p, &ds.Target, p.Width()), nil
}

// unbound is newBound with a predictor, which may be nil, and without checks.
func unbound(m model.Model, p model.Predictor, t *data.Target, width int) *bound {
	spec := m.Spec()
	return &bound{spec, p, metric.Sample{Width: width, Costs: spec.Decision.Costs,
		Quantiles: spec.Quantiles, Risk: model.Hazards(m), FirstPositive: positive(spec, t) == 0}}
}

// labels returns the labels of some rows of a target, yet without predictions.
func (b *bound) labels(t *data.Target, rows []int32) *metric.Sample {
	s, like := metric.SampleOf(t, rows), &b.like
	s.Width, s.Costs, s.Quantiles, s.Risk, s.FirstPositive = like.Width, like.Costs, like.Quantiles,
		like.Risk, like.FirstPositive
	return s
}

// predict adds to the labels of rows what the model predicts for these rows of a frame, in memory
// that is passed where it is large enough. It returns the predictions before choose, too.
func (b *bound) predict(
	ctx context.Context, s *metric.Sample, f *data.Frame, rows []int32, in []float64,
) ([]float64, error) {
	w := b.like.Width
	in = slices.Grow(in[:0], len(rows)*w)[:len(rows)*w]
	s.Pred = in
	for to := in; len(rows) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(batchRows, len(rows))
		if err := b.predictor.Predict(to[:n*w], f, rows[:n]); err != nil {
			return nil, err
		}
		to, rows = to[n*w:], rows[n:]
	}
	choose(s, b.spec)
	return in, nil
}

// labeled has the labels of some rows, too, that its predictions are compared with.
type labeled struct {
	*bound
	sample *metric.Sample // without predictions
	rows   []int32
}

func newLabeled(m model.Model, ds *data.Dataset, rows []int32, o model.Options) (*labeled, error) {
	b, err := newBound(m, ds, o)
	if err != nil {
		return nil, err
	}
	if err := ds.CheckRows(rows); err != nil {
		return nil, err
	}
	rows = ds.Chosen(rows)
	if err := ds.Target.CheckMemory(o.Memory, "evaluation", int64(len(rows)),
		predictionBytes); err != nil {
		return nil, err
	}
	return &labeled{b, b.labels(&ds.Target, rows), rows}, nil
}

// predict returns the labels with the predictions for the rows of a frame. It may be called
// concurrently.
func (l *labeled) predict(ctx context.Context, f *data.Frame) (*metric.Sample, error) {
	s := *l.sample
	if _, err := l.bound.predict(ctx, &s, f, l.rows, nil); err != nil {
		return nil, err
	}
	return &s, nil
}

// positive returns the place of the positive class of two: that of the target where it was chosen,
// else the model's; -1 where there are not two.
func positive(s *model.Spec, t *data.Target) int {
	if s.Task.Classes() && t.Positive.Why != "" {
		return t.PositiveClass()
	}
	return s.Positive()
}

// choose notes the labels that a threshold chooses, and makes probabilities of two classes of
// scores, which are between 0 and 1.
func choose(s *metric.Sample, spec *model.Spec) {
	if spec.Decision.Threshold == 0 {
		return
	}
	for i := 0; i < len(s.Pred); i += s.Width {
		s.Chosen = append(s.Chosen, uint32(spec.Decision.Label(s.Pred[i:i+s.Width])))
	}
	if spec.Task != data.Anomaly {
		return
	}
	probabilities := make([]float64, 0, 2*len(s.Pred))
	for _, score := range s.Pred {
		probabilities = append(probabilities, 1-score, score)
	}
	s.Pred, s.Width = probabilities, 2
}

// Fits returns why a model's predictions and a target cannot be compared, nil if they can.
func Fits(s *model.Spec, t *data.Target) error {
	switch {
	case t.Class == nil && t.Y == nil:
		return errors.New("the table has no label to compare predictions with")
	case s.Task == data.Anomaly:
		return fitsScores(s, t)
	case s.Task.Classes() != (t.Class != nil):
		return fmt.Errorf("the model was trained for %s, the label is one of %s", s.Task, t.Task)
	case s.Task == data.Survival && t.Event == nil && t.Upper == nil &&
		(s.Roles.Event != "" || s.Roles.Upper != ""):
		return fmt.Errorf("the model was trained with the column %q, and the times have neither "+
			"events nor upper ends: data.Roles names their column, or all events are observed",
			cmp.Or(s.Roles.Event, s.Roles.Upper))
	case t.Class != nil && !slices.Equal(s.Classes, t.Classes):
		return fmt.Errorf("the model's classes are %q, the label's are %q", s.Classes, t.Classes)
	case len(t.Y) > 1:
		return fmt.Errorf("the label has %d outputs, evaluation takes one", len(t.Y))
	}
	return nil
}

// fitsScores checks that a target has two classes to compare scores with. Their names may be others
// than the model's, but not those exchanged.
func fitsScores(s *model.Spec, t *data.Target) error {
	switch {
	case t.Class == nil || len(t.Classes) != 2:
		return fmt.Errorf("the label %q has %s: scores of anomalies are compared with one of two "+
			"classes, normal rows and anomalies", t.Name, outcomes(t))
	case t.Classes[0] == s.Classes[1] || t.Classes[1] == s.Classes[0]:
		return fmt.Errorf("the model's classes are %q, the label's are %q", s.Classes, t.Classes)
	}
	return nil
}

func outcomes(t *data.Target) string {
	switch {
	case t.Class == nil:
		return "numbers"
	case len(t.Classes) == 1:
		return "1 class"
	}
	return fmt.Sprintf("%d classes", len(t.Classes))
}

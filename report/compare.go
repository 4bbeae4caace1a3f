package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Side is one of two models, with the table as it reads it. A column may be a number for one model
// and a category for the other, so each has a table of its own; both have the same rows.
type Side struct {
	Name  string // of the model, for errors
	Model model.Model
	Rows  *data.Frame // whose predictions are compared
	// Labeled has the rows with labels, for metrics; nil: there are none. Classes of the target are
	// those of the model, in the same order.
	Labeled *data.Dataset
	// Importances are those of the model's features by splits (explain.Impurity), to be put side by
	// side; nil: there are none.
	Importances []explain.Importance
}

// CompareOptions are the choices of Compare. The zero value compares responses, on all processors.
type CompareOptions struct {
	Raw     bool   // compare scores before the link function; metrics stay those of responses
	Seed    uint64 // of the resamples
	Workers int    // goroutines; 0 = one per processor. The result is the same for any number
	// Memory limits what predictions of the whole table take; 0 = memory.Default.
	Memory memory.Limit
	// Progress is called with the name of each step before it begins; nil: nothing is called.
	Progress func(step string)
}

// Comparison is what two models differ in.
type Comparison struct {
	Rows      int     `json:"rows"`
	Different int     `json:"different"` // rows with a response that differs at all
	Largest   float64 `json:"largest"`   // difference of a response
	Mean      float64 `json:"mean"`      // absolute difference over all responses
	Row       int     `json:"row"`       // with the largest difference, from 1; 0 = there is none
	// Labels is the number of rows that are labeled differently; nil: the models label none.
	Labels *int `json:"labels,omitempty"`

	Metrics     []eval.Difference `json:"metrics,omitempty"`
	Slices      []Slice           `json:"slices,omitempty"`
	Importances []Importance      `json:"importances,omitempty"`

	// Undefined is why there are no metrics although there are labels; nil: there are metrics.
	Undefined *metric.Undefined `json:"-"`
	// Predictions are those of the first and the second model.
	Predictions [2]Predictions `json:"-"`
}

// Predictions are what a model predicts for all rows.
type Predictions struct {
	Values []float64 // rows x Width
	Width  int
	Labels []float64 // by row: the place of the label among the classes; what Label writes of others
}

// gap returns the mean |difference| of the responses of a row, in which infinite ones count as 0.
func (c *Comparison) gap(row int) float64 {
	a, b := &c.Predictions[0], &c.Predictions[1]
	gap := 0.0
	for k := row * a.Width; k < (row+1)*a.Width; k++ {
		if d := math.Abs(a.Values[k] - b.Values[k]); d < math.MaxFloat64 {
			gap += d / float64(a.Width)
		}
	}
	return gap
}

// The resamples are enough for a p from 0.004 up. Of more rows than resampledRows so many are
// resampled.
const (
	resamples     = 500
	resampledRows = 10_000
)

// Compare compares two models on the same rows. Intervals of metrics are of a paired bootstrap
// (eval.Differences) with 500 resamples.
//
//	a := report.Side{Name: "a", Model: first, Rows: test.Frame, Labeled: test}
//	b := report.Side{Name: "b", Model: second, Rows: test.Frame, Labeled: test}
//	c, err := report.Compare(ctx, a, b, report.CompareOptions{})
//
// Errors: models that do not predict the same classes, or as many numbers; sides with different
// numbers of rows; those of Bind, Predict and eval.Sample; and ctx.Err().
func Compare(ctx context.Context, a, b Side, o CompareOptions) (*Comparison, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if err := Alike(a.Model, b.Model, a.Name, b.Name); err != nil {
		return nil, err
	}
	if n, m := a.Rows.Rows(), b.Rows.Rows(); n != m {
		return nil, fmt.Errorf("%s reads %d rows of the table and %s reads %d", a.Name, n, b.Name, m)
	}
	c := &Comparison{Rows: a.Rows.Rows()}
	for i, s := range []*Side{&a, &b} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := responses(s, o)
		if err != nil {
			return nil, err
		}
		c.Predictions[i] = *p
	}
	c.count(a.Model.Spec().Labels())
	if a.Labeled != nil && b.Labeled != nil {
		var err error
		if c.Metrics, c.Undefined, err = Differences(ctx, a, b, o); err != nil {
			return nil, err
		}
	}
	if c.Different > 0 {
		o.Progress("where they differ")
		if err := c.addSlices(ctx, &a, o.Workers); err != nil {
			return nil, err
		}
	}
	c.Importances = comparedImportances(a.Importances, b.Importances)
	return c, nil
}

// Alike returns an error if the predictions of two models cannot be compared: they have different
// classes, or different numbers of outputs. The names are those of the models, for the error.
func Alike(a, b model.Model, nameA, nameB string) error {
	classes := func(m model.Model) []string {
		if m.Spec().Labels() {
			return m.Spec().Classes
		}
		return nil
	}
	switch ca, cb := classes(a), classes(b); {
	case a.Outputs() != b.Outputs():
		return fmt.Errorf("%s has %s and %s has %d: their predictions cannot be compared", nameA,
			humanize.Count(a.Outputs(), "output", "outputs"), nameB, b.Outputs())
	case (ca == nil) != (cb == nil):
		return fmt.Errorf("one of %s and %s predicts classes and the other numbers", nameA, nameB)
	case !slices.Equal(ca, cb):
		return fmt.Errorf("%s predicts the classes %q, %s the classes %q", nameA, ca, nameB, cb)
	}
	return nil
}

// responses returns the responses and the labels of all rows.
func responses(s *Side, o CompareOptions) (*Predictions, error) {
	first := model.Response
	if o.Raw {
		first = model.Raw
	}
	found := &Predictions{}
	for _, output := range []model.Output{first, model.Label} {
		p, err := s.Model.Bind(&s.Rows.Schema,
			model.Options{Output: output, Workers: o.Workers, Memory: o.Memory})
		if err != nil {
			return nil, err
		}
		values := make([]float64, s.Rows.Rows()*p.Width())
		if err := p.Predict(values, s.Rows, nil); err != nil {
			return nil, err
		}
		if output == model.Label {
			found.Labels = values
		} else {
			found.Values, found.Width = values, p.Width()
		}
	}
	return found, nil
}

// count compares responses, and the labels of classes.
func (c *Comparison) count(classes bool) {
	a, b := &c.Predictions[0], &c.Predictions[1]
	sum := 0.0
	for i := range c.Rows {
		different := false
		for k := i * a.Width; k < (i+1)*a.Width; k++ {
			x, y := a.Values[k], b.Values[k]
			if x == y || math.IsNaN(x) && math.IsNaN(y) {
				continue
			}
			different = true
			d := math.Abs(x - y)
			if math.IsNaN(d) {
				d = math.MaxFloat64
			}
			if sum += d; d > c.Largest {
				c.Largest, c.Row = d, i+1
			}
		}
		if different {
			c.Different++
		}
	}
	c.Mean = min(sum/float64(max(1, len(a.Values))), math.MaxFloat64)
	if !classes {
		return
	}
	n := 0
	for i := range a.Labels {
		if a.Labels[i] != b.Labels[i] {
			n++
		}
	}
	c.Labels = &n
}

// Differences compares the metrics of two models on the labels of the same rows, as Compare does.
// Errors are those of Alike and eval.Sample.
func Differences(
	ctx context.Context, a, b Side, o CompareOptions,
) (all []eval.Difference, none *metric.Undefined, err error) {
	if err := Alike(a.Model, b.Model, a.Name, b.Name); err != nil {
		return nil, nil, err
	}
	var samples [2]*metric.Sample
	for i, s := range []*Side{&a, &b} {
		samples[i], err = eval.Sample(ctx, s.Model, s.Labeled, nil,
			model.Options{Workers: o.Workers, Memory: o.Memory})
		if err != nil {
			return nil, nil, err
		}
	}
	if o.Progress != nil {
		o.Progress("resampling")
	}
	return eval.Differences(ctx, a.Model.Spec().Task, samples[0], samples[1],
		eval.IntervalOptions{Resamples: resamples, Rows: resampledRows, Seed: o.Seed,
			Workers: o.Workers})
}

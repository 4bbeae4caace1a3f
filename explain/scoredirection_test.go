package explain_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// signed are the explainers whose results have a sign, with the values and the classes of a result.
func signed() map[string]func(
	ctx context.Context, m model.Model, f *data.Frame,
) (values []float64, classes []string, err error) {
	rows := []int32{0, 1, 2, 3, 50}
	some := func(f *data.Frame) *data.Frame { return f.Subset([]int32{5, 6, 7, 8, 9}) }
	raw := explain.EffectOptions{Output: model.Raw, Points: 4}
	type result = func(context.Context, model.Model, *data.Frame) ([]float64, []string, error)
	return map[string]result{
		"Shapley": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			c, err := explain.Shapley(ctx, m, f, rows, explain.ShapleyOptions{Background: some(f)})
			if err != nil {
				return nil, nil, err
			}
			return append(c.Values, c.Bias...), c.Classes, nil
		},
		"Interactions": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			v, err := explain.Interactions(ctx, m, f, rows, explain.ShapleyOptions{Background: some(f)})
			if err != nil {
				return nil, nil, err
			}
			return append(v.Values, v.Bias...), v.Classes, nil
		},
		"ShapleyExplainer": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			x, err := explain.NewShapleyExplainer(ctx, m, &f.Schema,
				explain.ShapleyOptions{Background: some(f)})
			if err != nil {
				return nil, nil, err
			}
			dst := make([]float64, x.Scores*len(x.Features))
			err = x.Row(dst, valuesOf(f, 3))
			return append(dst, x.Bias...), x.Classes, err
		},
		"Sampled": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			c, err := explain.Sampled(ctx, m, f, rows,
				explain.SampledOptions{Background: some(f), Output: model.Raw, Samples: 3})
			if err != nil {
				return nil, nil, err
			}
			return append(c.Values, c.Bias...), c.Classes, nil
		},
		"PartialDependence": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			d, err := explain.PartialDependence(ctx, m, f, rows, []string{"c"}, raw)
			if err != nil {
				return nil, nil, err
			}
			return d.Mean, d.Classes, nil
		},
		"AccumulatedEffects": func(ctx context.Context, m model.Model, f *data.Frame) ([]float64, []string, error) {
			e, err := explain.AccumulatedEffects(ctx, m, f, nil, []string{"c"}, raw)
			if err != nil {
				return nil, nil, err
			}
			return e.Values, e.Classes, nil
		},
	}
}

// TestResultsPointTowardsThePositiveClass: a model with one score for two classes whose first class
// is the positive one has the results of the same model with the other positive class, with the
// other sign. Models of a score for each class have the same results. All name their classes.
func TestResultsPointTowardsThePositiveClass(t *testing.T) {
	for _, entry := range catalog.Table() {
		c := entry.New().Capabilities()
		if c.Needs.Unsupervised || c.Needs.Survival {
			continue
		}
		ds := fourColumns(data.Binary, c.Needs)
		var models [2]model.Model
		for i := range models {
			ds.Target.Positive = data.Positive{First: i == 0, Why: "it was named"}
			models[i] = fitted(t, learntest.Small(entry.New()), ds, data.AllRows(ds.Rows()))
		}
		for name, of := range signed() {
			var values [2][]float64
			var classes [2][]string
			var err error
			for i, m := range models {
				if values[i], classes[i], err = of(t.Context(), m, ds.Frame); err != nil {
					break
				}
			}
			if errors.Is(err, explain.ErrNotFinite) || refusedKind(err) {
				continue
			}
			if err != nil {
				t.Fatalf("%s, %s: %v", entry.Name, name, err)
			}
			sign := 1.0
			if len(classes[0]) == 1 {
				sign = -1
				if classes[0][0] != "no" || classes[1][0] != "yes" {
					t.Errorf("%s, %s: the classes are %q", entry.Name, name, classes)
				}
			} else if len(classes[0]) != 2 {
				t.Errorf("%s, %s: the classes are %q", entry.Name, name, classes)
			}
			for k, v := range values[0] {
				if other := sign * values[1][k]; math.Abs(v-other) > 1e-9*math.Abs(v) {
					t.Errorf("%s, %s: value %d is %v, want %v", entry.Name, name, k, v, other)
					break
				}
			}
		}
	}
}

// refusedKind reports whether an error says that a model is of a kind without exact values.
func refusedKind(err error) bool {
	var kind *explain.ModelError
	var node *explain.NotCoveredError
	return errors.As(err, &kind) || errors.As(err, &node) || errors.Is(err, explain.ErrNoCover) ||
		errors.Is(err, explain.ErrPooled)
}

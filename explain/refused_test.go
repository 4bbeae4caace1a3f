package explain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// What a model is not made for is refused by each explainer with the reason.
func TestExplainersRefuseModels(t *testing.T) {
	one, f := formulaTable(t, func(r []float64) float64 { return r[0] })
	of := func(change func(*model.Spec)) *formula {
		m := *one
		change(&m.spec)
		return &m
	}
	pooled := &model.Ensemble{Combine: model.Pool, Meta: model.Spec{Schema: f.Schema, Task: data.Regression}}
	above := 1.0
	goal := explain.CounterfactualOptions{Above: &above}
	like := goal
	like.Like = f.Select([]int{1, 2})
	row := []int32{int32(f.Rows())}
	missing, rowError, modelError := (*model.MissingColumnError)(nil), (*data.RowError)(nil), (*explain.ModelError)(nil)
	for what, c := range map[string]struct {
		do   func() (any, error)
		want any // a text, an error, or what errors.As takes
	}{
		"a surrogate of two numbers": {func() (any, error) {
			return explain.Relabel(t.Context(), formulas{of: []*formula{one, one}}, f, 1)
		}, "a surrogate needs one number for each row, and this model predicts 2"},
		"a surrogate of times": {func() (any, error) {
			return explain.Relabel(t.Context(), of(func(s *model.Spec) { s.Task = data.Survival }), f, 1)
		}, "a surrogate needs predicted classes or numbers, not survival"},
		"a reference without a column": {func() (any, error) {
			m, f := line(t)
			like.Like = f.Select(nil)
			return explain.Counterfactual(t.Context(), m, f, 0, like)
		}, &missing},
		"pooled leaves": {func() (any, error) { return explain.Shapley(t.Context(), pooled, f, nil, explain.ShapleyOptions{}) },
			explain.ErrPooled},
		"no trees": {func() (any, error) { return explain.Shapley(t.Context(), one, f, nil, explain.ShapleyOptions{}) }, &modelError},
		"rows that there are not": {func() (any, error) {
			return explain.PartialDependence(t.Context(), one, f, row, []string{"x"}, explain.EffectOptions{})
		}, &rowError},
		"summed effects of them": {func() (any, error) {
			return explain.AccumulatedEffects(t.Context(), one, f, row, []string{"x"}, explain.EffectOptions{})
		}, &rowError},
		"one sample": {func() (any, error) {
			return explain.Sampled(t.Context(), one, f, nil, explain.SampledOptions{Background: f, Samples: 1})
		}, "1 samples for each row: want 2 or more"},
	} {
		_, err := c.do()
		switch want := c.want.(type) {
		case string:
			if err == nil || err.Error() != want {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", what, err, want)
			}
		default:
			if !errors.As(err, want) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if text := (&explain.ModelError{Learner: "knn"}).Error(); !strings.HasSuffix(text, `not for the model of the learner "knn"`) {
		t.Error(text)
	}
	if explain.IsExact(one) || explain.Interacts(one) || explain.Divided(one) != nil {
		t.Error("a formula has exact values")
	}
}

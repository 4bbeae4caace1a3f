package eval_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/model"
)

// Evaluate maps the classes of a data set from elsewhere to those of the model, by their texts.
func TestEvaluateMapsClasses(t *testing.T) {
	ds := binary(t)
	m := train(t, ds)
	want, err := eval.EvaluateRows(t.Context(), m, ds, nil, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := eval.Evaluate(t.Context(), m, ds)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Fatalf("%v, %s", err, d)
	}
	other := *ds
	other.Target.Classes = []string{"b", "a", "c"}
	other.Target.Class = slices.Clone(ds.Target.Class)
	for i, c := range other.Target.Class {
		other.Target.Class[i] = 1 - c
	}
	if got, err = eval.Evaluate(t.Context(), m, &other); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v, %s", err, cmp.Diff(want, got))
	}
	other.Target.Class[3] = 2
	var unknown *data.UnknownLabelError
	if _, err = eval.Evaluate(t.Context(), m, &other); !errors.As(err, &unknown) ||
		unknown.Values[0].Value != "c" {
		t.Errorf("error %v", err)
	}
	other.Target = data.Target{Task: data.Regression, Y: [][]float64{{1, 2, 3, 4, 5, 6}}}
	if _, err = eval.Evaluate(t.Context(), m, &other); !errors.As(err, &unknown) ||
		unknown.Values[0].Value != "1" {
		t.Errorf("error %v", err)
	}
	if _, err = eval.Evaluate(t.Context(), m, &data.Dataset{Frame: ds.Frame}); err == nil ||
		err.Error() != "the table has no label to compare predictions with" {
		t.Errorf("error %v", err)
	}
}

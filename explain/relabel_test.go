package explain_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// TestRelabel: labels are the predictions, and a tree describes them better than the old ones.
func TestRelabel(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Binary} {
		ds, train, test := twoColumns(task, false)
		m := fitted(t, gbm.New(), ds, train)
		own, err := explain.Relabel(t.Context(), m, ds.Frame, 1)
		if err != nil {
			t.Fatal(err)
		}
		o := model.Options{}
		if task.Classes() {
			o.Output = model.Label
		}
		for row, want := range modeltest.Predict(t, m, ds.Frame, o, nil) {
			got := 0.0
			if task.Classes() {
				got = float64(own.Target.Class[row])
			} else {
				got = own.Target.Y[0][row]
			}
			if got != want {
				t.Fatalf("%s, row %d: label %v, want %v", task, row, got, want)
			}
		}
		tree := fitted(t, cart.New(), own, train, "max_depth=3")
		r, err := eval.EvaluateRows(t.Context(), tree, own, test, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		name := map[bool]string{true: "accuracy", false: "r2"}[task.Classes()]
		if fidelity, ok := r.Metrics.Get(name); !ok || fidelity < 0.95 {
			t.Errorf("%s: fidelity %v, in %v", task, fidelity, r.Metrics)
		}
	}
}

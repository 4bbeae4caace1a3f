package eval_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// TestOutOfBag compares the metrics of rows that have predictions with those of an evaluation on
// these rows, for classes and for numbers, with weights.
func TestOutOfBag(t *testing.T) {
	const rows = 400
	x, y, class, weight := make([]float64, rows), make([]float64, rows), make([]string, rows), make([]float64, rows)
	for i := range rows {
		x[i], weight[i] = float64(i%97), float64(1+i%3)
		y[i], class[i] = x[i]+float64(i*i%31), "no"
		if i*i%101+i%97 > 90 {
			class[i] = "yes"
		}
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y},
		data.NamedColumn{Name: "class", Values: class}, data.NamedColumn{Name: "w", Values: weight})
	if err != nil {
		t.Fatal(err)
	}
	for label, ignored := range map[string]string{"y": "class", "class": "y"} {
		ds, err := data.Roles{Label: label, Weight: "w", Ignore: []string{ignored}}.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		m := learntest.MustFit(t, learn.Env{}, learntest.Made(t, cart.New(), "depth=3"), ds, learn.Job{})
		all, err := eval.Sample(t.Context(), m, ds, nil, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var covered []int32
		for row := range int32(rows) {
			if row%3 != 1 {
				covered = append(covered, row)
			}
		}
		u := &learn.Unseen{Target: ds.Target, Width: all.Width, UsedFor: "nothing",
			Predict: func(dst []float64, row int32) bool {
				copy(dst, all.Pred[int(row)*all.Width:][:all.Width])
				return slices.Contains(covered, row)
			}}
		got, predictions, err := eval.OutOfBag(t.Context(), m, u, 7, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, err := eval.Evaluate(t.Context(), m, &data.Dataset{Frame: ds.Frame.Subset(covered),
			Target: ds.Target.Subset(covered)})
		if err != nil {
			t.Fatal(err)
		}
		if got.Origin != model.OfOutOfBagRows || got.Rows != len(covered) || got.UsedFor != "nothing" ||
			len(got.Metrics) != len(want.Metrics) || got.Positive != want.Positive {
			t.Errorf("%s: %+v, want the metrics of %+v", label, got, want)
		}
		for _, g := range got.Metrics {
			w, _ := want.Metrics.Get(g.Name)
			if math.Abs(g.Value-w) > 1e-12 || !(*g.Low <= g.Value && g.Value <= *g.High && *g.Low < *g.High) {
				t.Errorf("%s: %s is %v from %v to %v, want %v", label, g.Name, g.Value, *g.Low, *g.High, w)
			}
		}
		if len(predictions) != len(covered)*all.Width {
			t.Errorf("%s: %d predictions of %d rows", label, len(predictions), len(covered))
		}
		again, _, err := eval.OutOfBag(t.Context(), m, u, 7, 3)
		if diff := cmp.Diff(got, again); diff != "" || err != nil {
			t.Errorf("%s: three workers, %v: %s", label, err, diff)
		}
		covered = nil
		if none, _, err := eval.OutOfBag(t.Context(), m, u, 7, 1); none != nil || err != nil {
			t.Errorf("%s: metrics of no rows: %+v, %v", label, none, err)
		}
		u.Width++
		if none, _, err := eval.OutOfBag(t.Context(), m, u, 7, 1); none != nil || err != nil {
			t.Errorf("%s: metrics of other outputs: %+v, %v", label, none, err)
		}
	}
}

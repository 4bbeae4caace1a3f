package eval_test

import (
	"fmt"
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

// Records have the intervals of Intervals, of all rows where they are few. Of many rows they are
// about as wide, and the same however the rows come.
func TestRecorder(t *testing.T) {
	for _, rows := range []int{500, 25_000} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			x, y := make([]float64, rows), make([]string, rows)
			for i := range rows {
				x[i], y[i] = float64(i%97), "no"
				if i*i%101+i%97 > 90 {
					y[i] = "yes"
				}
			}
			f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y})
			if err != nil {
				t.Fatal(err)
			}
			ds, err := data.Label("y").Apply(f)
			if err != nil {
				t.Fatal(err)
			}
			m := learntest.MustFit(t, learn.Env{}, learntest.Made(t, cart.New(), "depth=3"), ds, learn.Job{})
			sets := [][]int32{data.AllRows(rows)}
			r := eval.NewRecorder(sets, 4)
			reports, err := eval.EvaluateSets(t.Context(), m, ds, sets, eval.SetOptions{Each: r.Each})
			if err != nil {
				t.Fatal(err)
			}
			one := eval.NewRecorder(sets, 4) // the rows come in blocks
			for part := range slices.Chunk(sets[0], 333) {
				p, err := eval.Sample(t.Context(), m, ds, part, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				one.Each(0, p)
			}
			kept := r.Predictions(0)
			if !slices.Equal(one.Predictions(0), kept) || len(kept) != 2*min(rows, 10_000) {
				t.Errorf("%d probabilities are kept, or blocks keep others", len(kept))
			}
			if testing.Short() && rows > 10_000 {
				return // four times a thousand resamples
			}
			got, err := r.Record(t.Context(), 0, reports[0], model.OfTest)
			if err != nil {
				t.Fatal(err)
			}
			s, err := eval.Sample(t.Context(), m, ds, nil, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := eval.Intervals(t.Context(), data.Binary, s, eval.IntervalOptions{Seed: 4})
			if err != nil || got.Rows != rows || got.Origin != "test" || got.Positive != "yes" || len(got.Metrics) != len(want) {
				t.Fatalf("%+v, %v", got, err)
			}
			for i, w := range want {
				g := got.Metrics[i]
				off := max(math.Abs(*g.Low-w.Low), math.Abs(*g.High-w.High))
				if most := 0.4 * (w.High - w.Low); g.Value != w.Value || off > most || rows == 500 && off > 1e-15 {
					t.Errorf("%s is %v from %v to %v, want %+v", g.Name, g.Value, *g.Low, *g.High, w)
				}
			}
			again, err := one.Record(t.Context(), 0, reports[0], model.OfTest)
			if d := cmp.Diff(got, again); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
}

// Metrics without a value are not stored.
func TestRecordOfUndefinedMetrics(t *testing.T) {
	r := &eval.Report{Rows: 3, Metrics: eval.Metrics{{Name: "ndcg", Value: math.NaN()}, {Name: "up", Value: math.Inf(1)}, {Name: "map", Value: 0.5}, {Name: "down", Value: math.Inf(-1)}}}
	want := model.Evaluation{Origin: "validation", Rows: 3, Metrics: []model.Evaluated{{Name: "map", Value: 0.5}}}
	if d := cmp.Diff(want, r.Evaluation(model.OfValidation)); d != "" {
		t.Error(d)
	}
}

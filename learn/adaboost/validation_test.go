package adaboost

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// TestValidation: the error of each round on the validation set is that of the model with so many
// rounds on these rows, for each variant, for few classes and many, and for members without trees.
func TestValidation(t *testing.T) {
	columns := []string{"sepal_length", "sepal_width"}
	for _, c := range []struct {
		variant, base string
		classes       uint32
	}{
		{"discrete", "cart", 2}, {"discrete", "knn", 2}, {"samme", "cart", 3}, {"real", "cart", 3},
		{"gentle", "cart", 2}, {"gentle", "cart", 3}, {LogitBoost, "cart", 2},
		{LogitBoost, "cart", 3}, {LogitBoost, "knn", 3}, {"r2", "cart", 0},
	} {
		ds := table(t, "iris/iris.csv", "species", columns, 1)
		for i := range ds.Rows() {
			ds.Target.Weight = append(ds.Target.Weight, float64(1+i%3))
		}
		switch c.classes {
		case 0:
			ds.Target = data.Target{Name: "sepal_width", Task: data.Regression,
				Y: [][]float64{ds.Columns[1].Numbers()}, Weight: ds.Target.Weight}
			ds.Frame = ds.Frame.Select([]int{0})
		case 2:
			ds.Target.Task, ds.Target.Classes = data.Binary, ds.Target.Classes[:2]
			for i := range ds.Target.Class {
				ds.Target.Class[i] /= 2
			}
		}
		var job learn.Job
		for row := range int32(ds.Rows()) {
			if row%3 == 0 {
				job.Valid = append(job.Valid, row)
			} else {
				job.Rows = append(job.Rows, row)
			}
		}
		resolve := func(name string) (string, learn.Learner, error) {
			if name == "knn" {
				return name, knn.New(), nil
			}
			return name, cart.New(), nil
		}
		l, set := NewLogitBoost(resolve), []string{"base=" + c.base, "rounds=9",
			"learning_rate=0.6"}
		if c.variant != LogitBoost {
			l, set = New(resolve), append(set, "variant="+c.variant)
		}
		if c.variant == "r2" {
			set = append(set, "base.depth=3")
		}
		if err := l.Params().Set(set); err != nil {
			t.Fatal(err)
		}
		var last learn.Metric
		job.Observe = func(r learn.Round) error {
			last = r.Metrics[len(r.Metrics)-1]
			return nil
		}
		m, s := fit(t, l, ds, job)
		if s.Rounds < 3 || len(s.Curves) != 1 || s.Valid != len(job.Valid) {
			t.Fatalf("%s over %s: %d rounds, %d curves, %d rows", c.variant, c.base, s.Rounds,
				len(s.Curves), s.Valid)
		}
		curve := s.Curves[0]
		if c.variant != "r2" && !slices.Equal(curve.Rounds, figure.UpTo(s.Rounds)) ||
			curve.Rounds[len(curve.Rounds)-1] != s.Rounds {
			t.Errorf("%s over %s: a curve of rounds %v", c.variant, c.base, curve.Rounds)
		}
		if end := curve.Values[len(curve.Values)-1]; c.variant != "r2" &&
			last != (learn.Metric{Set: "validation", Name: "error", Value: end}) {
			t.Errorf("%s: the observer gets %+v at last, want %g", c.variant, last, end)
		}
		for i, n := range curve.Rounds {
			if want := staged(t, m, ds, job.Valid, n); math.Abs(curve.Values[i]-want) > 1e-12 {
				t.Errorf("%s over %s of %d classes: %s %g after round %d, want %g", c.variant,
					c.base, c.classes, curve.Metric, curve.Values[i], n, want)
			}
		}
	}
}

// staged returns the error of the first rounds on rows.
func staged(t *testing.T, m model.Model, ds *data.Dataset, rows []int32, rounds int) float64 {
	t.Helper()
	p, err := m.Bind(&ds.Schema, model.Options{Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	sample, of := metric.SampleOf(&ds.Target, rows), "error"
	if ds.Target.Task == data.Regression {
		of = "rmse"
	}
	sample.Pred, sample.Width = make([]float64, len(rows)*p.Width()), p.Width()
	if err := p.Predict(sample.Pred, ds.Frame, rows); err != nil {
		t.Fatal(err)
	}
	value, err := metric.Of(of, sample)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

package gbm_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// table is y = 10 sin(pi x0 x1) + 20 (x2 - 0.5)^2 + 10 x3 + 5 x4 + noise (Friedman 1991), scaled to
// between 0 and about 1. A column of four categories adds up to 0.3, some values are missing, and
// one column is noise.
func table(t testing.TB, rows int, task data.Task) *data.Dataset {
	t.Helper()
	s := rng.New(3, uint64(task))
	columns := make([]data.Column, 7)
	for c := range 6 {
		columns[c] = data.Numbers(make([]float64, rows))
	}
	columns[6] = data.Codes(make([]uint32, rows))
	y := make([]float64, rows)
	for i := range rows {
		x := [6]float64{}
		for c := range x {
			x[c] = s.Float64()
			columns[c].Numbers()[i] = x[c]
		}
		if s.Intn(20) == 0 {
			columns[3].Numbers()[i] = math.NaN()
		}
		code := uint32(s.Intn(4))
		columns[6].Codes()[i] = code
		noise := s.Float64() - 0.5
		wave, d := math.Sin(math.Pi*x[0]*x[1]), x[2]-0.5
		y[i] = (10*wave+20*d*d+10*x[3]+5*x[4]+noise)/30 + 0.1*float64(code)
	}
	schema := data.Schema{}
	for _, name := range []string{"a", "b", "c", "d", "e", "noise"} {
		schema.Fields = append(schema.Fields, data.Field{Name: name})
	}
	schema.Fields = append(schema.Fields, data.Field{Name: "kind", Kind: data.Categorical,
		Levels: []string{"p", "q", "r", "s"}})
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: task}}
	if !task.Classes() {
		ds.Target.Y = [][]float64{y}
		return ds
	}
	ds.Target.Classes = []string{"low", "high"}
	if task == data.Multiclass {
		ds.Target.Classes = []string{"low", "middle", "high"}
	}
	ds.Target.Class = make([]uint32, rows)
	for i, v := range y {
		ds.Target.Class[i] = uint32(min(max(v*float64(len(ds.Target.Classes))-0.1, 0),
			float64(len(ds.Target.Classes)-1)))
	}
	return ds
}

func learner(t testing.TB, settings ...string) *gbm.Learner {
	t.Helper()
	return learntest.Made(t, gbm.New(), settings...)
}

func fit(t testing.TB, ds *data.Dataset, job learn.Job, settings ...string) *model.Ensemble {
	t.Helper()
	m, err := tryFit(context.Background(), t, ds, job, settings...)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble)
}

func tryFit(ctx context.Context, t testing.TB, ds *data.Dataset, job learn.Job,
	settings ...string) (model.Model, error) {
	t.Helper()
	return learntest.Fit(ctx, learn.Env{}, learner(t, settings...), ds, job)
}

func summary(t testing.TB, m model.Model) gbm.Summary {
	t.Helper()
	return learntest.Summary[gbm.Summary](t, m)
}

func predict(t testing.TB, m model.Model, f *data.Frame, rows []int32,
	output model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: output}, rows)
}

// evaluated returns a metric of a model on some rows.
func evaluated(t testing.TB, name string, m model.Model, ds *data.Dataset, rows []int32) float64 {
	t.Helper()
	s := &metric.Sample{Pred: predict(t, m, ds.Frame, rows, model.Response), Width: m.Outputs()}
	for _, r := range rows {
		if ds.Target.Class != nil {
			s.Class = append(s.Class, ds.Target.Class[r])
		} else {
			s.Y = append(s.Y, ds.Target.Y[0][r])
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	found, _ := metric.Lookup(name)
	v, err := found.Func(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// trainTest assigns rows to a training set and a test set.
func trainTest(ds *data.Dataset) (train, test []int32) {
	for r := range int32(ds.Rows()) {
		if r%4 == 3 {
			test = append(test, r)
		} else {
			train = append(train, r)
		}
	}
	return train, test
}

// TestLearns holds the test errors of all tasks against what the noise, of standard deviation
// 0.0096, and rows leave possible.
func TestLearns(t *testing.T) {
	for _, c := range []struct {
		task   data.Task
		metric string
		most   float64
	}{{data.Regression, "rmse", 0.07}, {data.Binary, "error", 0.1},
		{data.Multiclass, "error", 0.15}} {
		ds := table(t, 2000, c.task)
		train, test := trainTest(ds)
		for _, growth := range []string{"leaf", "depth", "symmetric"} {
			m := fit(t, ds, learn.Job{Rows: train}, "trees=60", "growth="+growth)
			if v := evaluated(t, c.metric, m, ds, test); v > c.most {
				t.Errorf("%s, growth=%s: %s %.4f", c.task, growth, c.metric, v)
			}
		}
	}
}

// TestModelPredictsTrainingScores: the last losses of both sets are those of the model's own
// predictions.
func TestModelPredictsTrainingScores(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Binary, data.Multiclass} {
		ds := table(t, 600, task)
		train, valid := trainTest(ds)
		ds.Target.Weight = make([]float64, ds.Rows())
		for i := range ds.Target.Weight {
			ds.Target.Weight[i] = float64(1 + i%3)
		}
		// as no row to train on has them
		ds.Columns[0].Numbers()[valid[3]], ds.Columns[1].Numbers()[valid[5]] = math.NaN(),
			math.Inf(1)
		ds.Columns[6].Codes()[valid[9]] = data.MissingCode
		ds.Schema.Fields[6].Levels = append(ds.Schema.Fields[6].Levels, "t")
		// positions are matrix rows, or are not, and the validation set has such rows
		for i, prepared := range [][]int32{train, nil, train} {
			if i == 2 {
				ds.Columns[6].Codes()[valid[7]] = 4 // and has a category without a bin
			}
			for _, more := range []string{"subsample=1", "subsample=0.3", "multi_output=true",
				"linear_tree=true", "compat=xgboost-exact categories=native bins=999"} {
				f, err := learner(t, append(strings.Fields(more), "trees=9", "training_metric=9",
					"early_stopping=0")...).Prepare(t.Context(), ds.Frame, prepared,
					ds.Target.Weight, learn.Env{})
				if err != nil {
					t.Fatal(err)
				}
				m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Rows: train, Valid: valid})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range summary(t, m).Curves {
					rows := train
					if c.Set == boosting.Validation {
						rows = valid
					}
					if got, want := c.Values[len(c.Values)-1], lossOf(t, m, ds, rows); got != want {
						t.Errorf("%s, %s, %s set: training ends with %v, the model has %v", task,
							more, c.Set, got, want)
					}
				}
			}
		}
	}
}

// lossOf returns the loss of a model on some rows, by its predictions.
func lossOf(t testing.TB, m model.Model, ds *data.Dataset, rows []int32) float64 {
	t.Helper()
	row, _ := loss.Find(summary(t, m).Loss)
	o, err := row.New().Bind(&ds.Target, rows)
	if err != nil {
		t.Fatal(err)
	}
	raw := predict(t, m, ds.Frame, rows, model.Raw)
	k, n := o.Outputs(), len(rows)
	turned := make([]float64, len(raw))
	for i, v := range raw {
		turned[i%k*n+i/k] = v
	}
	return o.Value(turned, 1)
}

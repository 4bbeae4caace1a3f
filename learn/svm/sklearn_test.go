package svm_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/learn/svm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// frozen is testdata/sklearn.json, which testdata/freeze.py made.
type frozen struct {
	Tables []struct {
		X         [][]float64
		Y, Weight []float64
		Class     []uint32
	}
	Cases []struct {
		Table  int
		Task   data.Task
		Set    []string
		Values [][]float64 // decision values of all rows
	}
}

func read(t *testing.T) *frozen { return reference.Read[frozen](t, "testdata/sklearn.json") }

// dataset returns a frozen table for a task.
func (f *frozen) dataset(t *testing.T, i int, task data.Task) *data.Dataset {
	t.Helper()
	table := f.Tables[i]
	frame, err := data.FromRows(table.X, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame, Target: data.Target{Task: task, Weight: table.Weight}}
	switch task {
	case data.Regression:
		ds.Target.Y = [][]float64{table.Y}
	case data.Multiclass:
		ds.Target.Class, ds.Target.Classes = table.Class, []string{"a", "b", "c"}
	case data.Binary:
		ds.Target.Classes = []string{"other", "c"}
		for _, c := range table.Class {
			ds.Target.Class = append(ds.Target.Class, c/2)
		}
	}
	return ds
}

func learner(t *testing.T, settings ...string) *svm.Learner {
	t.Helper()
	return learntest.Made(t, svm.New(), settings...)
}

func fit(t *testing.T, l *svm.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	return learntest.MustFit(t, learn.Env{}, l, ds, job)
}

func predict(t *testing.T, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

// TestScikitLearn compares decision values with those of LIBSVM, whose matrix of kernels has 32
// bits a number, and of LIBLINEAR, both solved to the end.
func TestScikitLearn(t *testing.T) {
	f := read(t)
	for _, c := range f.Cases {
		ds := f.dataset(t, c.Table, c.Task)
		m := fit(t, learner(t, append([]string{"tolerance=1e-9"}, c.Set...)...), ds, learn.Job{})
		got := predict(t, m, ds.Frame, model.Raw)
		var s svm.Summary
		if err := json.Unmarshal(m.Spec().Summary, &s); err != nil || !s.Converged {
			t.Errorf("%s %v: %d iterations, converged %v, %v", c.Task, c.Set, s.Iterations,
				s.Converged, err)
		}
		worst := 0.0
		for i, row := range c.Values {
			for k, want := range row {
				worst = max(worst, math.Abs(got[i*len(row)+k]-want))
			}
		}
		if !(worst <= 1e-5) {
			t.Errorf("table %d, %s %s: decision values differ by %.2g", c.Table, c.Task,
				strings.Join(c.Set, " "), worst)
		}
	}
}

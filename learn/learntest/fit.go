package learntest

import (
	"context"
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// TB is the part of testing.TB that the functions of this package use; rapid.TB has it, too.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Made gives a learner parameters, as "name=value", in a test that an error ends.
func Made[L learn.Learner](t TB, l L, settings ...string) L {
	t.Helper()
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	return l
}

// Fit prepares the rows of a job, nil = all, and trains on them.
func Fit(ctx context.Context, env learn.Env, l learn.Learner, ds *data.Dataset,
	job learn.Job) (model.Model, error) {
	f, err := l.Prepare(ctx, ds.Frame, job.Rows, ds.Target.Weight, env)
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, &ds.Target, job)
}

// MustFit is Fit in a test that an error ends.
func MustFit(t TB, env learn.Env, l learn.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	m, err := Fit(context.Background(), env, l, ds, job)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Summary returns the summary of a model's training, whose type is S.
func Summary[S any](t TB, m model.Model) (s S) {
	t.Helper()
	if err := json.Unmarshal(m.Spec().Summary, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Predictions returns the responses of a model for all rows of a frame, in a test that an error
// ends.
func Predictions(t TB, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(values, f, nil); err != nil {
		t.Fatal(err)
	}
	return values
}

package isolation_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/model"
)

// fit trains on all rows of a data set.
func fit(t *testing.T, l *isolation.Learner, ds *data.Dataset, job learn.Job) *model.Ensemble {
	t.Helper()
	f, err := l.Prepare(t.Context(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, job)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble)
}

// predict returns an output of one value for each row of a table.
func predict(t *testing.T, m model.Model, f *data.Frame, o model.Output) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: o})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

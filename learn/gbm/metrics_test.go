package gbm_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/metric"
)

// noisy makes a regression of which half is noise, with a validation set.
func noisy(t *testing.T) (*data.Dataset, learn.Job) {
	t.Helper()
	r, x, y := rng.New(1, 1), make([]float64, 400), make([]float64, 400)
	for i := range x {
		x[i] = r.Float64()
		y[i] = x[i] + r.Float64()
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	all := data.AllRows(400)
	return &data.Dataset{Frame: f, Target: data.Target{Task: data.Regression, Y: [][]float64{y}}},
		learn.Job{Rows: all[:300], Valid: all[300:]}
}

// fitNoisy trains on noisy with metrics of one's own.
func fitNoisy(t *testing.T, metrics ...metric.Metric) (s gbm.Summary, err error) {
	t.Helper()
	ds, job := noisy(t)
	l := gbm.New()
	l.Trees, l.EarlyStopping, l.Metric, l.Metrics = 200, 5, "rmse", metrics
	f, err := l.Prepare(t.Context(), ds.Frame, job.Rows, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, job)
	if err != nil {
		return s, err
	}
	return s, learn.ReadSummary(m, &s)
}

// A metric of one's own decides early stopping, before those that are named.
func TestOwnMetricStops(t *testing.T) {
	const better = 12 // rounds in which the metric rises
	n := 0
	s, err := fitNoisy(t, metric.Metric{Name: "rounds", Higher: true,
		Func: func(s *metric.Sample) (float64, error) {
			if len(s.Y) == 100 { // the validation rows
				n++
			}
			return float64(min(n, better)), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Best != better || s.Kept != better || s.Log.Rounds != better+5 || !s.Stopped ||
		s.Value != better {
		t.Errorf("%+v", s)
	}
	var names []string
	for _, c := range s.Curves {
		names = append(names, c.Set+" "+c.Metric)
	}
	if got, want := strings.Join(names, ", "),
		"training rounds, training rmse, validation rounds, validation rmse"; got != want {
		t.Errorf("curves %s, want %s", got, want)
	}
}

func TestOwnMetricRefused(t *testing.T) {
	one := func(*metric.Sample) (float64, error) { return 1, nil }
	for want, m := range map[string]metric.Metric{
		"needs a Name and a Func":      {Name: "mine"},
		`metric "rmse" is there twice`: {Name: "rmse", Func: one},
		`metric "mine" is for binary, the`: {Name: "mine", Func: one,
			Tasks: []data.Task{data.Binary}},
		"the metric failed": {Name: "mine",
			Func: func(*metric.Sample) (float64, error) {
				return 0,
					errors.New("the metric failed")
			}},
		"use another metric": {Name: "mine",
			Func: func(*metric.Sample) (float64, error) {
				return 0,
					&metric.Undefined{Metric: "mine", Reason: "no"}
			}},
	} {
		if _, err := fitNoisy(t, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

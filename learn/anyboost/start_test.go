package anyboost_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// TestBaseScoreIsTheStart: stagewise modelling from H0 = 0, as algorithms print it, predicts the
// learning rate times the mean of the labels after one round of a leaf; the default start predicts
// the mean.
func TestBaseScoreIsTheStart(t *testing.T) {
	ds := made(t, 100, data.Regression)
	mean := 0.0
	for _, y := range ds.Target.Y[0] {
		mean += y / 100
	}
	for set, want := range map[string]float64{
		"base_score=":  mean,
		"base_score=0": 0.1 * mean,
		"base_score=3": 3 + 0.1*(mean-3),
	} {
		l := newLearner(t, "rounds=1", "base.min_split=200", "learning_rate=0.1", set)
		got := predict(t, fit(t, l, ds, learn.Job{}), ds.Frame, model.Options{})
		if !near(got[0], want, 1) {
			t.Errorf("%s: predicted %g, want %g", set, got[0], want)
		}
	}
}

// TestBaseScoreRefused: a start is a response of the loss, and there is one.
func TestBaseScoreRefused(t *testing.T) {
	ds := made(t, 100, data.Binary)
	for set, want := range map[string]string{
		"base_score=0": "base_score=0: want a probability between 0 and 1",
		"base_score=x": `"x" is no number`,
	} {
		l := newLearner(t, "rounds=1")
		err := l.Params().Set([]string{set})
		if err == nil {
			_, err = train(t, l, ds)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
	ds.Target.Offset = make([]float64, 100)
	if _, err := train(t, newLearner(t, "rounds=1", "base_score=0.5"), ds); err == nil {
		t.Error("base_score and initial scores are both accepted")
	}
}

// train is fit with its error.
func train(t *testing.T, l learn.Learner, ds *data.Dataset) (model.Model, error) {
	t.Helper()
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	return f.Fit(t.Context(), &ds.Target, learn.Job{})
}

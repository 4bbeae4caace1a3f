package gbm_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// TestPresets: all are valid, train, and make different models. Few rounds show that.
func TestPresets(t *testing.T) {
	ds := table(t, 200, data.Binary)
	train, test := trainTest(ds)
	seen := map[float64]string{}
	l := gbm.New()
	for _, p := range slices.Concat(l.Capabilities().Presets, l.Capabilities().Compats) {
		if p.Learner != "" {
			continue // of package portfolio
		}
		settings := []string{"trees=15"}
		for _, s := range p.Settings {
			if !strings.HasPrefix(s, "trees=") {
				settings = append(settings, s)
			}
		}
		m := fit(t, ds, learn.Job{Rows: train}, settings...)
		v := evaluated(t, "logloss", m, ds, test)
		if seen[v] != "" || !(v < 0.8) {
			t.Errorf("%s: log loss %v, as of %q", p.Name, v, seen[v])
		}
		seen[v] = p.Name
		if p.Help == "" {
			t.Errorf("%s has no help", p.Name)
		}
	}
}

// TestBaseScore is a response: what models of no splits predict.
func TestBaseScore(t *testing.T) {
	for _, c := range []struct {
		task     data.Task
		settings string
		want     float64 // the initial score
	}{
		{data.Regression, "base_score=0.25", 0.25},
		{data.Regression, "base_score=0.25 loss=poisson", math.Log(0.25)},
		{data.Binary, "base_score=0.25", math.Log(0.25 / 0.75)},
		{data.Multiclass, "base_score=0.25", 0.25},
	} {
		ds := table(t, 100, c.task)
		for _, y := range ds.Target.Y {
			for i := range y {
				y[i] = max(y[i], 0)
			}
		}
		m := fit(t, ds, learn.Job{}, append(strings.Fields(c.settings), "trees=2")...)
		for _, b := range m.Bias {
			if math.Abs(b-c.want) > 1e-15 {
				t.Errorf("%s, %s: initial score %v, want %v", c.task, c.settings, b, c.want)
			}
		}
	}
	ds := table(t, 100, data.Binary)
	for settings, want := range map[string]string{"base_score=1": "want a probability between 0 " +
		"and 1", "base_score=x": `"x" is no number`} {
		l := gbm.New()
		err := l.Params().Set([]string{settings})
		if err == nil {
			_, err = tryFit(t.Context(), t, ds, learn.Job{}, settings, "trees=2")
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", settings, err, want)
		}
	}
}

// TestPoissonOfPeers: what shortens the steps of loss=poisson in a peer is taken over with its
// conventions, unless it is given.
func TestPoissonOfPeers(t *testing.T) {
	ds := table(t, 300, data.Regression)
	for i, y := range ds.Target.Y[0] {
		ds.Target.Y[0][i] = math.Floor(4 * max(0, y))
	}
	for short, full := range map[string]string{
		"compat=xgboost": "compat=xgboost max_delta_step=0.7 " +
			"loss.ahead=0.7",
		"compat=xgboost max_delta_step=0.3": "compat=xgboost max_delta_step=0.3 " +
			"loss.ahead=0.3",
		"compat=xgboost max_delta_step=0.3 loss.ahead=.1": "compat=xgboost max_delta_step=0.3 " +
			"loss.ahead=0.1",
		"compat=lightgbm": "compat=lightgbm loss.ahead=0.7",
		"compat=none":     "loss.ahead=0",
	} {
		got := fit(t, ds, learn.Job{}, append(strings.Fields(short), "loss=poisson", "trees=5")...)
		want := fit(t, ds, learn.Job{}, append(strings.Fields(full), "loss=poisson", "trees=5")...)
		if !reflect.DeepEqual(got.Trees, want.Trees) {
			t.Errorf("%s grows other trees than %s", short, full)
		}
	}
}

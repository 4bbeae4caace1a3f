package gbm_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model"
)

// TestDroppingAllIsAMean: where each round drops all before it, all rounds have the same weight.
func TestDroppingAllIsAMean(t *testing.T) {
	ds := table(t, 200, data.Multiclass)
	m := fit(t, ds, learn.Job{}, "trees=5", "boosting=dart", "boosting.drop=1", "boosting.skip=0",
		"colsample=1", "learning_rate=1")
	for i, w := range m.Weights {
		if math.Abs(w-0.2) > 1e-15 {
			t.Errorf("tree %d has weight %v, want 1/5", i, w)
		}
	}
	for i := 3; i < len(m.Trees); i++ {
		if !reflect.DeepEqual(m.Trees[i], m.Trees[i-3]) {
			t.Errorf("tree %d was trained on other scores than those of no tree", i)
		}
	}
	m = fit(t, ds, learn.Job{}, "trees=3", "boosting=dart", "boosting.drop=1", "boosting.skip=0",
		"learning_rate=0.5")
	// 1; 1/1.5 and 1/1.5; both times 2/2.5, and 1/2.5
	for i, want := range []float64{1 / 1.5 * 2 / 2.5, 1 / 1.5 * 2 / 2.5, 1 / 2.5} {
		if w := m.Weights[3*i]; math.Abs(w-want) > 1e-15 {
			t.Errorf("round %d has weight %v, want %v", i, w, want)
		}
	}
}

// TestDartModelPredictsTrainingScores: up to rounding the scores of training are those of the
// model, also of the best round.
func TestDartModelPredictsTrainingScores(t *testing.T) {
	ds := table(t, 600, data.Regression)
	train, valid := trainTest(ds)
	for i := range ds.Target.Y[0] { // noise that is soon memorised
		ds.Target.Y[0][i] += float64(i*7919%101) / 100
	}
	m := fit(t, ds, learn.Job{Rows: train, Valid: valid}, "trees=38", "boosting=dart",
		"boosting.skip=0.5", "boosting.drop=0.5", "learning_rate=1", "l2=0", "early_stopping=40")
	s := summary(t, m)
	if s.Kept == s.Rounds {
		t.Fatal("the best round is the last one, and shows nothing")
	}
	o, err := losstest.New("squared").Bind(&ds.Target, valid)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Value(predict(t, m, ds.Frame, valid, model.Raw), 1); math.Abs(got-s.Value) > 1e-12 {
		t.Errorf("the model has %v, training reported %v at its best round", got, s.Value)
	}
}

// TestSamplings: models of all ways to sample rows are good, differ, and resume from any round.
func TestSamplings(t *testing.T) {
	ds := table(t, 1200, data.Binary)
	ds.Target.Group = make([]int64, ds.Rows())
	for i := range ds.Target.Group {
		ds.Target.Group[i] = int64(i / 10)
	}
	train, test := trainTest(ds)
	seen := map[string]float64{}
	ways := [][]string{{"subsample=0.5"}, {"boosting=dart", "learning_rate=0.5"},
		{"boosting=dart", "boosting.most=1", "sampling=mvs"}}
	for _, name := range sample.GradientNames() {
		ways = append(ways, []string{"sampling=" + name})
	}
	for _, way := range ways {
		name := strings.Join(way, " ")
		settings := append(way, "trees=30", "leaves=15")
		m, all := checkpoints(t, ds, learn.Job{Rows: train, Seed: 4}, settings...)
		v := evaluated(t, "logloss", m, ds, test)
		if !(v < 0.35) {
			t.Errorf("%s: log loss %.4f", name, v)
		}
		for other, u := range seen {
			if u == v {
				t.Errorf("%s and %s are the same", name, other)
			}
		}
		seen[name] = v
		if got := fit(t, ds, learn.Job{Rows: train, Seed: 4, Start: all[17]},
			settings...); !reflect.DeepEqual(got, m) {
			t.Errorf("%s: resumed training ends elsewhere", name)
		}
	}
	ds.Target.Group = nil
	for want, settings := range map[string][]string{
		"no group column": {"sampling=group"},
		"subsample=0.5 does not go with sampling=goss": {"sampling=goss", "subsample=0.5"},
	} {
		if _, err := tryFit(t.Context(), t, ds, learn.Job{}, settings...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", settings, err, want)
		}
	}
}

package anyboost_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// TestConformance runs the suite of all learners on other bases and steps than the default.
func TestConformance(t *testing.T) {
	variants := map[string][]string{
		"searched": {"rounds=3", "step=line", "subsample=0.7"},
		"fixed":    {"rounds=3", "step=fixed", "base.depth=2", "base.missing=fractional"},
		"forests":  {"rounds=2", "base=forest", "base.trees=2"},
	}
	for i, name := range slices.Sorted(maps.Keys(variants)) {
		t.Run(name, func(t *testing.T) {
			learntest.Variant(t, i, func() learn.Learner { return newLearner(t, variants[name]...) })
		})
	}
}

// TestStepsOfSquaredError: the best value of a leaf is the mean of its rows, which the tree
// predicts already.
func TestStepsOfSquaredError(t *testing.T) {
	ds := made(t, 200, data.Regression)
	var want []float64
	for _, step := range []string{"leaf", "fixed", "line", "auto"} {
		got := predict(t, fit(t, newLearner(t, "rounds=10", "step="+step), ds, learn.Job{}),
			ds.Frame, model.Options{})
		if want == nil {
			want = got
		}
		for i := range got {
			if !near(got[i], want[i], 1) {
				t.Fatalf("step=%s: row %d is predicted %g, by step=leaf %g", step, i, got[i],
					want[i])
			}
		}
	}
}

// TestAutoStep: where a base grows no single trees auto is a line search, whose steps are reported;
// else steps are 1.
func TestAutoStep(t *testing.T) {
	ds := made(t, 200, data.Binary)
	trees := summary(t, fit(t, newLearner(t, "rounds=3"), ds, learn.Job{}))
	if !slices.Equal(trees.Steps, []float64{1, 1, 1}) || trees.Step != "auto" {
		t.Errorf("steps %v", trees.Steps)
	}
	m := fit(t, newLearner(t, "rounds=3", "base=forest", "base.trees=2"), ds, learn.Job{})
	c, ok := m.(*committee.Committee)
	if !ok || len(c.Members) != 3 || c.Combine != committee.Sum {
		t.Fatalf("model %T", m)
	}
	for i, s := range summary(t, c).Steps {
		if s == 1 || c.Weights[i] != float64(0.1*s) {
			t.Errorf("round %d goes %g of weight %g", i+1, s, c.Weights[i])
		}
	}
}

// TestLeastSquaresIsDoneInOneRound: what a least-squares line leaves has a right angle to all
// lines. A line search along one that is shrunk undoes most of that, and boosting makes the line of
// it in the end.
func TestLeastSquaresIsDoneInOneRound(t *testing.T) {
	ds := made(t, 120, data.Regression)
	_, l, err := resolve("linear")
	if err != nil {
		t.Fatal(err)
	}
	want := predict(t, fit(t, l, ds, learn.Job{}), ds.Frame, model.Options{})
	m := fit(t, newLearner(t, "base=linear", "step=line", "learning_rate=1"), ds, learn.Job{})
	if s := summary(t, m); s.Rounds != 1 || !s.Exhausted {
		t.Errorf("%d rounds, exhausted: %v", s.Rounds, s.Exhausted)
	}
	shrunk := fit(t, newLearner(t, "base=linear", "base.l2=50", "step=line", "learning_rate=1",
		"rounds=300"), ds, learn.Job{})
	for i, v := range predict(t, m, ds.Frame, model.Options{}) {
		if !near(v, want[i], 1) {
			t.Fatalf("row %d is predicted %g, by the base alone %g", i, v, want[i])
		}
	}
	for i, v := range predict(t, shrunk, ds.Frame, model.Options{}) {
		if d := v - want[i]; d > 1e-6 || d < -1e-6 {
			t.Fatalf("row %d is predicted %g, by least squares %g", i, v, want[i])
		}
	}
}

// TestStagedAndStopped: the first rounds of a model are those of a shorter training, and what early
// stopping keeps.
func TestStagedAndStopped(t *testing.T) {
	ds := made(t, 300, data.Multiclass)
	job := learn.Job{Rows: data.AllRows(200), Seed: 3}
	for row := int32(200); row < 300; row++ {
		job.Valid = append(job.Valid, row)
	}
	for _, base := range [][]string{{"base.depth=4"},
		{"base=forest", "base.trees=2", "learning_rate=1"}} {
		set := append([]string{"subsample=0.8", "early_stopping=3", "metric=error,loss",
			"training_metric=2"}, base...)
		full := fit(t, newLearner(t, append(slices.Clone(set), "rounds=40")...), ds, job)
		s := summary(t, full)
		if !s.Stopped || s.Best != s.Kept || s.Rounds != s.Best+3 || s.Valid != 100 ||
			len(s.Curves) != 4 {
			t.Fatalf("%+v", s)
		}
		l := newLearner(t, append(slices.Clone(set), "rounds=2")...)
		l.EarlyStopping = 0
		want := predict(t, fit(t, l, ds, job), ds.Frame, model.Options{Output: model.Raw})
		got := predict(t, full, ds.Frame, model.Options{Output: model.Raw, Rounds: 2})
		if !slices.Equal(got, want) {
			t.Error("the first two rounds are not those of a training of two rounds")
		}
	}
}

// TestCancelled: the model so far is that of as many rounds.
func TestCancelled(t *testing.T) {
	ds := made(t, 200, data.Regression)
	stop := errors.New("enough")
	f, err := newLearner(t, "rounds=9").Prepare(context.Background(), ds.Frame, nil, nil,
		learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	var rounds []int
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Observe: func(r learn.Round) error {
		if rounds = append(rounds, r.N); r.N == 4 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || !slices.Equal(rounds, []int{1, 2, 3, 4}) {
		t.Fatalf("error %v after rounds %v", err, rounds)
	}
	want := fit(t, newLearner(t, "rounds=4"), ds, learn.Job{}).(*model.Ensemble)
	if got := m.(*model.Ensemble); !reflect.DeepEqual(got.Trees, want.Trees) ||
		!slices.Equal(got.Bias, want.Bias) {
		t.Error("the model so far is not that of four rounds")
	}
}

// TestStart: the user's initial scores replace those of the loss, and the model does not hold them.
func TestStart(t *testing.T) {
	ds := made(t, 100, data.Binary)
	for range 100 {
		ds.Target.Offset = append(ds.Target.Offset, 0.5)
	}
	m := fit(t, newLearner(t, "rounds=3"), ds, learn.Job{}).(*model.Ensemble)
	if m.Bias[0] != 0 {
		t.Errorf("bias %v", m.Bias)
	}
	ds.Target.Offset = ds.Target.Offset[1:]
	f, err := newLearner(t).Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fit(context.Background(), &ds.Target, learn.Job{}); err == nil {
		t.Error("initial scores of too few rows are accepted")
	}
}

// TestRankingAndSurvival: losses that compare rows with each other are boosted, too, with weights.
func TestRankingAndSurvival(t *testing.T) {
	for _, task := range []data.Task{data.Ranking, data.Survival} {
		for _, step := range []string{"step=leaf", "step=line"} {
			ds := made(t, 200, data.Regression)
			ds.Target.Task = task
			for i, y := range ds.Target.Y[0] {
				if ds.Target.Weight = append(ds.Target.Weight,
					float64(1+i/20%2)); task == data.Ranking {
					ds.Target.Y[0][i], ds.Target.Group = float64(int(y)%4),
						append(ds.Target.Group, int64(i/20))
				} else {
					ds.Target.Event = append(ds.Target.Event, uint8(i%3/2))
				}
			}
			m := fit(t, newLearner(t, "rounds=20", "training_metric=1", step), ds, learn.Job{})
			s := summary(t, m)
			c := s.Curves[0]
			if first, last := c.Values[0], c.Values[len(c.Values)-1]; s.Kept != 20 ||
				c.Higher != (task == data.Ranking) || (last > first) != c.Higher {
				t.Errorf("%s, %s: %s changes from %g to %g in %d rounds", task, step, c.Metric,
					first, last, s.Kept)
			}
		}
	}
}

// TestSampledRoundsWithoutDescent: other samples of rows may reduce the loss, so several rounds in
// a row must fail to end the training. The history then reports that it is exhausted.
func TestSampledRoundsWithoutDescent(t *testing.T) {
	ds := made(t, 60, data.Regression)
	set := []string{"base.depth=1", "step=line", "learning_rate=1", "rounds=200"}
	all := summary(t, fit(t, newLearner(t, append(set, "min_descent=0.3")...), ds,
		learn.Job{Seed: 2}))
	some := summary(t, fit(t, newLearner(t, append(set, "min_descent=0.3", "subsample=0.7")...), ds,
		learn.Job{Seed: 2}))
	if !all.Exhausted || !some.Exhausted || all.Rounds == 0 || some.Rounds == 0 {
		t.Errorf("%d rounds on all rows, %d on some, want both to end before 200", all.Rounds,
			some.Rounds)
	}
}

// TestValues: a base that is given as a value is used as it is, without a catalog.
func TestValues(t *testing.T) {
	ds := made(t, 50, data.Regression)
	l := anyboost.New(nil)
	l.Rounds, l.Base = 2, learn.Choice{Name: "line", Learner: newRamp()}
	f, err := l.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	if c := m.(*committee.Committee); len(c.Members) != 2 || summary(t, c).Base != "line" {
		t.Errorf("%d members", len(c.Members))
	}
	if _, err := anyboost.New(nil).Prepare(context.Background(), ds.Frame, nil, nil,
		learn.Env{}); err == nil {
		t.Error("a base is found without a catalog")
	}
}

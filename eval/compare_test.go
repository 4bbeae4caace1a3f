package eval_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/knn"
)

// stumps returns cart learners of some depths, by which they are called.
func stumps(t *testing.T, depths ...string) []eval.Entrant {
	t.Helper()
	var all []eval.Entrant
	for _, depth := range depths {
		l := cart.New()
		if err := l.Params().Set([]string{"depth=" + depth, "prune=none"}); err != nil {
			t.Fatal(err)
		}
		all = append(all, eval.Entrant{Name: depth, Learner: l})
	}
	return all
}

// The interval is recomputed by the formula of Nadeau and Bengio from the tests, whose values are
// those of CrossValidate on the same folds.
func TestCompareIsCrossValidation(t *testing.T) {
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
	plan := &split.Plan{K: 5, Seed: 3}
	all := stumps(t, "1", "3")
	c, err := eval.Compare(t.Context(), all, ds, plan, eval.CompareOptions{Metric: "error"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Folds != 5 || c.Repeats != 1 || c.Higher || c.Learners[0].Name != "3" {
		t.Fatalf("%+v", c)
	}
	var tests [2][]float64
	for i, e := range all {
		cv, err := eval.CrossValidate(t.Context(), e.Learner, ds, plan, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range cv.Folds {
			v, _ := cv.Folds[k].Metrics.Get("error")
			tests[i] = append(tests[i], v)
		}
		got := c.Learners[1-i]
		if got.Name != e.Name || !slices.Equal(got.Tests, tests[i]) {
			t.Errorf("%s: %v, by cross-validation %v", got.Name, got.Tests, tests[i])
		}
	}
	// 30 test rows and 120 training rows in each of 5 tests; Student's t of 4 degrees of freedom.
	check := func(what string, got *eval.Corrected, values []float64) {
		mean, squares := 0.0, 0.0
		for _, v := range values {
			mean += v / 5
		}
		for _, v := range values {
			squares += (v - mean) * (v - mean)
		}
		half := 2.7764451 * math.Sqrt(squares/4*(1.0/5+30.0/120))
		low := mean - half
		if what != "gap" && got.Low == 0 { // an interval ends where the metric does
			low = max(0, low)
		}
		if math.Abs(got.Mean-mean) > 1e-12 || math.Abs(got.Low-low) > 1e-7 ||
			math.Abs(got.High-(mean+half)) > 1e-7 {
			t.Errorf("%s: %+v, want %g ± %g", what, got, mean, half)
		}
		if significant := got.P < 0.05; significant != (got.Low > 0 || got.High < 0) {
			t.Errorf("%s: p %g, interval %g to %g", what, got.P, got.Low, got.High)
		}
	}
	var gaps []float64
	for i := range 5 {
		gaps = append(gaps, tests[0][i]-tests[1][i])
	}
	check("depth 1", c.Learners[1].Value, tests[0])
	check("depth 3", c.Learners[0].Value, tests[1])
	check("behind", c.Learners[1].Behind, gaps)
	if c.Learners[0].Behind != nil {
		t.Errorf("the best is behind by %+v", c.Learners[0].Behind)
	}
}

// Equal learners tie in every test, and are behind by 0 with certainty.
func TestCompareTies(t *testing.T) {
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "petal_length"})
	all := stumps(t, "2", "2", "1")
	all[1].Name = "again"
	c, err := eval.Compare(t.Context(), all, ds, &split.Plan{K: 3}, eval.CompareOptions{Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1.5, 1.5, 3} {
		if got := c.Learners[i]; *got.Rank != want || len(got.Tests) != 6 {
			t.Errorf("%s: rank %g, want %g; %d tests", got.Name, *got.Rank, want, len(got.Tests))
		}
	}
	if b := c.Learners[1].Behind; *b != (eval.Corrected{P: 1}) {
		t.Errorf("%+v", b)
	}
	if first, second := c.Learners[0].Tests[:3], c.Learners[0].Tests[3:]; slices.Equal(first, second) {
		t.Error("both assignments to folds are the same")
	}
	if c.Metric != "rmse" {
		t.Errorf("ranked by %s", c.Metric)
	}
}

// An accuracy is not above 1, and an error not below 0, nor are their intervals.
func TestIntervalsEndWhereTheMetricDoes(t *testing.T) {
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
	for metric, end := range map[string]float64{"accuracy": 1, "error": 0} {
		c, err := eval.Compare(t.Context(), stumps(t, "3", "1"), ds, &split.Plan{K: 10},
			eval.CompareOptions{Metric: metric})
		if err != nil {
			t.Fatal(err)
		}
		v := c.Learners[0].Value
		if reached := v.Low == end || v.High == end; !reached || v.Low < 0 || v.High > 1 {
			t.Errorf("%s: %+v", metric, v)
		}
		if b := c.Learners[1].Value; b.High-b.Mean-(b.Mean-b.Low) > 1e-12 {
			t.Errorf("%s: %+v is cut off", metric, b)
		}
	}
}

func TestCompareFaults(t *testing.T) {
	ds := datatest.Read(t, "iris/iris.csv", data.Roles{Label: "species"})
	two := stumps(t, "1", "2")
	for want, f := range map[string]func() error{
		"two or more": func() error {
			_, err := eval.Compare(t.Context(), two[:1], ds, &split.Plan{K: 3}, eval.CompareOptions{})
			return err
		},
		`called "1"`: func() error {
			_, err := eval.Compare(t.Context(), stumps(t, "1", "1"), ds, &split.Plan{K: 3},
				eval.CompareOptions{})
			return err
		},
		"without a label": func() error {
			all := append(two[:2:2], eval.Entrant{Name: "isolation", Learner: isolation.New()})
			_, err := eval.Compare(t.Context(), all, ds, &split.Plan{K: 3}, eval.CompareOptions{})
			return err
		},
		"in one way only": func() error {
			all := append(two[:2:2], eval.Entrant{Name: "knn", Learner: knn.New()})
			_, err := eval.Compare(t.Context(), all, ds, &split.Plan{Kind: split.LeaveOneOut},
				eval.CompareOptions{Repeats: 2})
			return err
		},
		"2, fold 1 of 3: no": func() error {
			bad := stumps(t, "1", "2")
			bad[1].Learner = refusing{bad[1].Learner}
			_, err := eval.Compare(t.Context(), bad, ds, &split.Plan{K: 3}, eval.CompareOptions{})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	_, err := eval.Compare(t.Context(), two, ds, &split.Plan{K: 3}, eval.CompareOptions{Metric: "rmse"})
	if e := (*eval.MetricError)(nil); !errors.As(err, &e) || !slices.Contains(e.Known, "logloss") {
		t.Errorf("%v", err)
	}
}

// refusing is a learner that cannot be trained.
type refusing struct{ learn.Learner }

func (refusing) Prepare(context.Context, data.Features, []int32, []float64, learn.Env) (
	learn.Fitter, error) {
	return nil, errors.New("no")
}

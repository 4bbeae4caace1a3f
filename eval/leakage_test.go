package eval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// leakageTable is a table whose columns predict its label well, in groups of n rows that are all
// but equal.
func leakageTable(t *testing.T, rows, n int, task data.Task) *data.Dataset {
	t.Helper()
	r := rng.New(3, uint64(rows))
	a, b := make([]float64, rows), make([]float64, rows)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task}}
	y, class := make([]float64, rows), make([]uint32, rows)
	for i := range rows {
		if i%n == 0 {
			a[i], b[i] = r.Float64(), r.Float64()
			y[i] = a[i] + b[i] + r.Float64()/5
		} else {
			a[i], b[i], y[i] = a[i-1]+1e-6, b[i-1], y[i-1]
		}
		if y[i] > 1.1 {
			class[i] = 1
		}
		if n > 1 {
			ds.Target.Group = append(ds.Target.Group, int64(i/n))
		}
	}
	if task == data.Regression {
		ds.Target.Y = [][]float64{y}
	} else {
		ds.Target.Class, ds.Target.Classes = class, []string{"no", "yes"}
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}}},
		[]data.Column{data.Numbers(a), data.Numbers(b)})
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = f
	return ds
}

func leakageCheck(
	t *testing.T, ds *data.Dataset, plan *split.Plan, name string, settings ...string,
) *eval.LeakageCheck {
	t.Helper()
	l, err := catalog.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	a, err := eval.CheckLeakage(t.Context(), l, ds, plan, 8, eval.Options{Env: catalog.Env(0)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func leaks(a *eval.LeakageCheck) (names []string) {
	for _, e := range a.Leaks() {
		names = append(names, e.Of)
	}
	return names
}

var stacked = []string{"members=deep:cart,few:forest", "members.deep.prune=none",
	"members.few.trees=10"}

func TestLeakage(t *testing.T) {
	plan := &split.Plan{K: 4}
	for _, task := range []data.Task{data.Binary, data.Regression} {
		ds := leakageTable(t, 200, 1, task)
		for _, c := range []struct {
			learner   string
			settings  []string
			estimates int
		}{{"cart", nil, 1}, {"forest", []string{"trees=20"}, 2},
			{"gbm", []string{"early_stopping=5", "leaves=4"}, 2},
			{"gbm", []string{"valid_fraction=0.3", "early_stopping=5", "leaves=4"}, 2},
			{"gbm", []string{"boosting=ordered", "boosting.permutations=2",
				"early_stopping=5", "leaves=4"}, 2},
			{"anyboost", []string{"valid_fraction=0.3", "early_stopping=5", "rounds=20"}, 2},
			{"stack", stacked, 3},
			{"stack", append(slices.Clone(stacked), "outputs=label", "plan=blend"), 3}} {
			a := leakageCheck(t, ds, plan, c.learner, c.settings...)
			if len(a.Leaks()) > 0 || len(a.Estimates) != c.estimates ||
				len(a.Estimates[0].Values) != 8 {
				t.Errorf("%s: %+v", c.learner, a.Estimates)
			}
		}
		// In-sample predictions that a meta-learner is fitted to are too good to be true; the model
		// is tested on rows of other folds.
		a := leakageCheck(t, ds, plan, "stack", append(slices.Clone(stacked), "plan=naive")...)
		want := []string{"hold-out rows, member deep", "hold-out rows, member few"}
		if got := leaks(a); !slices.Equal(got, want) {
			t.Errorf("%s: %q leak, want %q: %+v", task, got, want, a.Estimates)
		}
		if e := a.Estimates[0]; e.Low < a.Chance+0.3 || !(e.Low <= e.Mean && e.Mean <= e.High) {
			t.Errorf("a tree that memorised its rows: %+v", e)
		}
	}
}

// Labels of groups stay together, so that what tears groups is found out. No plan of folds does.
func TestLeakageOfGroups(t *testing.T) {
	ds := leakageTable(t, 240, 4, data.Binary)
	if got := leaks(leakageCheck(t, ds, &split.Plan{Kind: split.Grouped, K: 4}, "stack",
		stacked...)); got != nil {
		t.Errorf("%q leak", got)
	}
	regrouped := leakageCheck(t, ds, &split.Plan{Kind: split.Grouped, K: 4}, "stack",
		append(slices.Clone(stacked), "plan=random")...)
	if got := leaks(regrouped); got != nil { // a random plan keeps groups, too
		t.Errorf("%q leak: %+v", got, regrouped.Estimates)
	}
	// Bags of rows tear groups; bags of groups do not.
	if got := leaks(leakageCheck(t, ds, &split.Plan{Kind: split.Grouped, K: 4}, "forest",
		"trees=20")); !slices.Equal(got, []string{"rows out of the bags"}) {
		t.Errorf("%q leak", got)
	}
	if got := leaks(leakageCheck(t, ds, &split.Plan{Kind: split.Grouped, K: 4}, "forest",
		"trees=20", "grouped_sampling=true")); got != nil {
		t.Errorf("%q leak", got)
	}
}

// regrouped is a learner that assigns rows to folds of its own, which tear groups.
type regrouped struct{ learn.Learner }

type regroupedFitter struct{ learn.Fitter }

func (l regrouped) Prepare(
	ctx context.Context, f data.Features, rows []int32, weight []float64, env learn.Env,
) (learn.Fitter, error) {
	inner, err := l.Learner.Prepare(ctx, f, rows, weight, env)
	return regroupedFitter{inner}, err
}

func (f regroupedFitter) Fit(
	ctx context.Context, t *data.Target, job learn.Job,
) (model.Model, error) {
	job.Plan = &split.Plan{}
	for row := range t.Group {
		job.Plan.Assign = append(job.Plan.Assign, int32(row%5))
	}
	return f.Fitter.Fit(ctx, t, job)
}

// A category that is the group has its label from the other rows, which no row of a new group has.
func TestLeakageOfTargetStatisticsInGroups(t *testing.T) {
	ds := leakageTable(t, 240, 4, data.Binary)
	field, codes := data.Field{Name: "visit", Kind: data.Categorical}, make([]uint32, ds.Rows())
	for i := range codes {
		codes[i] = uint32(ds.Target.Group[i])
	}
	for v := range 60 {
		field.Levels = append(field.Levels, fmt.Sprint("v", v))
	}
	f, err := data.NewFrame(data.Schema{Fields: append(slices.Clone(ds.Schema.Fields), field)},
		append(slices.Clone(ds.Columns), data.Codes(codes)))
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = f
	l, err := catalog.New("gbm")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set([]string{"categories=target", "early_stopping=5",
		"leaves=4"}); err != nil {
		t.Fatal(err)
	}
	both := []string{"hold-out rows, choice of rounds", "hold-out rows, target statistics"}
	for _, c := range []struct {
		learner learn.Learner
		leaks   []string
	}{{l, nil}, {regrouped{l}, both}} {
		a, err := eval.CheckLeakage(t.Context(), c.learner, ds,
			&split.Plan{Kind: split.Grouped, K: 4}, 6, eval.Options{Env: catalog.Env(0)})
		if err != nil {
			t.Fatal(err)
		}
		if got := leaks(a); !slices.Equal(got, c.leaks) || len(a.Estimates) != 3 ||
			a.Estimates[0].Of != both[0] || a.Estimates[1].Of != both[1] {
			t.Errorf("%q leak, want %q: %+v", got, c.leaks, a.Estimates)
		}
	}
}

func TestLeakageRefuses(t *testing.T) {
	ds := leakageTable(t, 40, 1, data.Binary)
	l, err := catalog.New("cart")
	if err != nil {
		t.Fatal(err)
	}
	stop := learn.Round{}
	for want, c := range map[string]struct {
		ds       *data.Dataset
		plan     *split.Plan
		shuffles int
	}{
		"one number or classes":             {&data.Dataset{Frame: ds.Frame}, &split.Plan{K: 2}, 4},
		"1 shuffles: at least 2":            {ds, &split.Plan{K: 2}, 1},
		"shuffle 1 of 4: 41 folds are more": {ds, &split.Plan{K: 41}, 4},
	} {
		_, err := eval.CheckLeakage(t.Context(), l, c.ds, c.plan, c.shuffles,
			eval.Options{Observe: func(r learn.Round) error { stop = r; return nil }})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := eval.CheckLeakage(t.Context(), l, ds, &split.Plan{K: 2}, 2,
		eval.Options{Observe: func(r learn.Round) error { stop = r; return nil }}); err != nil ||
		stop.N != 2 {
		t.Errorf("%v, reported of %+v", err, stop)
	}
}

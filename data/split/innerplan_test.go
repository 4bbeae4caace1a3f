package split_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

func TestLeaveOneOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		p.target.Time = nil
		want := len(p.distinct())
		if rapid.Bool().Draw(t, "grouped") {
			want = len(countBy(p.distinct(), p.target.Group))
		} else {
			p.target.Group = nil
		}
		plan := split.Plan{Kind: split.LeaveOneOut}
		folds, err := plan.Folds(&p.target, p.rows)
		if want != split.LeaveOneOut.MaxFolds(&p.target, p.rows) {
			t.Fatalf("at most %d folds, want %d", split.LeaveOneOut.MaxFolds(&p.target, p.rows),
				want)
		}
		if want < 2 {
			if err == nil {
				t.Fatal("one row is left out of nothing")
			}
			return
		}
		if err != nil || len(folds) != want {
			t.Fatalf("%d folds, want %d: %v", len(folds), want, err)
		}
		checkRotation(t, &p, folds)
		for _, f := range folds {
			held := countBy(f.Test, p.target.Class)
			if p.target.Group != nil {
				if groups := countBy(f.Test, p.target.Group); len(groups) != 1 {
					t.Fatalf("a fold tests groups %v", groups)
				}
			} else if len(held) != 1 || held[p.target.Class[f.Test[0]]] != 1 {
				t.Fatalf("a fold tests rows %v", f.Test)
			}
		}
	})
}

// Rows that a plan keeps together or in order are so in plans within its folds.
func TestPlansWithinFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		outer := &split.Plan{K: rapid.IntRange(2, 5).Draw(t, "k"),
			Seed: rapid.Uint64().Draw(t, "seed"),
			Kind: rapid.SampledFrom([]split.Kind{split.Auto, split.Random,
				split.Stratified, split.Grouped, split.ByTime, split.LeaveOneOut}).Draw(t,
				"kind")}
		folds, err := outer.Folds(&p.target, p.rows)
		if err != nil {
			return
		}
		for i, fold := range folds {
			within := outer.Within(i).For(&p.target, fold.Train, 4, 9)
			if within == nil {
				continue
			}
			inner, err := within.Folds(&p.target, fold.Train)
			if err != nil {
				t.Fatalf("within fold %d: %v", i, err)
			}
			for _, f := range inner {
				if slices.ContainsFunc(slices.Concat(f.Train, f.Test),
					func(r int32) bool { return slices.Contains(fold.Test, r) }) {
					t.Fatalf("a row of the test set of fold %d is in a fold within", i)
				}
				switch kind := outer.KindFor(&p.target); kind {
				case split.Grouped, split.LeaveOneOut:
					for group := range countBy(f.Test, p.target.Group) {
						if countBy(f.Train, p.target.Group)[group] > 0 {
							t.Fatalf("%s: group %d is on both sides within fold %d", kind, group, i)
						}
					}
				case split.ByTime:
					_, last := timesOf(f.Train, p.target.Time)
					if first, _ := timesOf(f.Test, p.target.Time); last >= first {
						t.Fatalf("within fold %d rows up to time %d are trained on for time %d", i,
							last, first)
					}
				}
			}
		}
	})
}

func TestPlanFor(t *testing.T) {
	target := &data.Target{Class: []uint32{0, 1, 0, 1, 0, 1}, Group: []int64{1, 1, 2, 2, 3, 3}}
	times := &data.Target{Time: []int64{1, 2, 3, 4, 5, 6}}
	both := &data.Target{Group: target.Group, Time: times.Time}
	free := &data.Target{}
	all := data.AllRows(6)
	assigned := &split.Plan{Assign: []int32{0, 1, 2, -1, 1, 0}}
	for _, c := range []struct {
		name   string
		plan   *split.Plan
		target *data.Target
		rows   []int32
		want   *split.Plan
	}{
		{"no plan", nil, free, all, &split.Plan{Kind: split.Random, K: 4, Seed: 8}},
		{"no plan, groups", nil, target, all, &split.Plan{Kind: split.Grouped, K: 3, Seed: 8}},
		{"groups, random", &split.Plan{Kind: split.Random, Seed: 1}, target, all, &split.Plan{Kind: split.Grouped, K: 3, Seed: 8}},
		{"groups in time", nil, both, all, &split.Plan{Kind: split.ByTime, K: 2, Seed: 8}},
		{"groups of later rows", nil, &data.Target{Group: []int64{1, 1, 1, 2, 2, 2}, Time: []int64{1, 2, 3, 4, 5, 6}}, all, nil},
		{"a kind", &split.Plan{Kind: split.ByTime, Seed: 1}, times, all, &split.Plan{Kind: split.ByTime, K: 4, Seed: 8}},
		{"its own folds", &split.Plan{Kind: split.Random, K: 5, Seed: 1}, free, all, &split.Plan{Kind: split.Random, K: 5, Seed: 1}},
		{"fewer rows than folds", &split.Plan{Kind: split.Random, K: 5, Seed: 1}, free, all[:3], &split.Plan{Kind: split.Random, K: 3, Seed: 1}},
		{"each row", &split.Plan{Kind: split.LeaveOneOut, K: 2}, free, all, &split.Plan{Kind: split.LeaveOneOut, K: 6}},
		{"one row", nil, free, all[:1], nil},
		{"one group", nil, target, all[:2], nil},
		{"no row", nil, free, nil, nil},
		{"assigned", assigned, target, all, assigned},
	} {
		if diff := cmp.Diff(c.want, c.plan.For(c.target, c.rows, 4, 8)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if got := (&split.Plan{Kind: split.Grouped}).For(free, all, 4, 8); got == nil {
		t.Error("groups that are not there are not missed")
	} else if _, err := got.Folds(free, all); err == nil {
		t.Error("groups that are not there are no error")
	}
}

func TestKeepsGroups(t *testing.T) {
	grouped := &data.Target{Group: []int64{1, 1, 2}, Time: []int64{1, 2, 3}}
	for _, c := range []struct {
		plan *split.Plan
		want bool
	}{{nil, true}, {&split.Plan{K: 2}, true}, {&split.Plan{Kind: split.Grouped}, true},
		{&split.Plan{Kind: split.LeaveOneOut}, true},
		{&split.Plan{Kind: split.Random}, true}, {&split.Plan{Kind: split.ByTime}, true},
		{&split.Plan{Assign: []int32{0, 1, 1}}, false}} {
		if got := c.plan.KeepsGroups(grouped); got != c.want {
			t.Errorf("%+v: %v", c.plan, got)
		}
		if c.plan.KeepsGroups(&data.Target{Time: grouped.Time}) {
			t.Errorf("%+v keeps groups where there are none", c.plan)
		}
	}
}

func TestAssignedWithin(t *testing.T) {
	plan := &split.Plan{Assign: []int32{0, 1, 2, 0, 1, 2, -1}, Seed: 5}
	if diff := cmp.Diff(&split.Plan{Assign: []int32{0, -1, 1, 0, -1, 1, -1}, K: 2, Seed: 5},
		plan.Within(1)); diff != "" {
		t.Error(diff)
	}
	if got := plan.Within(-1); got != plan {
		t.Errorf("within all rows: %v", got)
	}
	if got := (*split.Plan)(nil).Within(2); got != nil {
		t.Errorf("within no plan: %v", got)
	}
	halves := &split.Plan{Assign: []int32{0, 1, 0, 1}}
	if got := halves.Within(0); got != nil {
		t.Errorf("within one of two folds: %v", got)
	}
	if got := (&split.Plan{Assign: []int32{0, -1, 0}}).Within(-1); got != nil {
		t.Errorf("within the one fold that holds rows back: %v", got)
	}
}

func TestSplitLeavingGroupsOut(t *testing.T) {
	target := &data.Target{Group: []int64{1, 1, 2, 2, 3, 3, 4, 4}}
	once := split.HoldOut{Kind: split.LeaveOneOut, Valid: 0.25}
	train, valid, _, err := once.Sets(target, data.AllRows(8))
	if err != nil || len(valid) != 2 || len(train) != 6 ||
		target.Group[valid[0]] != target.Group[valid[1]] {
		t.Errorf("%v and %v: %v", train, valid, err)
	}
	if _, valid, _, err = once.Sets(&data.Target{}, data.AllRows(8)); err != nil ||
		len(valid) != 2 {
		t.Errorf("%v: %v", valid, err)
	}
}

// TestShort: a plan reports how many folds were requested where it has fewer.
func TestShort(t *testing.T) {
	target := &data.Target{Task: data.Regression, Y: [][]float64{make([]float64, 6)},
		Group: []int64{1, 1, 2, 2, 3, 3}}
	times := &data.Target{Time: []int64{1, 2, 3, 4, 5, 6}}
	rows := data.AllRows(6)
	for _, c := range []struct {
		given *split.Plan
		k     int
		want  int
	}{
		{nil, 3, 0}, {nil, 4, 4},
		{&split.Plan{Kind: split.Random}, 6, 0}, {&split.Plan{Kind: split.Random}, 7, 7},
		{&split.Plan{Kind: split.Random, K: 9}, 2, 9}, {&split.Plan{Kind: split.ByTime, K: 6}, 2, 6},
		{&split.Plan{Kind: split.LeaveOneOut}, 50, 0}, {&split.Plan{Assign: []int32{0, 1, 2, 0, 1, 2}}, 50, 0},
	} {
		target := target
		switch {
		case c.given != nil && c.given.Kind == split.ByTime:
			target = times
		case c.given != nil && c.given.Kind == split.Random:
			target = &data.Target{}
		}
		if got := c.given.Short(c.given.For(target, rows, c.k, 1), c.k); got != c.want {
			t.Errorf("%+v, %d folds: %d were requested, want %d", c.given, c.k, got, c.want)
		}
	}
	if got := (*split.Plan)(nil).Short(nil, 5); got != 0 {
		t.Errorf("no plan: %d", got)
	}
}

// TestSplitUnderAnAssignedPlan: a fraction is split off by the roles of the target, of which the
// plan's own folds know nothing.
func TestSplitUnderAnAssignedPlan(t *testing.T) {
	plan := &split.Plan{Assign: []int32{0, 1, 0, 1}}
	groups, times := []int64{1, 1, 2, 2}, []int64{1, 2, 3, 4}
	for _, c := range []struct {
		target data.Target
		want   split.Kind
	}{
		{data.Target{Class: []uint32{0, 1, 0, 1}}, split.Random},
		{data.Target{Group: groups}, split.Grouped},
		{data.Target{Group: groups, Time: times}, split.ByTime},
	} {
		if got := plan.HoldOutFor(&c.target, 1, 0.5); got.Kind != c.want || plan.KindFor(&c.target) !=
			split.Random {
			t.Errorf("%s, want %s", got.Kind, c.want)
		}
	}
	if got := (*split.Plan)(nil).HoldOutFor(&data.Target{Time: times}, 1, 0.5); got.Kind != split.ByTime {
		t.Errorf("no plan: %s", got.Kind)
	}
}

package split_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// problem is a target and a choice of its rows, some of them perhaps repeated, in any order.
type problem struct {
	target data.Target
	rows   []int32
}

// distinct returns the chosen rows, each once, ascending.
func (p *problem) distinct() []int32 {
	rows := slices.Clone(p.rows)
	slices.Sort(rows)
	return slices.Compact(rows)
}

func randomProblem(t *rapid.T) problem {
	n := rapid.IntRange(2, 60).Draw(t, "n")
	var p problem
	for range n {
		p.target.Class = append(p.target.Class, uint32(rapid.IntRange(0, 3).Draw(t, "class")))
		p.target.Group = append(p.target.Group, int64(rapid.IntRange(-5, 5).Draw(t, "group")))
		p.target.Time = append(p.target.Time, int64(rapid.IntRange(-9, 9).Draw(t, "time")))
	}
	p.target.Classes = []string{"a", "b", "c", "d"}
	p.rows = rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 1, 2*n).Draw(t, "rows")
	return p
}

// countBy counts the distinct rows of each value.
func countBy[T comparable](rows []int32, values []T) map[T]int {
	counts := map[T]int{}
	for i, row := range rows {
		if i == 0 || row != rows[i-1] {
			counts[values[row]]++
		}
	}
	return counts
}

// checkPartition fails unless sets are ascending, have no row in common and hold together all rows
// with their multiplicity.
func checkPartition(t *rapid.T, rows []int32, parts ...[]int32) {
	var all []int32
	where := map[int32]int{}
	for i, part := range parts {
		if !slices.IsSorted(part) {
			t.Fatalf("set %d is not ascending: %v", i, part)
		}
		for _, row := range part {
			if other, ok := where[row]; ok && other != i {
				t.Fatalf("row %d is in sets %d and %d", row, other, i)
			}
			where[row] = i
		}
		all = append(all, part...)
	}
	rows = slices.Clone(rows)
	slices.Sort(rows)
	slices.Sort(all)
	if !slices.Equal(rows, all) {
		t.Fatalf("sets hold %v, want %v", all, rows)
	}
}

func randomFolds(t *rapid.T, kind split.Kind, p *problem) (folds []split.Fold, k int) {
	plan := split.Plan{Kind: kind, K: rapid.IntRange(2, 6).Draw(t, "k"),
		Seed: rapid.Uint64().Draw(t, "seed")}
	folds, err := plan.Folds(&p.target, p.rows)
	if err != nil {
		return nil, plan.K
	}
	if len(folds) != plan.K {
		t.Fatalf("%d folds, want %d", len(folds), plan.K)
	}
	shuffled := rapid.Permutation(p.rows).Draw(t, "shuffled")
	again, err := plan.Folds(&p.target, shuffled)
	if diff := cmp.Diff(folds, again); err != nil || diff != "" {
		t.Fatalf("the order of rows matters: %v %s", err, diff)
	}
	return folds, plan.K
}

// checkRotation fails unless each fold splits the rows, and each row is tested once.
func checkRotation(t *rapid.T, p *problem, folds []split.Fold) {
	var tests [][]int32
	for _, f := range folds {
		checkPartition(t, p.rows, f.Train, f.Test)
		tests = append(tests, f.Test)
	}
	checkPartition(t, p.rows, tests...)
}

func spreadOf(sizes []int) int { return slices.Max(sizes) - slices.Min(sizes) }

func TestRandomAndStratifiedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		p.target.Group, p.target.Time = nil, nil
		kind := rapid.SampledFrom([]split.Kind{split.Random, split.Stratified}).Draw(t,
			"kind")
		folds, k := randomFolds(t, kind, &p)
		if folds == nil {
			if k <= len(p.distinct()) {
				t.Fatalf("no %d folds of %d rows", k, len(p.distinct()))
			}
			return
		}
		checkRotation(t, &p, folds)
		var sizes []int
		for _, f := range folds {
			sizes = append(sizes, len(slices.Compact(slices.Clone(f.Test))))
		}
		if spreadOf(sizes) > 1 {
			t.Fatalf("test sizes %v", sizes)
		}
		if kind == split.Random {
			return
		}
		for class := range uint32(4) {
			var rows []int
			for _, f := range folds {
				rows = append(rows, countBy(f.Test, p.target.Class)[class])
			}
			if spreadOf(rows) > 1 {
				t.Fatalf("class %d has %v rows in the folds", class, rows)
			}
		}
	})
}

func TestGroupedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		p.target.Class, p.target.Time = nil, nil
		groups := countBy(p.distinct(), p.target.Group)
		folds, k := randomFolds(t, split.Grouped, &p)
		if folds == nil {
			if k <= len(groups) {
				t.Fatalf("no %d folds of %d groups", k, len(groups))
			}
			return
		}
		checkRotation(t, &p, folds)
		largest := 0
		for _, size := range groups {
			largest = max(largest, size)
		}
		var sizes []int
		for i, f := range folds {
			size := 0
			for group, rows := range countBy(f.Test, p.target.Group) {
				if rows != groups[group] {
					t.Fatalf("fold %d tests %d of the %d rows of group %d", i, rows,
						groups[group], group)
				}
				size += rows
			}
			sizes = append(sizes, size)
		}
		// The group that made the largest fold went to the smallest of its time, and folds never
		// shrink.
		if slices.Min(sizes) < 1 || spreadOf(sizes) > largest {
			t.Fatalf("test sizes %v with groups of up to %d", sizes, largest)
		}
	})
}

func timesOf(rows []int32, times []int64) (first, last int64) {
	first, last = times[rows[0]], times[rows[0]]
	for _, row := range rows {
		first, last = min(first, times[row]), max(last, times[row])
	}
	return first, last
}

func TestTimeFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		p.target.Group = nil
		folds, k := randomFolds(t, split.ByTime, &p)
		if folds == nil {
			if n := len(countBy(p.distinct(), p.target.Time)); k+1 <= n {
				t.Fatalf("no %d folds of %d times", k, n)
			}
			return
		}
		for i, f := range folds {
			_, last := timesOf(f.Train, p.target.Time)
			first, _ := timesOf(f.Test, p.target.Time)
			if last >= first {
				t.Fatalf("fold %d trains up to time %d and tests from %d", i, last, first)
			}
			if i+1 < len(folds) {
				next := slices.Concat(f.Train, f.Test)
				slices.Sort(next)
				if !slices.Equal(next, folds[i+1].Train) {
					t.Fatalf("fold %d does not train on all rows of fold %d", i+1, i)
				}
			} else {
				checkPartition(t, p.rows, f.Train, f.Test)
			}
		}
	})
}

func TestTimeFoldsOfEvenTimes(t *testing.T) {
	target := &data.Target{Time: []int64{80, 10, 70, 20, 60, 30, 50, 40}}
	folds := must((&split.Plan{K: 3}).Folds(target, data.AllRows(8)))(t)
	want := []split.Fold{
		{Train: []int32{1, 3}, Test: []int32{5, 7}},
		{Train: []int32{1, 3, 5, 7}, Test: []int32{4, 6}},
		{Train: []int32{1, 3, 4, 5, 6, 7}, Test: []int32{0, 2}},
	}
	if diff := cmp.Diff(want, folds); diff != "" {
		t.Error(diff)
	}
}

// The folds of a seed are part of the contract "same data, parameters and seed, same bytes".
func TestFoldsOfASeed(t *testing.T) {
	target := &data.Target{Class: []uint32{0, 0, 0, 0, 1, 1, 1, 2, 2},
		Group: []int64{7, 7, 7, 8, 8, 9, 9, 9, 9}}
	tests := func(plan split.Plan) (rows [][]int32) {
		own := *target
		if plan.Kind != split.Grouped {
			own.Group = nil
		}
		for _, f := range must(plan.Folds(&own, data.AllRows(9)))(t) {
			rows = append(rows, f.Test)
		}
		return rows
	}
	for _, c := range []struct {
		plan split.Plan
		want [][]int32
	}{
		{split.Plan{Kind: split.Random, K: 3, Seed: 1}, [][]int32{{1, 6, 8}, {0, 3, 5}, {2, 4, 7}}},
		{split.Plan{Kind: split.Stratified, K: 3, Seed: 1}, [][]int32{{1, 2, 6}, {0, 4, 7}, {3, 5, 8}}},
		{split.Plan{Kind: split.Grouped, K: 3, Seed: 1}, [][]int32{{5, 6, 7, 8}, {0, 1, 2}, {3, 4}}},
	} {
		if diff := cmp.Diff(c.want, tests(c.plan)); diff != "" {
			t.Errorf("%s: %s", c.plan.Kind, diff)
		}
	}
	if slices.EqualFunc(tests(split.Plan{Kind: split.Random, K: 3, Seed: 1}),
		tests(split.Plan{Kind: split.Random, K: 3, Seed: 2}), slices.Equal) {
		t.Error("seeds 1 and 2 give the same folds")
	}
}

func TestAssignedFolds(t *testing.T) {
	plan := split.Plan{Assign: []int32{1, 0, -1, 1, 0}}
	folds := must(plan.Folds(nil, []int32{4, 0, 1, 2, 0}))(t)
	want := []split.Fold{
		{Train: []int32{0, 0, 2}, Test: []int32{1, 4}},
		{Train: []int32{1, 2, 4}, Test: []int32{0, 0}},
	}
	if diff := cmp.Diff(want, folds); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		plan split.Plan
		rows []int32
		want string
	}{
		{plan, []int32{0, 5}, "row 5 has no fold: the plan assigns 5 rows"},
		{plan, []int32{0, 2, 3}, "3 training and 0 test rows to fold 0"},
		{split.Plan{Assign: []int32{-1, -1}}, []int32{0, 1}, "the plan assigns no row to a fold"},
		{split.Plan{Assign: []int32{0, -2}}, []int32{0, 1}, "row 1 is assigned to fold -2 of 1"},
		{split.Plan{Assign: []int32{0, 2}, K: 2}, []int32{0, 1}, "row 1 is assigned to fold 2 of 2"},
		{split.Plan{Assign: []int32{0, 0}}, []int32{0, 1}, "0 training and 2 test rows to fold 0"},
		{split.Plan{Assign: []int32{0, 1 << 30}}, []int32{0, 1}, "more than the 2 rows"},
	} {
		_, err := c.plan.Folds(nil, c.rows)
		wantError(t, err, c.want)
	}
}

func TestFoldsRefused(t *testing.T) {
	target := &data.Target{Class: []uint32{0, 1, 0}}
	times := &data.Target{Class: target.Class, Time: []int64{1, 1, 2}}
	grouped := &data.Target{Class: target.Class, Group: []int64{5, 5, 6}}
	both := &data.Target{Class: target.Class, Time: times.Time, Group: grouped.Group}
	panel := &data.Target{Time: []int64{1, 1, 2, 2}, Group: []int64{5, 6, 5, 6}}
	for _, c := range []struct {
		plan   split.Plan
		target *data.Target
		rows   []int32
		want   string
	}{
		{split.Plan{K: 1}, target, data.AllRows(3), "1 folds: at least 2 are needed"},
		{split.Plan{K: 4}, target, data.AllRows(3), "4 folds are more than the 3 rows"},
		{split.Plan{K: 3, Kind: split.Random}, target, []int32{0, 1, 1, 1}, "3 folds are more than the 2 rows"},
		{split.Plan{K: 2}, target, nil, "there are no rows to split"},
		{split.Plan{K: 2}, target, []int32{-1, 0}, "row number -1 is negative"},
		{split.Plan{K: 2}, target, []int32{0, 3}, "row 3 is outside the target, which has 3 rows"},
		{split.Plan{K: 3, Kind: split.Grouped}, grouped, data.AllRows(3), "3 folds are more than the 2 groups"},
		{split.Plan{K: 2, Kind: split.ByTime}, times, data.AllRows(3), "2 different times cannot make 3 sets"},
		{split.Plan{K: 2, Kind: split.Grouped}, &data.Target{}, data.AllRows(3), "needs groups"},
		{split.Plan{K: 2, Kind: split.ByTime}, &data.Target{}, data.AllRows(3), "needs times"},
		{split.Plan{K: 2, Kind: split.Random}, times, data.AllRows(3), "a random plan does not keep the order of time: use plan time, or name no time column"},
		{split.Plan{K: 2, Kind: split.Stratified}, both, data.AllRows(3), "a stratified plan does not keep the order of time"},
		{split.Plan{Kind: split.LeaveOneOut}, times, data.AllRows(3), "a leave-one-out plan does not keep the order of time"},
		{split.Plan{K: 2, Kind: split.Grouped}, times, data.AllRows(3), "needs groups"},
		{split.Plan{K: 2}, &data.Target{Time: []int64{1, 2, 3, 4}, Group: []int64{5, 5, 5, 5}}, data.AllRows(4), "the training set of a fold has no rows: all earlier rows are of groups in a later set"},
		{split.Plan{K: 2}, panel, data.AllRows(4), "2 different times cannot make 3 sets"},
		{split.Plan{K: 2, Kind: 99}, target, data.AllRows(3), "unknown plan kind 99"},
	} {
		_, err := c.plan.Folds(c.target, c.rows)
		wantError(t, err, c.want)
	}
}

func TestMaxFolds(t *testing.T) {
	grouped, times := []int64{7, 7, 8, 9}, []int64{1, 2, 2, 2}
	for _, c := range []struct {
		kind split.Kind
		rows []int32
		want int
	}{
		{split.Random, []int32{0, 1, 1, 3}, 3},
		{split.Stratified, []int32{0, 1, 2, 3}, 4},
		{split.Grouped, []int32{0, 1, 2}, 2},
		{split.Auto, []int32{0, 1, 2, 3}, 3},
		{split.ByTime, []int32{0, 1, 2, 3}, 1},
		{split.ByTime, nil, -1},
	} {
		target := &data.Target{}
		switch c.kind {
		case split.Auto, split.Grouped:
			target.Group = grouped
		case split.ByTime:
			target.Time = times
		}
		if got := c.kind.MaxFolds(target, c.rows); got != c.want {
			t.Errorf("%s of rows %v: %d, want %d", c.kind, c.rows, got, c.want)
		}
		if c.want < 2 {
			continue
		}
		if _, err := (&split.Plan{Kind: c.kind, K: c.want}).Folds(target, c.rows); err != nil {
			t.Errorf("%s of rows %v: %v", c.kind, c.rows, err)
		}
		if _, err := (&split.Plan{Kind: c.kind, K: c.want + 1}).Folds(target, c.rows); err == nil {
			t.Errorf("%s of rows %v: one more fold than the most is no error", c.kind, c.rows)
		}
	}
}

func TestDefaultKind(t *testing.T) {
	class, times := []uint32{0}, []int64{1}
	for _, c := range []struct {
		target data.Target
		want   split.Kind
	}{
		{data.Target{Class: class, Time: times, Group: times}, split.ByTime},
		{data.Target{Class: class, Group: times}, split.Grouped},
		{data.Target{Class: class, Time: times}, split.ByTime},
		{data.Target{Class: class}, split.Stratified},
		{data.Target{Y: [][]float64{{1}}}, split.Random},
	} {
		if got := split.DefaultKind(&c.target); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestPlanIsAJSONValue(t *testing.T) {
	plan := split.Plan{Kind: split.ByTime, K: 5, Seed: 1<<64 - 1, Assign: []int32{0, -1}}
	text := must(json.Marshal(plan))(t)
	if want := `{"kind":"time","k":5,"seed":18446744073709551615,"assign":[0,-1]}`; string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
	var back split.Plan
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plan, back); diff != "" {
		t.Error(diff)
	}
	wantError(t, json.Unmarshal([]byte(`{"kind":"lucky"}`), &back), `unknown plan "lucky"`)
}

// A stratified plan of a regression target is a random plan.
func TestStratifiedRegression(t *testing.T) {
	target := &data.Target{Y: [][]float64{{1, 2, 3, 4, 5}}}
	a := must((&split.Plan{Kind: split.Stratified, K: 2, Seed: 3}).Folds(target,
		data.AllRows(5)))(t)
	b := must((&split.Plan{Kind: split.Random, K: 2, Seed: 3}).Folds(nil, data.AllRows(5)))(t)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

// must returns v of a call that may not fail.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// wantError fails unless err has all the texts in it and is one line.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not contain %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q has several lines", err)
	}
}

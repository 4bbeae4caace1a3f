package split_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// allKinds are the kinds of plans.
var allKinds = []split.Kind{split.Auto, split.Random, split.Stratified,
	split.Grouped, split.ByTime, split.LeaveOneOut}

// randomRoles is a problem with some of the roles: classes, groups, times and weights.
func randomRoles(t *rapid.T) problem {
	p := randomProblem(t)
	if rapid.Bool().Draw(t, "no classes") {
		p.target.Class, p.target.Classes = nil, nil
	}
	if rapid.Bool().Draw(t, "no groups") {
		p.target.Group = nil
	}
	if rapid.Bool().Draw(t, "no times") {
		p.target.Time = nil
	}
	if rapid.Bool().Draw(t, "weights") {
		for range max(len(p.target.Class), 60) {
			p.target.Weight = append(p.target.Weight,
				float64(rapid.IntRange(0, 2).Draw(t, "weight")))
		}
	}
	return p
}

// checkSides fails where a group is on both sides, where a row to train on is not earlier than one
// to test on, or where a row of weight 0 is on a side.
func checkSides(t *rapid.T, what string, target *data.Target, rows, before, after []int32) {
	if target.Group != nil {
		later := countBy(after, target.Group)
		for group := range countBy(before, target.Group) {
			if later[group] > 0 {
				t.Fatalf("%s: group %d is on both sides", what, group)
			}
		}
	}
	if target.Time != nil {
		_, last := timesOf(before, target.Time)
		if first, _ := timesOf(after, target.Time); last >= first {
			t.Fatalf("%s: trains up to time %d, tests from %d", what, last, first)
		}
	}
	weighty := target.WithWeight(rows)
	for _, r := range slices.Concat(before, after) {
		if !slices.Contains(weighty, r) {
			t.Fatalf("%s: row %d of weight 0 is on a side", what, r)
		}
	}
}

// Whatever the kind of a plan and the roles of the target, no group is on both sides, time does not
// run backwards, and rows of weight 0 are on none: in folds, in sets and in the folds within.
func TestAllPlansKeepAllRoles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomRoles(t)
		kind := rapid.SampledFrom(allKinds).Draw(t, "kind")
		plan := &split.Plan{Kind: kind, K: rapid.IntRange(2, 5).Draw(t, "k"),
			Seed: rapid.Uint64().Draw(t, "seed")}
		folds, err := plan.Folds(&p.target, p.rows)
		for i, f := range folds {
			if err != nil {
				break
			}
			checkSides(t, fmt.Sprint(kind, " fold ", i), &p.target, p.rows, f.Train, f.Test)
			within := plan.Within(i).For(&p.target, f.Train, 3, 9)
			if within == nil {
				continue
			}
			inner, err := within.Folds(&p.target, f.Train)
			if err != nil {
				t.Fatalf("within fold %d: %v", i, err)
			}
			for _, g := range inner {
				checkSides(t, "within", &p.target, f.Train, g.Train, g.Test)
			}
		}
		s := split.HoldOut{Kind: kind, Seed: plan.Seed,
			Valid: rapid.SampledFrom([]float64{0, 0.2, 0.4}).Draw(t, "valid"), Test: 0.3}
		train, valid, test, err := s.Sets(&p.target, p.rows)
		if err != nil {
			return
		}
		if len(train) == 0 || len(test) == 0 || len(valid) == 0 && s.Valid > 0 {
			t.Fatalf("sets of %d, %d and %d rows", len(train), len(valid), len(test))
		}
		if s.Valid > 0 {
			checkSides(t, "validation set", &p.target, p.rows, train, valid)
			checkSides(t, "validation and test set", &p.target, p.rows, valid, test)
		}
		checkSides(t, "test set", &p.target, p.rows, train, test)
	})
}

// A row of weight 0 is absent: folds and sets are those of the table without it.
func TestPlansWithoutWeightlessRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomRoles(t)
		kind := rapid.SampledFrom(allKinds).Draw(t, "kind")
		plan := &split.Plan{Kind: kind, K: 3, Seed: 7}
		a, errA := plan.Folds(&p.target, p.rows)
		s := &split.HoldOut{Kind: kind, Valid: 0.2, Test: 0.3, Seed: 7}
		train, valid, test, errS := s.Sets(&p.target, p.rows)
		most := kind.MaxFolds(&p.target, p.rows)

		rows := p.target.WithWeight(p.rows)
		p.target.Weight = nil
		b, errB := plan.Folds(&p.target, rows)
		if fmt.Sprint(a, errA) != fmt.Sprint(b, errB) {
			t.Fatalf("folds %v %v, without the rows %v %v", a, errA, b, errB)
		}
		if m := kind.MaxFolds(&p.target, rows); m != most {
			t.Fatalf("at most %d folds, without the rows %d", most, m)
		}
		u, v, w, errT := s.Sets(&p.target, rows)
		if fmt.Sprint(train, valid, test, errS) != fmt.Sprint(u, v, w, errT) {
			t.Fatal("sets differ from those without the rows")
		}
	})
}

// Groups of one class each: the rows of each class are spread over the folds as evenly as its
// groups allow, so that a class with a group for each fold is in all of them.
func TestGroupedFoldsOfClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 5).Draw(t, "k")
		target := &data.Target{Classes: []string{"a", "b", "c"}}
		largest := make([]int, 3)
		for group := range k * 3 {
			class := group % 3
			size := rapid.IntRange(1, 6).Draw(t, "size")
			largest[class] = max(largest[class], size)
			for range size {
				target.Class = append(target.Class, uint32(class))
				target.Group = append(target.Group, int64(group))
			}
		}
		plan := split.Plan{Kind: split.Grouped, K: k, Seed: rapid.Uint64().Draw(t, "seed")}
		folds, err := plan.Folds(target, data.AllRows(len(target.Class)))
		if err != nil {
			t.Fatal(err)
		}
		for class := range uint32(3) {
			var rows []int
			for _, f := range folds {
				rows = append(rows, countBy(f.Test, target.Class)[class])
			}
			if slices.Min(rows) == 0 || spreadOf(rows) > largest[class] {
				t.Fatalf("class %d has %v rows in the folds", class, rows)
			}
		}
	})
}

// Earlier rows of a group that is tested are counted.
func TestLeftOutRowsAreCounted(t *testing.T) {
	target := &data.Target{Time: []int64{1, 2, 3, 4, 5, 6}, Group: []int64{1, 2, 3, 1, 4, 2}}
	folds := must((&split.Plan{K: 2}).Folds(target, data.AllRows(6)))(t)
	if got := fmt.Sprint(folds); got != "[{[1] [2 3] 1} {[0 2 3] [4 5] 1}]" ||
		split.LeftOut(folds) != 2 {
		t.Errorf("%s, %d left out", got, split.LeftOut(folds))
	}
	train, valid, test, err := split.HoldOut{Valid: 0.33, Test: 0.33}.Sets(target, data.AllRows(6))
	if got := fmt.Sprint(train, valid, test, err); got != "[] [] [] the training set has no rows: "+
		"all earlier rows are of groups in a later set; name no time column, or no group column" {
		t.Error(got)
	}
	train, _, test, err = split.HoldOut{Test: 0.33}.Sets(target, data.AllRows(6))
	if got := fmt.Sprint(train, test, err); !strings.HasPrefix(got, "[0 2 3] [4 5] <nil>") {
		t.Error(got)
	}
}

// The 31 subjects of a table have one class each, 16 and 15 of them. Each of ten folds has both
// classes, by any seed and by any plan that groups can be combined with.
func TestEachFoldHasBothClasses(t *testing.T) {
	text, err := os.ReadFile("testdata/subjects.csv")
	if err != nil {
		t.Fatal(err)
	}
	target := &data.Target{Classes: []string{"a", "b"}}
	for _, line := range strings.Fields(string(text))[1:] {
		fields := strings.Split(line, ",")
		subject, err := strconv.Atoi(strings.TrimPrefix(fields[2], "s"))
		if err != nil {
			t.Fatal(err)
		}
		target.Class = append(target.Class, uint32(fields[1][0]-'a'))
		target.Group = append(target.Group, int64(subject))
	}
	rows := data.AllRows(len(target.Class))
	for seed := range uint64(200) {
		for _, kind := range []split.Kind{split.Auto, split.Random, split.Stratified,
			split.Grouped} {
			folds := must((&split.Plan{Kind: kind, K: 10, Seed: seed}).Folds(target, rows))(t)
			for i, f := range folds {
				if len(countBy(f.Test, target.Class)) != 2 {
					t.Fatalf("%s, seed %d: fold %d has one class", kind, seed, i)
				}
			}
			s := split.HoldOut{Kind: kind, Seed: seed, Valid: 0.2, Test: 0.2}
			train, valid, test, err := s.Sets(target, rows)
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range [][]int32{train, valid, test} {
				if len(countBy(set, target.Class)) != 2 {
					t.Fatalf("%s, seed %d: a set of %d rows has one class", kind, seed, len(set))
				}
			}
		}
	}
}

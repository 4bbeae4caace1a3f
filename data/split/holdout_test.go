package split_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// wantSize is the number of distinct rows of a set where the fractions do not conflict.
func wantSize(fraction float64, rows int) int {
	if fraction == 0 {
		return 0
	}
	return max(1, int(math.Round(fraction*float64(rows))))
}

func distinctCount(rows []int32) int { return len(slices.Compact(slices.Clone(rows))) }

func TestSets(t *testing.T) {
	fraction := rapid.SampledFrom([]float64{0, 0.01, 0.1, 0.2, 0.25, 1. / 3, 0.45})
	rapid.Check(t, func(t *rapid.T) {
		p := randomProblem(t)
		s := split.HoldOut{
			Kind: rapid.SampledFrom([]split.Kind{split.Random, split.Stratified,
				split.Grouped, split.ByTime}).Draw(t, "kind"),
			Seed:  rapid.Uint64().Draw(t, "seed"),
			Valid: fraction.Draw(t, "valid"), Test: fraction.Draw(t, "test"),
		}
		if s.Kind != split.Grouped {
			p.target.Group = nil
		}
		if s.Kind != split.ByTime {
			p.target.Time = nil
		}
		rows := p.distinct()
		units := len(rows)
		switch s.Kind {
		case split.Grouped:
			units = len(countBy(rows, p.target.Group))
		case split.ByTime:
			units = len(countBy(rows, p.target.Time))
		}
		wanted := 1
		for _, f := range []float64{s.Valid, s.Test} {
			if f > 0 {
				wanted++
			}
		}
		train, valid, test, err := s.Sets(&p.target, p.rows)
		if err != nil {
			if units >= wanted {
				t.Fatalf("%d units are enough for %d sets: %v", units, wanted, err)
			}
			return
		}
		checkPartition(t, p.rows, train, valid, test)
		if len(train) == 0 || (len(valid) > 0) != (s.Valid > 0) || (len(test) > 0) != (s.Test > 0) {
			t.Fatalf("sets of %d, %d and %d rows for %+v", len(train), len(valid), len(test), s)
		}
		switch s.Kind {
		case split.Grouped:
			for _, set := range [][]int32{train, valid, test} {
				for group, n := range countBy(set, p.target.Group) {
					if n != countBy(rows, p.target.Group)[group] {
						t.Fatalf("group %d straddles", group)
					}
				}
			}
		case split.ByTime:
			_, last := timesOf(train, p.target.Time)
			for _, set := range [][]int32{valid, test} {
				if len(set) > 0 {
					first, end := timesOf(set, p.target.Time)
					if first <= last {
						t.Fatalf("a set starts at %d, the one before ends at %d", first, last)
					}
					last = end
				}
			}
		default:
			v, w := wantSize(s.Valid, len(rows)), wantSize(s.Test, len(rows))
			if v+w < len(rows) && (distinctCount(valid) != v || distinctCount(test) != w) {
				t.Fatalf("%d and %d rows, want %d and %d", distinctCount(valid),
					distinctCount(test), v, w)
			}
		}
		if s.Kind == split.Stratified {
			all := countBy(rows, p.target.Class)
			for _, set := range [][]int32{valid, test} {
				for class, n := range all {
					expected := float64(n) * float64(distinctCount(set)) / float64(len(rows))
					if got := countBy(set,
						p.target.Class)[class]; math.Abs(float64(got)-expected) > 2 {
						t.Fatalf("%d rows of class %d in a set, its fraction is %v", got,
							class, expected)
					}
				}
			}
		}
		a, b, c, err := s.Sets(&p.target, rapid.Permutation(p.rows).Draw(t, "shuffled"))
		if err != nil || !slices.Equal(a, train) || !slices.Equal(b, valid) ||
			!slices.Equal(c, test) {
			t.Fatal("the order of rows matters")
		}
	})
}

// Over many seeds each row is in the test set equally often: 1000 splits at 1 in 5 leave a count
// outside 200 +- 60 (almost five standard deviations) for none of ten rows, and the seeds are
// fixed.
func TestEveryRowHasTheSameChance(t *testing.T) {
	target := &data.Target{Class: []uint32{0, 0, 0, 0, 1, 1, 1, 1, 1, 2}}
	for _, kind := range []split.Kind{split.Random, split.Stratified} {
		var tested, validated [10]int
		for seed := range uint64(1000) {
			_, valid, test, err := split.HoldOut{Kind: kind, Seed: seed, Valid: 0.2,
				Test: 0.2}.Sets(target, data.AllRows(10))
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range valid {
				validated[row]++
			}
			for _, row := range test {
				tested[row]++
			}
		}
		for row := range 10 {
			for _, n := range []int{tested[row], validated[row]} {
				if n < 140 || n > 260 {
					t.Errorf("%s: row %d was in the test set %d times of 1000", kind, row, n)
				}
			}
		}
	}
}

func TestSetsInTime(t *testing.T) {
	target := &data.Target{Time: []int64{9, 1, 8, 2, 7, 3, 6, 4, 5, 5}}
	train, valid, test, err := split.HoldOut{Valid: 0.2, Test: 0.2}.Sets(target, data.AllRows(10))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int32{{1, 3, 5, 7, 8, 9}, {4, 6}, {0, 2}}
	if diff := cmp.Diff(want, [][]int32{train, valid, test}); diff != "" {
		t.Error(diff)
	}
}

func TestSmallSets(t *testing.T) {
	for _, c := range []struct {
		split              split.HoldOut
		rows               int
		train, valid, test int
	}{
		{split.HoldOut{}, 1, 1, 0, 0},
		{split.HoldOut{Valid: 0.001, Test: 0.001}, 3, 1, 1, 1},
		{split.HoldOut{Valid: 0.5, Test: 0.49}, 3, 1, 1, 1},
		{split.HoldOut{Test: 0.999}, 2, 1, 0, 1},
		{split.HoldOut{Valid: 0.2, Test: 0.2}, 4601, 2761, 920, 920},
	} {
		train, valid, test, err := c.split.Sets(nil, data.AllRows(c.rows))
		if err != nil {
			t.Fatal(err)
		}
		if len(train) != c.train || len(valid) != c.valid || len(test) != c.test {
			t.Errorf("%+v of %d rows: %d, %d, %d", c.split, c.rows, len(train),
				len(valid), len(test))
		}
	}
}

func TestSetsRefused(t *testing.T) {
	groups, times := []int64{1, 1, 2}, []int64{1, 2, 2}
	for _, c := range []struct {
		split split.HoldOut
		rows  []int32
		want  string
	}{
		{split.HoldOut{Valid: -0.1}, data.AllRows(3), "fractions -0.1 for validation and 0 for test"},
		{split.HoldOut{Test: math.NaN()}, data.AllRows(3), "fractions 0 for validation and NaN for test"},
		{split.HoldOut{Valid: 0.5, Test: 0.5}, data.AllRows(3), "leave some rows for training"},
		{split.HoldOut{Valid: 0.1, Test: 0.1, Kind: split.Random}, []int32{0, 1, 1}, "2 rows cannot be split into 3 sets"},
		{split.HoldOut{Test: 0.1, Kind: split.Random}, []int32{2}, "1 row cannot be split into 2 sets"},
		{split.HoldOut{Valid: 0.3, Test: 0.3, Kind: split.Grouped}, data.AllRows(3), "2 groups cannot be split into 3 sets"},
		{split.HoldOut{Valid: 0.3, Test: 0.3, Kind: split.ByTime}, data.AllRows(3), "2 different times cannot make 3 sets"},
		{split.HoldOut{Valid: 0.3}, nil, "there are no rows to split"},
	} {
		target := &data.Target{}
		switch c.split.Kind {
		case split.Grouped:
			target.Group = groups
		case split.ByTime:
			target.Time = times
		}
		_, _, _, err := c.split.Sets(target, c.rows)
		wantError(t, err, c.want)
	}
}

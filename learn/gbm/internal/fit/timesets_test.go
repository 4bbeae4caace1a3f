package fit

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestSplitByTime checks the sets of random tables: early rows are before late ones, the test set
// is disjoint from both training sets and their groups, and these have one size.
func TestSplitByTime(t *testing.T) {
	made := 0
	for seed := range uint64(200) {
		random := rng.New(seed)
		n := 30 + random.Intn(100)
		times, group := make([]float64, n), []int64(nil)
		for i := range times {
			if times[i] = float64(random.Intn(n)); random.Intn(20) == 0 {
				times[i] = math.NaN()
			}
		}
		if seed%2 > 0 {
			group = make([]int64, n)
			for i := range group {
				group[i] = int64(random.Intn(n / 4))
			}
		}
		end, whole := []float64{1, earlierEnd}[seed/2%2], group != nil && seed/4%2 > 0
		s, ok := splitByTime(times, groups{group, whole}, end, random)
		if !ok {
			continue
		}
		made++
		for _, early := range s.early {
			for _, late := range s.late {
				if !(times[early] < times[late]) {
					t.Fatalf("seed %d: row %d is no earlier than %d", seed, early, late)
				}
			}
		}
		chosen := map[int64]bool{} // groups of early rows
		for _, row := range s.mixed {
			if whole && slices.Contains(s.early, row) {
				chosen[group[row]] = true
			}
		}
		for _, row := range s.early {
			if whole && chosen[group[row]] && !slices.Contains(s.mixed, row) {
				t.Fatalf("seed %d: row %d is chosen without its group", seed, row)
			}
		}
		if more := len(s.mixed) - len(s.early); more < 0 || more > 0 && !whole || more > 20 ||
			cmp.Equal(s.mixed, s.early) {
			t.Fatalf("seed %d: %d and %d training rows", seed, len(s.early), len(s.mixed))
		}
		for _, row := range s.test {
			if !slices.Contains(s.late, row) {
				t.Fatalf("seed %d: row %d of the test set is not late", seed, row)
			}
			for _, train := range slices.Concat(s.early, s.mixed) {
				if train == row || group != nil && group[train] == group[row] {
					t.Fatalf("seed %d: rows %d and %d", seed, train, row)
				}
			}
		}
	}
	if made < 120 {
		t.Errorf("%d of 200 tables were split", made)
	}
	if _, ok := splitByTime(make([]float64, 50), groups{}, 1, rng.New(1)); ok {
		t.Error("rows of one time were split")
	}
}

// TestBeyond names columns that trees cannot extrapolate.
func TestBeyond(t *testing.T) {
	const n = 100
	times := make([]float64, n)
	values := map[string][]float64{}
	for i := range times {
		at := i * 37 % n
		times[i] = float64(at)
		for name, v := range map[string]float64{"years": 1990 + float64(at)/12, "falls": -float64(at * at),
			"season": float64(at % 10), "late jump": float64(at/70*5 + at%3), "half": float64(max(at, 85)),
			"time": float64(at)} {
			values[name] = append(values[name], v)
		}
	}
	var columns []data.NamedColumn
	for _, name := range []string{"season", "years", "time", "late jump", "falls", "half"} {
		columns = append(columns, data.NamedColumn{Name: name, Values: values[name]})
	}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := splitByTime(times, groups{}, 1, rng.New(1))
	if !ok {
		t.Fatal("not split")
	}
	if diff := cmp.Diff("[years falls]", fmt.Sprint(beyond(f, times, &s, "time"))); diff != "" {
		t.Error(diff)
	}
}

package rounds_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// TestFoldsOfRoundsKeepRoles: by any plan and roles, the folds that choose rounds, and the
// validation set of valid_fraction, have no group on both sides, no time that runs backwards, and
// no row of weight 0.
func TestFoldsOfRoundsKeepRoles(t *testing.T) {
	const n = 120
	for roles := range 4 {
		target := &data.Target{Task: data.Binary, Classes: []string{"a", "b"}}
		for i := range n {
			target.Class = append(target.Class, uint32(i*7/3%2))
			target.Weight = append(target.Weight, float64(min(1, i*5%6)))
			if roles&1 > 0 {
				target.Group = append(target.Group, int64(i/4))
			}
			if roles&2 > 0 {
				target.Time = append(target.Time, int64(i/3))
			}
		}
		check := func(what string, train, test []int32) {
			if len(train) == 0 || len(test) == 0 {
				t.Errorf("%s: %d and %d rows", what, len(train), len(test))
			}
			for _, a := range train {
				for _, b := range test {
					if target.Group != nil && target.Group[a] == target.Group[b] ||
						target.Time != nil && target.Time[a] >= target.Time[b] {
						t.Fatalf("%s: trains on row %d, tests row %d", what, a, b)
					}
				}
			}
			if slices.ContainsFunc(slices.Concat(train, test),
				func(r int32) bool { return target.Weight[r] == 0 }) {
				t.Errorf("%s: has a row of weight 0", what)
			}
		}
		for _, kind := range []split.Kind{split.Auto, split.Random, split.Stratified,
			split.Grouped, split.ByTime, split.LeaveOneOut} {
			what := fmt.Sprintf("%s, roles %d", kind, roles)
			job := learn.Job{Plan: &split.Plan{Kind: kind}}
			for _, f := range rounds.Folds(target, job.Plan, data.AllRows(n), 0) {
				check(what, f.Train, f.Test)
			}
			train, valid, err := boosting.SplitValidation(&job, target, data.AllRows(n), 0.3, 5)
			if err == nil {
				check(what+", valid_fraction", train, valid)
			}
		}
	}
}

// TestFoldsByTime: the latest folds train on 70 to 90 % of the rows, and scale rounds by their
// mean; few times leave one hold-out set.
func TestFoldsByTime(t *testing.T) {
	for _, c := range []struct {
		times    int
		want     []int // training rows
		fraction float64
	}{{100, []int{90, 80, 70}, 0.8}, {5, []int{80}, 0.8}} {
		target := &data.Target{Task: data.Regression}
		for i := range 100 {
			target.Time = append(target.Time, int64(i*c.times/100))
		}
		folds := rounds.Folds(target, nil, data.AllRows(100), 1)
		var got []int
		for _, f := range folds {
			got = append(got, len(f.Train))
		}
		fraction := rounds.TrainedFraction(target, nil, folds, 100)
		if !slices.Equal(got, c.want) || fraction != c.fraction {
			t.Errorf("%d times: training rows %v, fraction %v", c.times, got, fraction)
		}
	}
}

package gbm_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// ranking returns 20 queries of 12 rows.
func ranking(t testing.TB) *data.Dataset {
	t.Helper()
	ds := table(t, 240, data.Regression)
	ds.Target.Task, ds.Target.Group = data.Ranking, make([]int64, 240)
	for i, y := range ds.Target.Y[0] {
		ds.Target.Group[i] = int64(i / 12)
		ds.Target.Y[0][i] = math.Floor(min(3, max(0, 2*y)))
	}
	return ds
}

// TestRankingsTakeTheMiddle: of a ranking the rounds are the middle of those whose metric,
// averaged over the rounds around them, is as good as that of the best one. Early stopping waits
// for twice as many rounds.
func TestRankingsTakeTheMiddle(t *testing.T) {
	ds := ranking(t)
	for _, c := range []struct {
		setting  string
		waits, w int
	}{{"early_stopping=15", 30, 9}, {"early_stopping=4", 8, 2}} {
		m := fit(t, ds, learn.Job{Seed: 1}, c.setting, "leaves=5")
		got := summary(t, m).Chosen
		n := len(got.Curve)
		average := func(i int) float64 {
			near := got.Curve[max(0, i-c.w):min(n, i+c.w+1)]
			sum := 0.0
			for _, v := range near {
				sum += v
			}
			return sum / float64(len(near))
		}
		best := 0
		for i := range n {
			if average(i) > average(best) {
				best = i
			}
		}
		if math.Abs(got.Value-average(got.Best-1)) > 1e-9 {
			t.Errorf("%s: %v at round %d, the average there is %v", c.setting, got.Value, got.Best,
				average(got.Best-1))
		}
		if got.Value > average(best)+1e-9 || n < best+1+c.waits-c.w {
			t.Errorf("%s: round %d of %d, %v; the best average is %v at round %d", c.setting,
				got.Best, n, got.Value, average(best), best+1)
		}
		if again := fit(t, ds, learn.Job{Seed: 1, Workers: 3}, c.setting,
			"leaves=5"); !reflect.DeepEqual(again, m) {
			t.Errorf("%s: another model by three workers", c.setting)
		}
	}
	at, want := chosen(t, ds, learn.Job{Seed: 1}, 12, "early_stopping=4", "leaves=5")
	if got := fit(t, ds, learn.Job{Seed: 1, Start: at}, "early_stopping=4",
		"leaves=5"); !reflect.DeepEqual(got, want) {
		t.Error("resumed in the choice, a ranking ends elsewhere")
	}
}

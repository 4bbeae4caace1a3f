package gbm_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// emptied returns a ranking of queries of 10 rows, of which every third one has a relevant row.
func emptied(t testing.TB, rows int) *data.Dataset {
	t.Helper()
	ds := table(t, rows, data.Regression)
	ds.Target.Task = data.Ranking
	y := ds.Target.Y[0]
	for i := range y {
		ds.Target.Group = append(ds.Target.Group, int64(i/10))
		if y[i] = max(0, math.Floor(6*y[i])-4); i/10%3 != 0 {
			y[i] = 0
		}
	}
	return ds
}

// Metrics of the rounds leave out queries without relevant rows; those of --compat count them, as
// the programs do.
func TestRankingMetricsOfRounds(t *testing.T) {
	ds := emptied(t, 400)
	train, valid := data.AllRows(400)[:250], data.AllRows(400)[250:]
	for _, compat := range []string{"none", "lightgbm", "xgboost", "catboost"} {
		for _, name := range []string{"ndcg@3", "map@3", "mrr"} {
			m := fit(t, ds, learn.Job{Rows: train, Valid: valid}, "compat="+compat, "metric="+name,
				"trees=2", "leaves=3", "early_stopping=0", "training_metric=1")
			found, _ := metric.Lookup(name)
			for i, rows := range [][]int32{train, valid} {
				s := metric.SampleOf(&ds.Target, rows)
				s.Width, s.Pred = 1, predict(t, m, ds.Frame, rows, model.Raw)
				var values [2]float64
				for k, peers := range []bool{false, true} {
					s.Compat = peers
					var err error
					if values[k], err = found.Func(s); err != nil {
						t.Fatal(err)
					}
				}
				want := values[0]
				if compat != "none" {
					want = values[1]
				}
				curve := summary(t, m).Curves[i]
				if got := curve.Values[1]; got != want || values[0] == values[1] {
					t.Errorf("compat=%s: %s of the %s set is %v, want %v of %v", compat, name,
						curve.Set, got, want, values)
				}
			}
		}
	}
}

// Folds without relevant rows choose no rounds, whatever the others are; with none at all the
// number of rounds is the default. A validation set without any is refused.
func TestFoldsWithoutRelevantRows(t *testing.T) {
	ds := emptied(t, 600)
	ds.Target.Group = nil
	plan := &split.Plan{Assign: make([]int32, 600)}
	for i := range plan.Assign {
		group := i / 10
		ds.Target.Group = append(ds.Target.Group, int64(group))
		if plan.Assign[i] = int32(group % 3); group%3 == 0 { // with relevant rows
			plan.Assign[i] += int32(group % 2 * 3)
		}
	}
	settings := []string{"leaves=3", "early_stopping=3", "learning_rate=0.3"}
	for _, more := range []string{"rehearse=false", "rehearse=true"} {
		s := summary(t, fit(t, ds, learn.Job{Plan: plan}, append(settings, more)...))
		if s.Chosen == nil || s.Chosen.Folds != 2 || s.Chosen.Of != 4 || !(s.Chosen.Value < 1) {
			t.Errorf("%s: %+v", more, s.Chosen)
		}
	}
	var empty []int32
	for i := range int32(600) {
		if i/10%3 == 1 {
			empty = append(empty, i)
		}
	}
	s := summary(t, fit(t, ds, learn.Job{Rows: empty}, settings...))
	if s.Chosen == nil || s.Chosen.Folds != 0 {
		t.Errorf("of no relevant row: %+v", s.Chosen)
	}
	_, err := tryFit(t.Context(), t, ds, learn.Job{Rows: data.AllRows(10), Valid: empty},
		append(settings, "trees=3")...)
	if err == nil || !strings.Contains(err.Error(), "validation set: ndcg@10 is undefined: no query "+
		"has a row of a grade above 0") {
		t.Errorf("error %v", err)
	}
}

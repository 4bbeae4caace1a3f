package gbm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// The raw scores that a training hands over are the model's to the bit, unless the model ends
// earlier or scores are changed afterwards.
func TestFittedScoresAreTheModels(t *testing.T) {
	binary, several, numbers := table(t, 600, data.Binary), table(t, 600, data.Multiclass), table(t, 600, data.Regression)
	for _, c := range []struct {
		ds       *data.Dataset
		settings string
		other    bool // some rows have other scores than the model's
		none     bool // nothing is handed over
	}{
		{ds: binary, settings: "trees=12"},
		{ds: binary, settings: "trees=12 subsample=0.5 colsample=0.6 leaves=5"},
		{ds: binary, settings: "trees=12 growth=symmetric"},
		{ds: binary, settings: "trees=6 loss=hinge"},
		{ds: numbers, settings: "trees=12 loss=absolute"},
		{ds: numbers, settings: "trees=12 loss=poisson"},
		{ds: numbers, settings: "trees=6 linear_tree=true"},
		{ds: several, settings: "trees=6"},
		{ds: several, settings: "trees=6 multi_output=true"},
		{ds: shops(t, 800), settings: "trees=12 categories=native"},
		{ds: shops(t, 800), settings: "trees=12 categories=target", none: true},
		{ds: binary, settings: "trees=12 boosting=dart boosting.drop=0.9 boosting.skip=0", other: true},
	} {
		rows := data.AllRows(c.ds.Rows())[50:]
		calls := 0
		var m model.Model
		var got []float64
		job := learn.Job{Rows: rows, Seed: 4, Workers: 2, Fitted: func(of []int32, raw []float64) {
			calls++
			if !slices.Equal(of, rows) {
				t.Errorf("%s: scores of %d rows, want %d", c.settings, len(of), len(rows))
			}
			got = raw
		}}
		m = fit(t, c.ds, job, strings.Fields(c.settings)...)
		if (calls == 0) != c.none || calls > 1 {
			t.Fatalf("%s: handed over %d times", c.settings, calls)
		}
		if c.none {
			continue
		}
		want := predict(t, m, c.ds.Frame, rows, model.Raw)
		k, differ := len(want)/len(rows), 0
		for i, v := range want {
			if got[i%k*len(rows)+i/k] != v {
				differ++
			}
		}
		if (differ > 0) != c.other {
			t.Errorf("%s: %d of %d scores are not the model's", c.settings, differ, len(want))
		}
	}
}

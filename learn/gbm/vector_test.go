package gbm_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// TestVectorTrees: one tree a round for all classes learns as well. Its scores are those of the
// training, it resumes from any round and continues a model, and with one output it is the usual
// tree.
func TestVectorTrees(t *testing.T) {
	ds := table(t, tier.Count(800, 1200, 1200), data.Multiclass)
	train, valid := trainTest(ds)
	for i, way := range []string{"sampling=none", "boosting=dart boosting.skip=0", "sampling=goss",
		"growth=symmetric depth=5", "growth=symmetric depth=5 sampling=uniform"} {
		if testing.Short() && i%2 == 1 {
			continue
		}
		settings := append(strings.Fields(way), "multi_output=true", "trees=16", "early_stopping=0",
			"learning_rate=0.3", "colsample=1")
		if !strings.Contains(way, "symmetric") {
			settings = append(settings, "leaves=16")
		}
		job := learn.Job{Rows: train, Valid: valid}
		m, all := checkpoints(t, ds, job, settings...)
		if len(m.Trees) != 16 || m.Trees[0].Leaf.Width != 3 {
			t.Fatalf("%d trees of %d values", len(m.Trees), m.Trees[0].Leaf.Width)
		}
		if v := evaluated(t, "error", m, ds, valid); v > 0.2 {
			t.Errorf("%s: error %.3f", way, v)
		}
		row, _ := loss.Find("softmax")
		o, err := row.New().Bind(&ds.Target, valid)
		if err != nil {
			t.Fatal(err)
		}
		raw := predict(t, m, ds.Frame, valid, model.Raw)
		turned := make([]float64, len(raw))
		for i, v := range raw {
			turned[i%3*len(valid)+i/3] = v
		}
		values := summary(t, m).Curves[1].Values
		if got, want := o.Value(turned, 1), values[len(values)-1]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: the model has %v, the training %v", way, got, want)
		}
		job.Start = all[7]
		if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%s: resumed training ends elsewhere", way)
		}
	}
	first := fit(t, ds, learn.Job{Rows: train}, "multi_output=true", "trees=5")
	more := fit(t, ds, learn.Job{Rows: train, Start: &learn.Checkpoint{Model: first}},
		"multi_output=true", "trees=4")
	if want := fit(t, ds, learn.Job{Rows: train}, "multi_output=true",
		"trees=9"); !reflect.DeepEqual(more.Trees, want.Trees) {
		t.Error("5 rounds and 4 more are not 9")
	}
	if mixed := fit(t, ds, learn.Job{Rows: train, Start: &learn.Checkpoint{Model: first}},
		"trees=4"); len(mixed.Trees) != 5+12 || summary(t, mixed).Kept != 9 {
		t.Errorf("%d trees, %+v", len(mixed.Trees), summary(t, mixed))
	}
	two := table(t, 300, data.Binary)
	if a, b := fit(t, two, learn.Job{}, "multi_output=true", "trees=5"),
		fit(t, two, learn.Job{}, "trees=5"); !reflect.DeepEqual(a.Trees, b.Trees) {
		t.Error("with one output multi_output=true makes other trees")
	}
	for _, settings := range [][]string{{"monotone=a=1"}, {"linear_tree=true"}} {
		if _, err := tryFit(t.Context(), t, ds, learn.Job{},
			append(settings, "multi_output=true")...); err == nil ||
			!strings.Contains(err.Error(), "multi_output=true does not go with") {
			t.Errorf("%v: error %v", settings, err)
		}
	}
}

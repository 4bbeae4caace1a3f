package gbm_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
)

// TestTemperature: few rows of three classes make scores overconfident. They are divided by what
// the hold-out rows of the folds give, which lowers the log loss of new rows. Training that resumes
// divides by the same, and splits list the gains of before.
func TestTemperature(t *testing.T) {
	ds := table(t, 2000, data.Multiclass)
	job := learn.Job{Rows: data.AllRows(400)}
	test := data.AllRows(2000)[400:]
	settings := []string{"leaves=31", "learning_rate=0.3", "early_stopping=8", "rehearse=false"}
	m := fit(t, ds, job, settings...)
	c := summary(t, m).Chosen
	if c.Temperature < 1.3 || c.Temperature > 1.4 {
		t.Fatalf("temperature %v", c.Temperature)
	}
	bold := boost.Scaled(m, c.Temperature)
	if own, before := lossOf(t, m, ds, test), lossOf(t, bold, ds, test); own > 0.97*before {
		t.Errorf("log loss %v, before %v", own, before)
	}
	for _, round := range []int{c.Best, c.Best + 1}[tier.Count(1, 0, 0):] {
		at, want := chosen(t, ds, job, round, settings...)
		again := job
		again.Start = at
		if got := fit(t, ds, again, settings...); !reflect.DeepEqual(got, want) {
			t.Errorf("resumed after round %d, the best being %d, training ends elsewhere", round,
				c.Best)
		}
	}
	const tree = 20
	found, err := learner(t, settings...).Candidates(context.Background(), m, ds,
		learn.TreeNode{Tree: tree, Rows: job.Rows})
	if err != nil {
		t.Fatal(err)
	}
	_, split := found.Find()
	if gain := m.Trees[tree].Stats.Gain[0]; math.Abs(split.Gain-gain) > 1e-6*gain {
		t.Errorf("gain %v, in training %v", split.Gain, gain)
	}
	for _, other := range [][]string{{"compat=lightgbm"}, {"trees=20"}, {"linear_tree=true"}} {
		m := fit(t, ds, job, append(other, settings...)...)
		if c := summary(t, m).Chosen; c != nil && c.Temperature != 0 {
			t.Errorf("%v: temperature %v", other, c.Temperature)
		}
	}
}

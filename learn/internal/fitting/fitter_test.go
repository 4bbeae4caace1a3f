package fitting_test

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
)

type learner struct{ depth int }

var errFit = errors.New("fit")

// A fit gets the parameters as they were at Prepare, the table, and its own arguments.
func TestFitterPassesItsArguments(t *testing.T) {
	l := &learner{depth: 3}
	target, want := &data.Target{Name: "label"}, &model.Ensemble{}
	type key struct{}
	calls := 0
	f := fitting.NewFitter(l, []int32{4, 5}, func(l *learner, ctx context.Context, table *[]int32,
		got *data.Target,
		job learn.Job) (model.Model, error) {
		calls++
		if l.depth != 3 || len(*table) != 2 || (*table)[1] != 5 {
			t.Errorf("depth %d, table %v", l.depth, *table)
		}
		if got != target || job.Seed != 7 || ctx.Value(key{}) != "run" {
			t.Errorf("target %p, seed %d, context %v", got, job.Seed, ctx)
		}
		return want, errFit
	})
	l.depth = 9
	ctx := context.WithValue(t.Context(), key{}, "run")
	for range 2 {
		m, err := f.Fit(ctx, target, learn.Job{Seed: 7})
		if m != want || !errors.Is(err, errFit) {
			t.Errorf("Fit returned %v, %v", m, err)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

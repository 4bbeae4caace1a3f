package gbm_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// everyRow draws all rows, which the learner cannot know: it works out their derivatives before.
type everyRow struct{ sample.Everything }

// TestDerivativesByParts: trees are the same whether derivatives are worked out before a round or where they are needed.
func TestDerivativesByParts(t *testing.T) {
	for _, c := range []struct {
		task     data.Task
		settings []string
	}{
		{data.Binary, nil},
		{data.Binary, []string{"boosting=dart", "class_weight=balanced"}},
		{data.Regression, []string{"loss=squared"}},
		{data.Regression, []string{"loss=quantile", "loss.quantiles=0.2,0.8"}},
		{data.Multiclass, []string{"loss=one_vs_all"}},
	} {
		ds := table(t, 2000, c.task)
		ds.Target.Weight = make([]float64, ds.Rows())
		for i := range ds.Target.Weight {
			ds.Target.Weight[i] = float64(i % 3)
		}
		trees := func(way sample.Gradient) any {
			l := learner(t, append([]string{"trees=12", "leaves=8"}, c.settings...)...)
			l.Sampling = gbm.Sampling{Name: "none", Way: way}
			f, err := l.Prepare(context.Background(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Fit(context.Background(), &ds.Target, learn.Job{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			return m.(*model.Ensemble).Trees
		}
		if !reflect.DeepEqual(trees(nil), trees(&everyRow{})) {
			t.Errorf("%s %v: other trees", c.task, c.settings)
		}
	}
}

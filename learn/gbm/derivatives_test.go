package gbm_test

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
)

// seeing hides from the learner that a way to sample ignores derivatives. The learner then computes
// those of all rows before.
type seeing struct{ sample.Gradient }

func (w seeing) Bind(rows int, group []int64) (sample.GradientSampler, error) {
	d, err := w.Gradient.Bind(rows, group)
	return struct{ sample.GradientSampler }{d}, err
}

// TestStoredAndRowwiseDerivatives: trees are the same whether derivatives are computed before a
// round or where they are needed; on all prepared rows and on some, sampled or not.
func TestStoredAndRowwiseDerivatives(t *testing.T) {
	for _, c := range []struct {
		task     data.Task
		settings []string
		way      sample.Gradient
	}{
		{data.Binary, nil, &sample.Everything{}},
		{data.Binary, []string{"boosting=dart", "class_weight=balanced"}, &sample.Everything{}},
		{data.Regression, []string{"loss=squared"}, &sample.Everything{}},
		{data.Regression, []string{"loss=quantile", "loss.quantiles=0.2,0.8"},
			&sample.Everything{}},
		{data.Multiclass, []string{"loss=one_vs_all"}, &sample.Everything{}},
		{data.Binary, nil, &sample.Uniform{Fraction: 0.4}},
		{data.Regression, []string{"loss=squared"}, &sample.Uniform{Fraction: 0.01}},
		{data.Multiclass, []string{"loss=one_vs_all"}, &sample.Uniform{Fraction: 0.9}},
		{data.Binary, nil, &sample.Bayesian{Temperature: 1}},
		{data.Regression, []string{"loss=squared"}, &sample.ByGroup{Fraction: 0.3}},
	} {
		ds := table(t, 4000, c.task)
		ds.Target.Weight, ds.Target.Group = make([]float64, ds.Rows()), make([]int64, ds.Rows())
		for i := range ds.Target.Weight {
			ds.Target.Weight[i], ds.Target.Group[i] = float64(i%3), int64(i/9)
		}
		some, _ := trainTest(ds)
		trees := func(way sample.Gradient, rows []int32) any {
			l := learner(t, append([]string{"trees=12", "leaves=8"}, c.settings...)...)
			l.Sampling = gbm.Sampling{Name: "random", Way: way}
			f, err := l.Prepare(t.Context(), ds.Frame, nil, ds.Target.Weight, learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: 1, Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			return m.(*model.Ensemble).Trees
		}
		for _, rows := range [][]int32{nil, some} {
			if !reflect.DeepEqual(trees(c.way, rows), trees(seeing{c.way}, rows)) {
				t.Errorf("%s %v, %T of %d rows: other trees", c.task, c.settings, c.way, len(rows))
			}
		}
	}
}

package adaboost

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
)

// TestStumpValue: the values copied to the rows of a stump's leaves are the model's predictions,
// without a value too.
func TestStumpValue(t *testing.T) {
	ds := table(t, "iris/iris.csv", "species", []string{"sepal_length", "petal_length"}, 1)
	for i := 0; i < ds.Rows(); i += 7 {
		ds.Columns[0].Numbers()[i], ds.Columns[1].Numbers()[i] = math.NaN(), math.NaN()
	}
	m, _ := fit(t, stumps("samme", 3), ds, learn.Job{})
	e := m.(*model.Ensemble)
	for i := range e.Trees {
		one := *e
		one.Trees, one.Weights = e.Trees[i:i+1], nil
		j := &job{fitter: &fitter{frame: ds.Frame},
			pop: &grow.Population{Rows: data.AllRows(ds.Rows())[3:]}}
		if j.stump(&one) == nil {
			t.Fatal("the member is no stump")
		}
		for _, output := range []model.Output{model.Label, model.Response} {
			got, width, err := j.predictRows(&one, output)
			if err != nil {
				t.Fatal(err)
			}
			p, err := one.Bind(&ds.Schema, model.Options{Output: output})
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, len(j.pop.Rows)*width)
			if err := p.Predict(want, ds.Frame, j.pop.Rows); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("member %d: %v, want %v", i, got, want)
			}
		}
	}
}

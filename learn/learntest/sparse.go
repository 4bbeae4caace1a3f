package learntest

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/modeltest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// sparse: a table of sparse columns makes the model of the same table dense, and is predicted
// alike.
func (s suite) sparse(t *testing.T) {
	for _, absent := range []data.Absent{data.AbsentZero, data.AbsentMissing} {
		if s.needs.Categorical || s.needs.Complete && absent == data.AbsentMissing {
			continue
		}
		dense := s.table(200)
		for i := range dense.Columns {
			if c := &dense.Columns[i]; c.Codes() == nil {
				for row := range c.Numbers() {
					if row*7%8 != i {
						c.Numbers()[row] = absent.Number()
					}
				}
			}
		}
		dense.Schema.AbsentValues = absent
		sparse := &data.Dataset{Frame: sparseOf(dense.Frame, absent), Target: dense.Target}
		job := learn.Job{Rows: data.AllRows(150), Valid: data.AllRows(200)[150:], Seed: 5}
		var made [2]model.Model
		for k, ds := range []*data.Dataset{sparse, dense} {
			m, err := Fit(context.Background(), learn.Env{}, s.make(), ds, job)
			if err != nil {
				t.Fatalf("absent values are %s: %v", absent, err)
			}
			made[k] = m
		}
		if !reflect.DeepEqual(made[0], made[1]) {
			t.Errorf("absent values are %s: a sparse table makes another model", absent)
		}
		want := modeltest.Predict(t, made[0], dense.Frame, model.Options{}, nil)
		got := modeltest.PredictBoth(t, made[0], sparse.Frame, model.Options{}, nil)
		if !slices.Equal(got, want) {
			t.Errorf("absent values are %s: a sparse table has other predictions", absent)
		}
	}
}

// sparseOf returns the same table with sparse columns of numbers.
func sparseOf(f *data.Frame, absent data.Absent) *data.Frame {
	columns := slices.Clone(f.Columns)
	for i := range columns {
		if columns[i].Codes() != nil {
			continue
		}
		var row []int32
		var value []float64
		for r, v := range columns[i].Numbers() {
			if usual := absent.Number(); v != usual && !(math.IsNaN(v) && math.IsNaN(usual)) {
				row, value = append(row, int32(r)), append(value, v)
			}
		}
		columns[i] = data.Sparse(f.Rows(), absent.Number(), row, value)
	}
	return mustFrame(f.Schema, columns)
}

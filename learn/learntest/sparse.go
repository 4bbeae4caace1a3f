package learntest

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
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
		s.sameStored(t, dense, sparseOf(dense.Frame, absent))
	}
}

// single: a table in single precision makes the model of the same table in double precision, and is
// predicted alike.
func (s suite) single(t *testing.T) {
	double := s.table(200)
	columns := slices.Clone(double.Columns)
	for i := range columns {
		if columns[i].Codes() != nil {
			continue
		}
		values := make([]float32, columns[i].Len())
		for row, v := range columns[i].Numbers() {
			values[row] = float32(v)
		}
		columns[i] = data.Numbers32(values)
		double.Columns[i] = data.Numbers(columns[i].Numbers())
	}
	s.sameStored(t, double, mustFrame(double.Schema, columns))
}

// sameStored fails unless a table and another frame of its values make the same model, and the same
// predictions.
func (s suite) sameStored(t *testing.T, ds *data.Dataset, other *data.Frame) {
	t.Helper()
	job := learn.Job{Rows: data.AllRows(150), Valid: data.AllRows(200)[150:], Seed: 5}
	var made [2]model.Model
	for k, f := range []*data.Frame{other, ds.Frame} {
		m, err := Fit(context.Background(), learn.Env{}, s.make(),
			&data.Dataset{Frame: f, Target: ds.Target}, job)
		if err != nil {
			t.Fatal(err)
		}
		made[k] = m
	}
	if !reflect.DeepEqual(made[0], made[1]) {
		t.Error("another storage makes another model")
	}
	want := modeltest.Predict(t, made[0], ds.Frame, model.Options{}, nil)
	got := modeltest.PredictBoth(t, made[0], other, model.Options{}, nil)
	if !slices.Equal(got, want) {
		t.Error("another storage has other predictions")
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

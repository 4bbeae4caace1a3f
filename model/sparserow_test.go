package model_test

import (
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// sparseTable is a table of six columns, of which most values are absent.
func sparseTable(t *testing.T, absent float64, storage bool) *data.Frame {
	t.Helper()
	const rows = 300
	r := rng.New(9)
	m := data.CSR{Start: []int{0}, Columns: 6, Absent: absent}
	dense := make([][]float64, rows)
	for i := range rows {
		dense[i] = make([]float64, m.Columns)
		for j := range m.Columns {
			if dense[i][j] = absent; r.Intn(5) == 0 {
				dense[i][j] = r.Float64()
				m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, dense[i][j])
			}
		}
		m.Start = append(m.Start, len(m.Value))
	}
	names := []string{"f", "a", "b", "c", "d", "e"}
	f, err := data.FromRows(dense, names)
	if storage {
		f, err = data.FromCSR(m, names)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Tables and rows are predicted alike, however they are stored and whatever absent values mean.
func TestPredictSparse(t *testing.T) {
	for _, absent := range []data.Absent{"", data.AbsentMissing} {
		m := boosted(t, []string{"x", "y", "z"})
		m.Meta.Schema.AbsentValues = absent
		dense := sparseTable(t, absent.Number(), false)
		sparse := sparseTable(t, absent.Number(), true)
		if _, _, _, ok := sparse.Columns[0].Stored(); !ok {
			t.Fatal("the table is dense")
		}
		some := []int32{299, 5, 5, 0, 7}
		for _, o := range []model.Options{{}, {Output: model.Leaf}, {Output: model.Label}} {
			for _, rows := range [][]int32{nil, some} {
				want := modeltest.Predict(t, m, dense, o, rows)
				got := modeltest.PredictBoth(t, m, sparse, o, rows)
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%v, value %d: %v, want %v", o.Output, i, got[i], want[i])
					}
				}
			}
		}
	}
}

func TestPredictSparseNeedsNoMemory(t *testing.T) {
	m := boosted(t, []string{"no", "yes"})
	p, err := m.Bind(&sparseTable(t, 0, true).Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst, index, value := make([]float64, 2), []int32{4, 1}, []float64{.5, .25}
	if n := testing.AllocsPerRun(100, func() {
		if err := p.PredictSparse(dst, index, value); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPredictSparseRefuses(t *testing.T) {
	m := boosted(t, []string{"no", "yes"})
	m.Meta.Schema.AbsentValues = data.AbsentMissing
	m.Meta.Schema.Fields[1].Missing = data.Refuse // "b", which is column 2 of the table
	p, err := m.Bind(&sparseTable(t, 0, true).Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var outside *model.IndexError
	var short *model.SizeError
	var refused *model.ValueError
	for _, c := range []struct {
		width int
		index []int32
		value []float64
		is    func(error) bool
	}{
		{2, []int32{2, 6}, []float64{1, 1}, func(err error) bool {
			return errors.As(err, &outside) && outside.Index == 6 && outside.Columns == 6
		}},
		{2, []int32{-1}, []float64{1}, func(err error) bool { return errors.As(err, &outside) }},
		{2, []int32{2}, nil, func(err error) bool { return errors.As(err, &short) }},
		{1, []int32{2}, []float64{1}, func(err error) bool { return errors.As(err, &short) }},
		{2, []int32{1}, []float64{1}, func(err error) bool { return errors.As(err, &refused) }},
		{2, []int32{2}, []float64{math.NaN()},
			func(err error) bool { return errors.As(err, &refused) }},
		{2, []int32{2}, []float64{1}, func(err error) bool { return err == nil }},
	} {
		if err := p.PredictSparse(make([]float64, c.width), c.index, c.value); !c.is(err) {
			t.Errorf("columns %v: %v", c.index, err)
		}
	}
}

package learntest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// absentRows: rows that the table does not have, and rows that a plan gives no fold, are errors of
// Prepare and Fit.
func (s suite) absentRows(t *testing.T) {
	const n = 60
	ds := s.table(n)
	var outside *data.RowError
	for _, rows := range [][]int32{{0, 1, n}, {-1, 0, 1}, {math.MaxInt32}, {math.MinInt32, 5}} {
		if _, err := s.learner.Prepare(context.Background(), ds.Frame, rows, nil,
			learn.Env{}); !errors.As(err, &outside) || !slices.Contains(rows, outside.Row) {
			t.Errorf("Prepare of rows %d: error %v, want a RowError", rows, err)
		}
	}
	f, err := s.learner.Prepare(context.Background(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]int32{{0, 1, n}, {-1, 0, 1}, {math.MaxInt32}, {math.MinInt32, 5}} {
		for field, job := range map[string]learn.Job{"Rows": {Rows: rows},
			"Valid": {Rows: data.AllRows(40), Valid: rows}} {
			m, err := f.Fit(context.Background(), &ds.Target, job)
			if m != nil || !errors.As(err, &outside) ||
				!strings.HasPrefix(err.Error(), "Job."+field+": ") ||
				!slices.Contains(rows, outside.Row) {
				t.Errorf("%s %d: error %v, want a RowError", field, rows, err)
			}
		}
	}
	high := make([]int32, n)
	for i := range high {
		high[i] = int32(i % 5)
	}
	low := slices.Clone(high)
	high[n-1], low[0] = 5, -2
	for name, plan := range map[string]*split.Plan{"too few rows": {Assign: high[:n-1]},
		"no row": {Assign: []int32{}}, "a fold too high": {K: 5, Assign: high},
		"a fold too low": {Assign: low}} {
		if _, err := f.Fit(context.Background(), &ds.Target, learn.Job{Plan: plan}); err == nil ||
			!strings.HasPrefix(err.Error(), "Plan.Assign: row ") {
			t.Errorf("a plan of %s: error %v", name, err)
		}
	}
}

// otherTables: a predictor predicts every table that has the columns, whatever the one that was
// bound.
func (s suite) otherTables(t *testing.T) {
	ds := s.table(300)
	m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	f := mustFrame(ds.Schema.Clone(), ds.Columns)
	modeltest.OtherTables(t, m, f.Subset(data.AllRows(50)))
	want := predict(t, m, f)
	for _, field := range ds.Schema.Fields { // of the caller's table, not of the model
		clear(field.Levels)
	}
	if !reflect.DeepEqual(predict(t, m, f), want) {
		t.Error("what became of the training table's dictionaries changed the model")
	}
}

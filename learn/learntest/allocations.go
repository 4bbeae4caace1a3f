package learntest

import (
	"context"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// allocations: a row that is predicted by itself, whole or as its stored values, needs no memory.
func (s suite) allocations(t *testing.T) {
	ds := s.table(60)
	m, err := Fit(context.Background(), learn.Env{}, s.learner, ds, learn.Job{Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	row, index := make([]float64, len(ds.Columns)), make([]int32, len(ds.Columns))
	for i := range row {
		if c := &ds.Columns[i]; c.Codes() == nil {
			row[i] = c.Number(1)
		} else if code := c.Code(1); code < data.UnseenCode {
			row[i] = float64(code)
		}
		index[i] = int32(i)
	}
	for _, output := range []model.Output{model.Response, model.Label} {
		p, err := m.Bind(&ds.Schema, model.Options{Output: output})
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]float64, p.Width())
		for name, predict := range map[string]func() error{
			"PredictRow":    func() error { return p.PredictRow(dst, row) },
			"PredictSparse": func() error { return p.PredictSparse(dst, index, row) },
		} {
			// The mean is rounded down: what the collector empties does not count.
			if n := testing.AllocsPerRun(30, func() {
				if err := predict(); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s of output %v: %v allocations", name, output, n)
			}
		}
	}
}

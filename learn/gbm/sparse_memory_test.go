package gbm_test

import (
	"runtime"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// No step of training and prediction makes a table of many sparse columns dense: here 1.6 GB.
func TestWideSparseTableStaysSparse(t *testing.T) {
	const rows, width, each = 20_000, 10_000, 50
	r := rng.New(1)
	m := data.CSR{Start: []int{0}, Columns: width}
	ds := &data.Dataset{Target: data.Target{Task: data.Regression,
		Y: [][]float64{make([]float64, rows)}}}
	for i := range rows {
		for j := r.Intn(width / each); j < width; j += 1 + r.Intn(2*width/each) {
			m.Index, m.Value = append(m.Index, int32(j)), append(m.Value, 1+r.Float64())
			ds.Target.Y[0][i] += float64(j % 7)
		}
		m.Start = append(m.Start, len(m.Value))
	}
	var err error
	if ds.Frame, err = data.FromCSR(m, nil); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	made := learntest.MustFit(t, learn.Env{}, learntest.Made(t, gbm.New(), "trees=2"), ds, learn.Job{})
	p, err := made.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Predict(make([]float64, rows), ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	ds.Hash(nil, 0)
	data.Describe(ds.Frame, 0)
	ds.Subset(data.AllRows(rows)[rows/2:])
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 {
		t.Errorf("%d MB were allocated for a table of 12 MB", used>>20)
	}
}

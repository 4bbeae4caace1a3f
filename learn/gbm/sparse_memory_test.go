package gbm_test

import (
	"runtime"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// No step of training and prediction makes a table of many sparse columns dense: here 80 kB a row.
func TestWideSparseTableStaysSparse(t *testing.T) {
	const width, each = 10_000, 50
	rows := tier.Count(5_000, 20_000, 20_000)
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
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(rows)*20<<10 {
		t.Errorf("%d MB were allocated for a table of %d MB", used>>20, rows*each*12>>20)
	}
}

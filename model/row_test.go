package model_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// boosted is a classifier of 40 trees on six numeric columns.
func boosted(t *testing.T, classes []string) *model.Ensemble {
	t.Helper()
	r := rng.New(3)
	m := &model.Ensemble{Link: link.Logistic(), Meta: model.Spec{Task: data.Binary, Label: "y",
		Classes: classes}, Bias: []float64{0.25}}
	if len(classes) > 2 {
		m.Meta.Task, m.Link, m.Bias = data.Multiclass, link.Softmax(), []float64{0, 0.5, 0.25}
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: name})
	}
	for i := range 42 {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		for n := range int32(12) {
			b.Split(n, tree.Split{Kind: tree.Numeric, Feature: int32(r.Intn(6)),
				SplitPoint: r.Float64(), Missing: tree.Missing(r.Intn(2))})
		}
		for n := range int32(b.Len()) {
			b.SetValue(n, []float64{r.Float64() - 0.5})
		}
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees = append(m.Trees, made)
		m.Output = append(m.Output, int32(i%len(m.Bias)))
	}
	return m
}

// TestPredictRow: single rows, predicted by several goroutines at once, have the values that tables
// give them, and need no new memory.
func TestPredictRow(t *testing.T) {
	const rows = 100
	r := rng.New(4)
	for _, classes := range [][]string{{"no", "yes"}, {"x", "y", "z"}} {
		m := boosted(t, classes)
		columns, values := make([]data.Column, 6), make([][]float64, rows)
		for k := range columns {
			columns[k] = data.Numbers(make([]float64, rows))
		}
		for i := range values {
			values[i] = make([]float64, len(columns))
			for k := range columns {
				values[i][k] = r.Float64()
				columns[k].Numbers()[i] = values[i][k]
			}
		}
		f, err := data.NewFrame(m.Meta.Schema, columns)
		if err != nil {
			t.Fatal(err)
		}
		for _, output := range []model.Output{model.Raw, model.Response, model.Label, model.Leaf} {
			p, err := m.Bind(&f.Schema, model.Options{Output: output})
			if err != nil {
				t.Fatal(err)
			}
			w := p.Width()
			want := make([]float64, rows*w)
			if err := p.Predict(want, f, nil); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					dst := make([]float64, w)
					for i := range values {
						if err := p.PredictRow(dst, values[i]); err != nil {
							t.Error(err)
						}
						for k := range dst {
							if dst[k] != want[i*w+k] {
								t.Errorf("%v of row %d: %v, in a table %v", output, i, dst, want[i*w:][:w])
							}
						}
					}
				})
			}
			all.Wait()
			dst := make([]float64, w)
			if n := testing.AllocsPerRun(100, func() {
				if err := p.PredictRow(dst, values[0]); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("a row of %d classes, output %v, allocates %v times", len(classes), output, n)
			}
		}
	}
}

// TestBindIsWarm: the first row of a predictor makes nothing of the trees, which Bind has made.
func TestBindIsWarm(t *testing.T) {
	m := boosted(t, []string{"no", "yes"})
	p, err := m.Bind(&m.Meta.Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	dst, row := make([]float64, p.Width()), make([]float64, 6)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = p.PredictRow(dst, row)
	runtime.ReadMemStats(&after)
	// the forms of 42 trees of 13 leaves take 60 allocations and more
	if n := after.Mallocs - before.Mallocs; err != nil || n > 16 {
		t.Errorf("the first row took %d allocations, %v", n, err)
	}
}

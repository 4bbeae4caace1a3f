package explain_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// boosted returns a sum of trees on 28 columns of numbers, with the cover of a table of rows.
func boosted(b testing.TB, trees, leaves, rows int) (*model.Ensemble, *data.Frame) {
	b.Helper()
	const columns = 28
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "gbm"},
		Trees: treetest.Boosted(trees, leaves, columns)}
	r := rng.New(5)
	made := make([]data.Column, columns)
	for j := range made {
		numbers := make([]float64, rows)
		for i := range numbers {
			numbers[i] = r.Float64()
		}
		made[j] = data.Numbers(numbers)
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, data.Field{Name: fmt.Sprint("c", j)})
	}
	f, err := data.NewFrame(m.Meta.Schema, made)
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range m.Trees {
		count := make([]float64, t.Len())
		for i := range min(rows, 2000) {
			count[t.Over(made).LeafOf(int32(i))]++
		}
		t.Cover = &tree.Cover{}
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.Leaf {
				t.Cover.Weights = append(t.Cover.Weights, count[n])
			}
		}
	}
	return m, f
}

// BenchmarkShapley explains rows by 500 trees of 31 leaves, 28 columns, one thread.
func BenchmarkShapley(b *testing.B) {
	m, f := boosted(b, 500, 31, 10_000)
	for _, background := range []int{0, 100, 1000, 10_000} {
		for _, rows := range []int{1, 64, 10_000} {
			o := explain.ShapleyOptions{Workers: 1}
			name := fmt.Sprintf("path-dependent/rows=%d", rows)
			if background > 0 {
				o.Background = f.Subset(data.AllRows(background))
				name = fmt.Sprintf("background=%d/rows=%d", background, rows)
			}
			b.Run(name, func(b *testing.B) {
				for range b.N {
					if _, err := explain.Shapley(context.Background(), m, f, data.AllRows(rows),
						o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}

// BenchmarkShapleyRow explains one row after the other.
func BenchmarkShapleyRow(b *testing.B) {
	m, f := boosted(b, 500, 31, 10_000)
	for _, background := range []int{0, 1000} {
		o, name := explain.ShapleyOptions{Workers: 1}, "path-dependent"
		if background > 0 {
			o.Background = f.Subset(data.AllRows(background))
			name = fmt.Sprintf("background=%d", background)
		}
		b.Run(name, func(b *testing.B) {
			x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema, o)
			if err != nil {
				b.Fatal(err)
			}
			row, dst := make([]float64, len(f.Columns)), make([]float64, len(f.Columns))
			for i := 0; b.Loop(); i++ {
				for j := range row {
					row[j] = f.Columns[j].Number(i % f.Rows())
				}
				if err := x.Row(dst, row); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInteractions computes the interaction values of the same trees.
func BenchmarkInteractions(b *testing.B) {
	m, f := boosted(b, 500, 31, 10_000)
	for _, background := range []int{0, 1000} {
		for _, rows := range []int{1, 1000} {
			o := explain.ShapleyOptions{Workers: 1}
			name := fmt.Sprintf("path-dependent/rows=%d", rows)
			if background > 0 {
				o.Background = f.Subset(data.AllRows(background))
				name = fmt.Sprintf("background=%d/rows=%d", background, rows)
			}
			b.Run(name, func(b *testing.B) {
				for range b.N {
					if _, err := explain.Interactions(context.Background(), m, f,
						data.AllRows(rows), o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}

package model_test

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// benched makes a sum of 100 trees of 31 splits on 14 columns, every second one of categories, and
// a table of it with dictionaries of its own order.
func benched(b *testing.B, levels, rows int) (*model.Ensemble, *data.Frame) {
	b.Helper()
	r := rng.New(1, 2)
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression}}
	columns := make([]data.Column, 14)
	s := data.Schema{}
	for k := range columns {
		f, other := data.Field{Name: fmt.Sprint("column ", k)}, []string(nil)
		if k%2 == 0 {
			columns[k] = data.Numbers(make([]float64, rows))
		} else {
			f.Kind, columns[k] = data.Categorical, data.Codes(make([]uint32, rows))
			for l := range levels {
				f.Levels = append(f.Levels, fmt.Sprint("category ", l))
				other = append(other, fmt.Sprint("category ", (l+1)%levels))
			}
		}
		for row := range rows {
			if k%2 == 0 {
				columns[k].Numbers()[row] = r.Float64()
			} else {
				columns[k].Codes()[row] = uint32(r.Intn(levels))
			}
		}
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields, f)
		f.Levels = other
		s.Fields = append(s.Fields, f)
	}
	for range 100 {
		t := tree.NewBuilder(tree.Scalar, 1, false)
		for n := range int32(31) {
			split := tree.Split{Kind: tree.Numeric, Feature: int32(r.Intn(14)), SplitPoint: r.Float64()}
			if split.Feature%2 == 1 {
				split.Kind, split.SplitPoint, split.Set = tree.SetFirst, 0, make([]uint64, (levels+63)/64)
				for l := range levels {
					split.Set[l/64] |= uint64(r.Intn(2)) << (l % 64)
				}
			}
			t.Split(n, split)
		}
		for n := range int32(63) {
			t.SetValue(n, []float64{r.Float64()})
		}
		grown, err := t.Build()
		if err != nil {
			b.Fatal(err)
		}
		m.Trees, m.Output = append(m.Trees, grown), append(m.Output, 0)
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		b.Fatal(err)
	}
	return m, f
}

// boostedModel makes a sum of trees of as many leaves on 28 columns of numbers, of up to 255 split
// points each, and a table of it.
func boostedModel(b *testing.B, trees, leaves, rows int) (*model.Ensemble, *data.Frame) {
	b.Helper()
	r := rng.New(1)
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression}}
	columns := make([]data.Column, 28)
	for k := range columns {
		columns[k] = data.Numbers(make([]float64, rows))
		for row := range rows {
			columns[k].Numbers()[row] = r.Float64()
		}
		m.Meta.Schema.Fields = append(m.Meta.Schema.Fields,
			data.Field{Name: fmt.Sprint("column ", k)})
	}
	for range trees {
		t := tree.NewBuilder(tree.Scalar, 1, false)
		open := []int32{0}
		for len(open) < leaves {
			at := r.Intn(len(open))
			first := t.Split(open[at], tree.Split{Kind: tree.Numeric,
				Feature: int32(r.Intn(len(columns))), SplitPoint: float64(1+r.Intn(255)) / 256})
			open[at] = first
			open = append(open, first+1)
		}
		for n := range int32(t.Len()) {
			t.SetValue(n, []float64{r.Float64()})
		}
		grown, err := t.Build()
		if err != nil {
			b.Fatal(err)
		}
		m.Trees, m.Output = append(m.Trees, grown), append(m.Output, 0)
	}
	f, err := data.NewFrame(m.Meta.Schema, columns)
	if err != nil {
		b.Fatal(err)
	}
	return m, f
}

// BenchmarkPredictBoosted predicts single rows and tables by boosted trees, with one worker.
func BenchmarkPredictBoosted(b *testing.B) {
	for _, size := range [][2]int{{100, 31}, {500, 31}, {100, 255}, {500, 255}} {
		m, f := boostedModel(b, size[0], size[1], 100_000)
		p, err := m.Bind(&f.Schema, model.Options{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		row, dst := make([]float64, len(f.Columns)), make([]float64, f.Rows())
		if err := p.PredictRow(dst, row); err != nil { // trees are compiled
			b.Fatal(err)
		}
		b.Run(name+"/PredictRow", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				for k := range row {
					row[k] = f.Columns[k].Numbers()[i%f.Rows()]
				}
				if err := p.PredictRow(dst, row); err != nil {
					b.Fatal(err)
				}
			}
		})
		for _, rows := range []int{1, 8, 64, 1024, f.Rows()} {
			some := data.AllRows(rows)
			b.Run(fmt.Sprintf("%s/rows=%d", name, rows), func(b *testing.B) {
				for b.Loop() {
					if err := p.Predict(dst[:rows], f, some); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}

// BenchmarkPredict predicts some rows of the table that was bound, of the model's own dictionaries
// and of others.
func BenchmarkPredict(b *testing.B) {
	for _, levels := range []int{40, 50_000} {
		m, f := benched(b, levels, 100_000)
		own, err := data.NewFrame(m.Meta.Schema, f.Columns)
		if err != nil {
			b.Fatal(err)
		}
		for _, g := range []struct {
			name string
			*data.Frame
		}{{"own", own}, {"other", f}} {
			p, err := m.Bind(&g.Schema, model.Options{Workers: 1})
			if err != nil {
				b.Fatal(err)
			}
			for _, rows := range []int{1, 64, 100_000} {
				dst := make([]float64, rows)
				some := data.AllRows(rows)
				b.Run(fmt.Sprintf("levels=%d/%s/rows=%d", levels, g.name, rows), func(b *testing.B) {
					for b.Loop() {
						if err := p.Predict(dst, g.Frame, some); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			row := make([]float64, len(f.Columns))
			b.Run(fmt.Sprintf("levels=%d/%s/PredictRow", levels, g.name), func(b *testing.B) {
				for b.Loop() {
					if err := p.PredictRow(row[:1:1], row); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

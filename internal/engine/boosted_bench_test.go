package engine

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// boosted returns an ensemble of trees of as many leaves, as boosting on bins grows them: on
// columns of numbers from 0 to 1, with up to 255 split points each. The leaf to be split next is
// the largest of some random ones, and is split near its middle.
func boosted(b testing.TB, trees, leaves, columns int) Source {
	type box struct {
		node  int32
		sides [][2]int // of each column, in bins
		size  float64
	}
	r := rng.New(1)
	s := Source{Outputs: 1}
	for range trees {
		build := tree.NewBuilder(tree.Scalar, 1, false)
		open := []box{{0, make([][2]int, columns), 1}}
		for k := range open[0].sides {
			open[0].sides[k] = [2]int{0, 256}
		}
		for len(open) < leaves {
			at := 0
			for range 1 + len(open)/4 {
				if i := r.Intn(len(open)); open[i].size > open[at].size {
					at = i
				}
			}
			parent := open[at]
			k := r.Intn(columns)
			lo, hi := parent.sides[k][0], parent.sides[k][1]
			if hi-lo < 4 {
				continue
			}
			point := lo + 1 + (hi-lo-2)/4 + r.Intn((hi-lo)/2)
			first := build.Split(parent.node, tree.Split{Kind: tree.Numeric, Feature: int32(k),
				SplitPoint: float64(point) / 256, Missing: tree.Missing(r.Intn(2))})
			last := box{first + 1, append([][2]int(nil), parent.sides...),
				parent.size * float64(hi-point) / float64(hi-lo)}
			last.sides[k][0], parent.sides[k][1] = point, point
			parent.node, parent.size = first, parent.size-last.size
			open[at] = parent
			open = append(open, last)
		}
		for n := range int32(build.Len()) {
			build.SetValue(n, []float64{r.Float64() - 0.5})
		}
		t, err := build.Build()
		if err != nil {
			b.Fatal(err)
		}
		s.Trees = append(s.Trees, t.Compact())
		s.Output = append(s.Output, 0)
	}
	return s
}

// oblivious returns an ensemble of trees with as many levels, each of one split.
func oblivious(b testing.TB, trees, levels, columns int) Source {
	r := rng.New(1)
	s := Source{Outputs: 1}
	for range trees {
		build := tree.NewBuilder(tree.Scalar, 1, false)
		for first := range levels {
			split := tree.Split{Kind: tree.Numeric, Feature: int32(r.Intn(columns)),
				SplitPoint: float64(1+r.Intn(255)) / 256}
			for n := 1<<first - 1; n < 2<<first-1; n++ {
				build.Split(int32(n), split)
			}
		}
		for n := range int32(build.Len()) {
			build.SetValue(n, []float64{r.Float64() - 0.5})
		}
		t, err := build.Build()
		if err != nil {
			b.Fatal(err)
		}
		s.Trees = append(s.Trees, t.Compact())
		s.Output = append(s.Output, 0)
	}
	return s
}

// BenchmarkBoosted predicts by boosted trees of as many leaves.
func BenchmarkBoosted(b *testing.B) {
	for _, size := range [][2]int{{100, 31}, {500, 31}, {100, 255}, {500, 255}} {
		benchWays(b, fmt.Sprintf("%dx%d", size[0], size[1]),
			boosted(b, size[0], size[1], benchColumns))
	}
}

// BenchmarkOblivious predicts by 500 oblivious trees of six levels.
func BenchmarkOblivious(b *testing.B) {
	benchWays(b, "500x6", oblivious(b, 500, 6, benchColumns))
}

const benchColumns = 28

// benchWays predicts one row at a time, and blocks of rows as Predict makes them, with the trees
// compiled or used in place.
func benchWays(b *testing.B, shape string, source Source) {
	for _, way := range []string{"compiled", "in place"} {
		p := Compile(source)
		if way == "in place" {
			p.compiling.Do(func() {}) // there is no layout
		}
		p.layout()
		name := func(rows string) string {
			return fmt.Sprintf("%s/rows=%s/%s", shape, rows, way)
		}
		r := rng.New(2)
		rows := make([][]float64, 256)
		for i := range rows {
			rows[i] = make([]float64, len(p.columns))
			for k := range rows[i] {
				rows[i][k] = r.Float64()
			}
		}
		b.Run(name("1"), func(b *testing.B) {
			dst := make([]float64, 1)
			for i := 0; b.Loop(); i++ {
				p.Raw(dst, rows[i%len(rows)])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/row")
		})
		for _, n := range []int{8, 64, 1024} {
			n = min(n, p.BlockRows())
			block, dst := p.NewBlock(n), make([]float64, n)
			block.Resize(n)
			for i := range n {
				for k := range p.columns {
					block.Column(k, i/TileRows)[i%TileRows] = r.Float64()
				}
			}
			b.Run(name(fmt.Sprint(n)), func(b *testing.B) {
				for b.Loop() {
					block.Raw(dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
			})
		}
	}
}

package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// shape is what a forest and its rows have in common. Its trees divide as many random rows, at
// random, until each is alone.
type shape struct {
	name string
	// levels of the categories in every second column; 0 = all columns are numbers
	columns, levels int
	missing         float64 // fraction of the values
	classes         int
}

var shapes = []shape{
	{"numbers", 28, 0, 0, 2},
	{"missing", 28, 0, 0.1, 2},
	{"categories", 14, 40, 0.01, 2},
	{"classes", 16, 0, 0, 26},
}

func (s shape) categorical(column int) bool { return s.levels > 0 && column%2 == 1 }

// forest returns trees of as many leaves. Its leaves have one class each.
func (s shape) forest(b *testing.B, trees, leaves int) *Program {
	source := Source{Outputs: s.classes, Mean: true}
	for i := range trees {
		g := growing{s, rng.New(1, uint64(i)), tree.NewBuilder(tree.Vector, s.classes, false)}
		g.grow(0, leaves)
		t, err := g.b.Build()
		if err != nil {
			b.Fatal(err)
		}
		source.Trees = append(source.Trees, t.Compact())
	}
	return Compile(source)
}

type growing struct {
	shape
	r *rng.Stream
	b *tree.Builder
}

func (g *growing) grow(n int32, leaves int) {
	value := make([]float64, g.classes)
	value[g.r.Intn(g.classes)] = 1
	g.b.SetValue(n, value)
	if leaves == 1 {
		return
	}
	left := 1 + g.r.Intn(leaves-1)
	s := tree.Split{Kind: tree.Numeric, Feature: int32(g.r.Intn(g.columns)),
		Missing: tree.Missing(g.r.Intn(2))}
	if s.SplitPoint = float64(left) / float64(leaves); g.categorical(int(s.Feature)) {
		s.Kind, s.SplitPoint, s.Set = tree.SetFirst, 0, []uint64{0}
		for code := range g.levels {
			if g.r.Intn(leaves) < left {
				s.Set[0] |= 1 << code
			}
		}
	}
	child := g.b.Split(n, s)
	g.grow(child, left)
	g.grow(child+1, leaves-left)
}

func (s shape) fill(values []float64, r *rng.Stream) {
	for k := range values {
		values[k] = r.Float64()
		switch {
		case r.Float64() < s.missing:
			values[k] = math.NaN()
		case s.categorical(k):
			values[k] = float64(r.Intn(s.levels))
		}
	}
}

// BenchmarkBlock predicts blocks as Predict does, by forests of 50 trees of 14,000 leaves and of
// 1,000 trees of 31.
func BenchmarkBlock(b *testing.B) {
	for _, s := range shapes {
		for _, size := range [][2]int{{50, 14000}, {1000, 31}} {
			p := s.forest(b, size[0], size[1])
			rows := p.BlockRows()
			block, dst, r := p.NewBlock(rows), make([]float64, rows*s.classes), rng.New(2)
			block.Resize(rows)
			values := make([]float64, len(p.columns))
			for i := range rows {
				s.fill(values, r)
				for k, x := range values {
					block.Column(k, i/TileRows)[i%TileRows] = x
				}
			}
			b.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(b *testing.B) {
				for b.Loop() {
					block.Raw(dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows*size[0]),
					"ns/row/tree")
			})
		}
	}
}

// BenchmarkRow predicts one row at a time, another one each time, by the same forests.
func BenchmarkRow(b *testing.B) {
	for _, s := range shapes {
		for _, size := range [][2]int{{50, 14000}, {1000, 31}} {
			p := s.forest(b, size[0], size[1])
			rows, dst, r := make([][]float64, 256), make([]float64, s.classes), rng.New(2)
			for i := range rows {
				rows[i] = make([]float64, len(p.columns))
				s.fill(rows[i], r)
			}
			b.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					p.Raw(dst, rows[i%len(rows)])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size[0]), "ns/row/tree")
			})
		}
	}
}

package engine

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// boosted returns an ensemble of trees of as many leaves; see treetest.Boosted.
func boosted(_ testing.TB, trees, leaves, columns int) Source {
	return Source{Outputs: 1, Trees: treetest.Boosted(trees, leaves, columns),
		Output: make([]int32, trees)}
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

// BenchmarkOneLarge predicts by trees of 31 leaves, of which one has 300 and is walked in place.
func BenchmarkOneLarge(b *testing.B) {
	source := boosted(b, 500, 31, benchColumns)
	source.Trees[250] = boosted(b, 1, 300, benchColumns).Trees[0]
	benchWays(b, "500x31 one of 300", source)
}

// BenchmarkOblivious predicts by 500 oblivious trees of six levels.
func BenchmarkOblivious(b *testing.B) {
	benchWays(b, "500x6", oblivious(b, 500, 6, benchColumns))
}

const benchColumns = 28

// benchWays predicts one row at a time, and blocks of rows as Predict makes them, with the trees
// compiled or used in place, and one row at a time by a plain loop over the trees. Compiled trees
// have the kernels of AVX2 too, under that name.
func benchWays(b *testing.B, shape string, source Source) {
	r := rng.New(2)
	rows := make([][]float64, 256)
	benchCompiled(b, shape, source, r, rows, "compiled", "in place")
	for _, path := range kernel.Paths() {
		if path.Name == "AVX2" {
			b.Run(path.Name, func(b *testing.B) {
				path.Take(b)
				benchCompiled(b, shape, source, r, rows, "compiled")
			})
		}
	}
	loop := loopOf(source)
	benchRows(b, shape, "1", "plain loop", 1, func(i int, dst []float64) {
		dst[0] = loop.predict(rows[i%len(rows)])
	})
}

// benchCompiled predicts in some ways, and fills rows.
func benchCompiled(
	b *testing.B, shape string, source Source, r *rng.Stream, rows [][]float64, ways ...string,
) {
	for _, way := range ways {
		p := Compile(source)
		if way == "in place" {
			p.compiling.Do(func() {}) // there is no layout
		}
		p.layout()
		for i := range rows {
			rows[i] = make([]float64, len(p.columns))
			for k := range rows[i] {
				rows[i][k] = r.Float64()
			}
		}
		benchRows(b, shape, "1", way, 1, func(i int, dst []float64) { p.Raw(dst, rows[i%len(rows)]) })
		for _, n := range []int{8, 32, 64, 1024} {
			name := fmt.Sprint(n)
			n = min(n, p.BlockRows())
			block := p.NewBlock(n)
			block.Resize(n)
			for i := range n {
				for k := range p.columns {
					block.Column(k, i/TileRows)[i%TileRows] = r.Float64()
				}
			}
			benchRows(b, shape, name, way, n, func(_ int, dst []float64) { block.Raw(dst) })
		}
	}
}

// benchRows calls a function that predicts n rows, with the number of the call.
func benchRows(b *testing.B, shape, rows, way string, n int, predict func(i int, dst []float64)) {
	b.Run(fmt.Sprintf("%s/rows=%s/%s", shape, rows, way), func(b *testing.B) {
		dst := make([]float64, n)
		for i := 0; b.Loop(); i++ {
			predict(i, dst)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
	})
}

// plainLoop is what one would write without this package: the nodes of all trees in a slice, and a
// loop over the trees.
type plainLoop struct {
	nodes []plainNode
	roots []int32
}

// plainNode compares a value with a split point, or is a leaf with a value in its place.
type plainNode struct {
	point       float64
	feature     int32 // -1: a leaf
	child       int32 // the first; the last is the next
	missingLast bool
}

func loopOf(s Source) *plainLoop {
	l := &plainLoop{}
	for _, t := range s.Trees {
		from := int32(len(l.nodes))
		l.roots = append(l.roots, from)
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.Leaf {
				l.nodes = append(l.nodes, plainNode{point: t.Value(n)[0], feature: -1})
				continue
			}
			l.nodes = append(l.nodes, plainNode{t.SplitPoint(n), t.Feature(n), from + t.Child(n),
				t.Missing(n) == tree.MissingLast})
		}
	}
	return l
}

func (l *plainLoop) predict(row []float64) float64 {
	sum := 0.0
	for _, at := range l.roots {
		n := &l.nodes[at]
		for n.feature >= 0 {
			x := row[n.feature]
			if x <= n.point || x != x && !n.missingLast {
				n = &l.nodes[n.child]
			} else {
				n = &l.nodes[n.child+1]
			}
		}
		sum += n.point
	}
	return sum
}

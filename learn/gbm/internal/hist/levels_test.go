package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
)

// A level is scored by the cosine of its leaves' values and the gradients, by hand:
//
//	x  0   0   1   1     by x:  sums 4 and -4 of weight 2, w = -4/3 and 4/3
//	y  0   1   0   1            (16/3 + 16/3) / sqrt(2 * 16/9 * 2)
//	g  3   1  -1  -3     by y:  sums 2 and -2
//
// Together both give leaves of one row, of values g/2.
func TestCosineOfFourRows(t *testing.T) {
	m := table([]int{2, 2}, [][]int{{0, 0, 1, 1}, {0, 1, 0, 1}})
	g, h := []float64{3, 1, -1, -3}, []float64{1, 1, 1, 1}
	c := Config{Shape: Shape{Policy: Symmetric, Depth: 2, Cosine: true},
		Regularization: Regularization{L2: 1},
		Compatibility:  Compatibility{Conventions: CatBoost}}
	e := NewGrower(m, c)
	grown, err := e.Grow(t.Context(), g, h, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if root := grown.nodes[0]; root.split.column != 0 || grown.split[1].split.column != 1 {
		t.Fatalf("columns %d and %d split", root.split.column, grown.split[1].split.column)
	}
	var score cosineScore
	score.begin(e.inputs, grown.nodes[:1])
	root := grown.nodes[0].split
	want := (16./3 + 16./3) / math.Sqrt(2*16./9*2)
	if got := score.of(placeScore{root.gain, root.norm}); math.Abs(got-want) > 1e-6 { // from 0
		t.Errorf("the cosine by x is %v, want %v", got, want)
	}
	for i, want := range []float64{-1.5, -0.5, 0.5, 1.5} {
		if got := grown.Leaves[i].Value[0]; math.Abs(got-want) > 1e-6 {
			t.Errorf("leaf %d has the value %v, want %v", i, got, want)
		}
	}
}

// cosine is that of the leaves of a level, given the rows of its nodes and a split of all.
func (p *problem) cosine(level [][]int32, first func(row int32) bool) float64 {
	sum, norm := 0.0, 0.0
	for _, rows := range level {
		var s [2]pair
		for _, r := range rows {
			k := 0
			if first(r) {
				k = 1
			}
			s[k] = s[k].plus(pair{p.g[r], p.h[r]})
		}
		for _, s := range s {
			if s.h == 0 {
				continue
			}
			w := s.g / (s.h + p.c.L2)
			sum += s.g * w
			norm += s.h * w * w
		}
	}
	if norm == 0 {
		return 0
	}
	return sum / math.Sqrt(norm)
}

// TestCosineLevels: each level is split by what has the largest cosine, as brute force finds it;
// and the leaves have their own Newton steps.
func TestCosineLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c = Config{Shape: Shape{Policy: Symmetric, Depth: rapid.IntRange(1, 3).Draw(t, "levels"),
			Cosine: true}, Regularization: Regularization{L2: 1}, Double: p.c.Double,
			Categories:    Categories{OneHot: 8},
			Compatibility: Compatibility{Conventions: CatBoost}}
		grown := p.grow(t)
		rows := p.rowsOf(grown.grown)
		level := [][]int32{rows[0]}
		for coming := grown.split; len(coming) > 0; coming = coming[len(level)/2:] {
			most, next := 0.0, [][]int32{}
			p.everyWay(func(first func(int32) bool) { most = max(most, p.cosine(level, first)) })
			s := coming[0].split
			found := p.cosine(level, func(r int32) bool {
				return s.toFirst(&p.m.Columns[s.column], p.codes[s.column][r])
			})
			if math.Abs(found-most) > 1e-6*(1+most) {
				t.Fatalf("a level is split by a cosine of %v, brute force finds %v", found, most)
			}
			for _, l := range coming[:len(level)] {
				next = append(next, rows[l.first.node], rows[l.last.node])
			}
			level = next
		}
		for _, l := range grown.Leaves {
			want := 0.0
			if s := grown.in.sums[0].of(pair{}, l.Rows); len(l.Rows) > 0 {
				u := &grown.in.sums[0]
				want = -s.g * u.unitG / (s.h*u.unitH + 1)
			}
			if math.Abs(l.Value[0]-want) > 1e-6 || !slices.Equal(l.Rows, l.Basis) {
				t.Fatalf("leaf %d of %d rows has the value %v, want %v", l.Node, len(l.Rows),
					l.Value, want)
			}
		}
	})
}

// TestSymmetricTreesAreOblivious: all leaves are on one level, and all nodes above have the split
// of their level; the values by the sums that the tree was grown on are its own, and LeafOf finds
// the leaf of each row.
func TestSymmetricTreesAreOblivious(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Policy, p.c.Depth, p.c.Leaves = Symmetric, rapid.IntRange(1, 4).Draw(t, "levels"), 0
		p.c.PathSmooth = rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "smooth")
		grown := p.grow(t)
		made, err := grown.Tree(1)
		if err != nil {
			t.Fatal(err)
		}
		if made.NumLeaves() != 1<<made.Depth() {
			t.Fatalf("%d leaves at depth %d", made.NumLeaves(), made.Depth())
		}
		for n := range int32(made.NumLeaves() - 1) {
			first := int32(1)<<int32(math.Ilogb(float64(n+1))) - 1
			if made.Kind(n) == tree.Leaf || made.Feature(n) != made.Feature(first) ||
				made.NextMissing(n)-made.Child(n) != made.NextMissing(first)-made.Child(first) ||
				made.Kind(n) == tree.Numeric && made.SplitPoint(n) != made.SplitPoint(first) {
				t.Fatalf("node %d is not split as node %d", n, first)
			}
		}
		sums, leaf := make([]LeafSum, len(grown.Leaves)), make([]int32, len(p.g))
		for i, l := range grown.Leaves {
			sums[i] = LeafSum{l.G[0], l.H[0], len(l.Rows)}
		}
		for i, v := range grown.Values(sums) {
			if math.Abs(v-grown.Leaves[i].Value[0]) > 1e-6 {
				t.Fatalf("leaf %d has the value %v, want %v", i, v, grown.Leaves[i].Value)
			}
		}
		grown.LeafOf(leaf, nil)
		for r, i := range leaf {
			if !slices.Contains(grown.Leaves[i].Rows, int32(r)) {
				t.Fatalf("row %d is not in leaf %d", r, i)
			}
		}
	})
}

// Noise is normal numbers of its standard deviation, others for each seed, level and column.
func TestNoiseOfLevels(t *testing.T) {
	v := &levels{growth: &growth{inputs: &inputs{seed: 3}, noise: 2.5}}
	sum, squares := 0.0, 0.0
	for depth := range 20 {
		for column := range 200 {
			x := v.noiseOf(depth, column)
			sum += x / 4000
			squares += x * x / 4000
			if x == v.noiseOf(depth+1, column) || x == v.noiseOf(depth, column+1) || x != v.noiseOf(depth, column) {
				t.Fatalf("level %d, column %d: %v", depth, column, x)
			}
		}
	}
	if math.Abs(sum) > 0.15 || math.Abs(math.Sqrt(squares)-2.5) > 0.1 {
		t.Errorf("mean %v, deviation %v", sum, math.Sqrt(squares))
	}
	if v.noise = 0; v.noiseOf(1, 1) != 0 {
		t.Error("noise of no deviation")
	}
}

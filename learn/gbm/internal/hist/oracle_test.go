package hist

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// table makes a matrix of columns in bins. The last bin of a column is that of missing values.
// Nominal columns are those whose number of values is negative.
func table(values []int, codes [][]int) *bins.Matrix {
	n := len(codes[0])
	m := &bins.Matrix{Stride: (len(values) + 3) &^ 3}
	m.Narrow = m.Stride
	block := bins.Block{Rows: n, Packed: make([]uint8, n*m.Stride)}
	for i := range n {
		m.Rows = append(m.Rows, int32(i))
	}
	for j, v := range values {
		c := bins.Column{Feature: int32(j), Values: max(v, -v), Group: int32(j), Default: -1}
		for b := range c.Values {
			if v < 0 {
				c.Level, c.Code = append(c.Level, int32(b)), append(c.Code, uint32(b))
			} else if b > 0 {
				c.SplitPoints = append(c.SplitPoints, float64(b)-0.5)
			}
		}
		g := bins.Group{Columns: []int32{int32(j)}, Codes: c.Bins(), At: j}
		own := bins.Codes{Narrow: make([]uint8, n)}
		for r, b := range codes[j] {
			own.Narrow[r] = uint8(b)
			block.Packed[r*m.Stride+j] = uint8(b)
			c.Missing = c.Missing || b == c.Values
		}
		m.Columns, m.Groups = append(m.Columns, c), append(m.Groups, g)
		block.Codes = append(block.Codes, own)
	}
	m.Blocks = []bins.Block{block}
	return m
}

// problem is a table with gradients and a Config.
type problem struct {
	m     *bins.Matrix
	codes [][]int
	g, h  []float64
	c     Config
}

func draw(t *rapid.T) problem {
	n := rapid.IntRange(1, 60).Draw(t, "rows")
	columns := rapid.IntRange(1, 4).Draw(t, "columns")
	var values []int
	codes := make([][]int, columns)
	for j := range columns {
		v := rapid.IntRange(1, 8).Draw(t, "values")
		nominal := rapid.Bool().Draw(t, "nominal")
		missing := rapid.Bool().Draw(t, "missing")
		for range n {
			most := v - 1
			if missing {
				most = v
			}
			codes[j] = append(codes[j], rapid.IntRange(0, most).Draw(t, "code"))
		}
		if nominal {
			v = -v
		}
		values = append(values, v)
	}
	p := problem{m: table(values, codes), codes: codes}
	for range n {
		p.g = append(p.g, float64(rapid.IntRange(-20, 20).Draw(t, "g")))
		p.h = append(p.h, float64(rapid.IntRange(1, 4).Draw(t, "h")))
	}
	p.c = Config{Shape: Shape{Leaves: rapid.IntRange(0, 8).Draw(t, "leaves"), Depth: rapid.IntRange(0, 4).Draw(t, "depth"), Policy: Policy(rapid.IntRange(0, 1).Draw(t, "policy"))}, Regularization: Regularization{L1: rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "l1"), L2: rapid.SampledFrom([]float64{0, 1}).Draw(t, "l2"), MinChildWeight: rapid.SampledFrom([]float64{0, 5}).Draw(t, "weight"), MinLeaf: rapid.IntRange(0, 4).Draw(t, "min_leaf"), MaxDeltaStep: rapid.SampledFrom([]float64{0, 0, 1}).Draw(t, "step"), Gamma: rapid.SampledFrom([]float64{0, 2}).Draw(t, "gamma")}, Categories: Categories{OneHot: 8}, Double: rapid.Bool().Draw(t, "double"), Unseen: rapid.Bool().Draw(t, "unseen")}
	return p
}

// everyWay calls f for every way to partition rows: by each column every split point, or every
// category, with missing values on either side.
func (p *problem) everyWay(f func(first func(row int32) bool)) {
	for j := range p.m.Columns {
		c := &p.m.Columns[j]
		for b := range c.Values {
			for _, missing := range []bool{false, true} {
				if missing && c.Nominal() {
					continue
				}
				f(func(r int32) bool {
					code := p.codes[j][r]
					switch {
					case code == c.Values:
						return missing
					case c.Nominal():
						return code == b
					}
					return code <= b
				})
			}
		}
	}
}

// bestGain tries every split of some rows by brute force.
func (p *problem) bestGain(rows []int32) float64 {
	best := 0.0
	p.everyWay(func(first func(int32) bool) { best = max(best, p.gain(rows, first)) })
	return best
}

// gain is by the formulas of the loss, not those of the engine: the values of leaves are found by
// ternary search.
func (p *problem) gain(rows []int32, first func(int32) bool) float64 {
	var sums [3][3]float64
	for _, r := range rows {
		k := 2
		if first(r) {
			k = 1
		}
		for _, i := range []int{0, k} {
			sums[i][0] += p.g[r]
			sums[i][1] += p.h[r]
			sums[i][2]++
		}
	}
	for _, s := range sums[1:] {
		if s[2] < float64(max(1, p.c.MinLeaf)) || s[1] < p.c.MinChildWeight {
			return 0
		}
	}
	return 2 * (p.loss(sums[0]) - p.loss(sums[1]) - p.loss(sums[2]))
}

// loss is the least of G w + 1/2 (H + L2) w^2 + L1 |w|.
func (p *problem) loss(s [3]float64) float64 {
	f := func(w float64) float64 { return s[0]*w + (s[1]+p.c.L2)*w*w/2 + p.c.L1*math.Abs(w) }
	low, high := -1000.0, 1000.0
	if p.c.MaxDeltaStep > 0 {
		low, high = -p.c.MaxDeltaStep, p.c.MaxDeltaStep
	}
	for range 200 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if f(a) < f(b) {
			high = b
		} else {
			low = a
		}
	}
	return f((low + high) / 2)
}

// Every split that was made is as good as the best of brute force, and leaves that were not split
// could not be.
func TestSplitsAreTheBest(t *testing.T) { kerneltest.EachPath(t, testSplitsAreTheBest) }

func testSplitsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		tree, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		full := p.c.Leaves > 0 && len(tree.Leaves) == p.c.Leaves
		if p.c.Leaves > 0 && len(tree.Leaves) > p.c.Leaves {
			t.Fatalf("%d leaves, limit %d", len(tree.Leaves), p.c.Leaves)
		}
		rows := p.rowsOf(tree.grown)
		for i, l := range tree.nodes {
			best := p.bestGain(rows[i])
			switch {
			case tree.inner(l):
				if math.Abs(l.split.gain-best) > 1e-6*(1+best) {
					t.Fatalf("node %d: a gain of %v, brute force finds %v", i, l.split.gain, best)
				}
			case !full && (p.c.Depth == 0 || int(l.depth) < p.c.Depth) && best > max(1e-6, p.c.Gamma*(1+1e-6)):
				t.Fatalf("leaf %d could gain %v", i, best)
			}
		}
	})
}

// rowsOf lists the rows of every node by walking the rows down the tree that it gives.
func (p *problem) rowsOf(t *grown) [][]int32 {
	rows := make([][]int32, len(t.nodes))
	for r := range p.g {
		l := t.nodes[0]
		for {
			rows[l.node] = append(rows[l.node], int32(r))
			if !t.inner(l) {
				break
			}
			c := &p.m.Columns[l.split.column]
			code := p.codes[l.split.column][r]
			first := code <= l.split.bin
			if l.split.set != nil {
				first = false
				for _, b := range l.split.set {
					first = first || int(b) == code
				}
				first = first != l.split.others
			}
			if code == c.Values {
				first = l.split.missing
			}
			if first {
				l = l.first
			} else {
				l = l.last
			}
		}
	}
	return rows
}

// The values of leaves are Newton steps over exactly the rows that the tree sends there, and Add
// gives them to every row.
func TestLeavesHoldTheRowsThatReachThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Policy = Policy(rapid.IntRange(0, 2).Draw(t, "any policy"))
		var some []int32
		for r := range p.g {
			if rapid.Bool().Draw(t, "in") {
				some = append(some, int32(r))
			}
		}
		if len(some) == 0 {
			some = nil
		}
		grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, some, 1)
		if err != nil {
			t.Fatal(err)
		}
		all := p.rowsOf(grown.grown)
		raw := make([]float64, len(p.g))
		grown.Add(raw, nil, 0.5)
		for _, l := range grown.Leaves {
			var in []int32
			g, h := 0.0, 0.0
			for _, r := range all[l.Node] {
				if raw[r] != l.Value[0]*0.5 {
					t.Fatalf("row %d of leaf %d has %v, want %v", r, l.Node, raw[r], l.Value[0]*0.5)
				}
				if some == nil || contains(some, r) {
					in = append(in, r)
					g += p.g[r]
					h += p.h[r]
				}
			}
			if len(in) != len(l.Rows) {
				t.Fatalf("leaf %d holds rows %v, want %v", l.Node, l.Rows, in)
			}
			for i := range in {
				if in[i] != l.Rows[i] {
					t.Fatalf("leaf %d holds rows %v, want %v", l.Node, l.Rows, in)
				}
			}
			if math.Abs(g-l.G[0]) > 1e-5 || math.Abs(h-l.H[0]) > 1e-5 {
				t.Fatalf("leaf %d sums to %v, %v; want %v, %v", l.Node, l.G, l.H, g, h)
			}
		}
		if _, err := grown.Tree(0.1); err != nil {
			t.Fatal(err)
		}
	})
}

func contains(rows []int32, r int32) bool {
	for _, x := range rows {
		if x == r {
			return true
		}
	}
	return false
}

// Trees have the same bytes for any number of workers, in all ways to grow, and with little memory
// for histograms unless pairs of float64 are added.
func TestAnyNumberOfWorkersGrowsTheSameTree(t *testing.T) {
	s := rng.New(5)
	const rows = 3 * together
	values, codes := []int{255, 40, -12, 3}, make([][]int, 4)
	g, h := make([]float64, rows), make([]float64, rows)
	for j := range codes {
		v := values[j]
		for range rows {
			codes[j] = append(codes[j], s.Intn(max(v, -v)+1))
		}
	}
	for i := range g {
		g[i] = s.Float64() - 0.5 + float64(codes[0][i]%7)*0.1 - float64(codes[2][i]%3)*0.2
		h[i] = 0.1 + s.Float64()
	}
	m := table(values, codes)
	var some []int32
	for r := range int32(rows) {
		if s.Intn(4) > 0 {
			some = append(some, r)
		}
	}
	for _, c := range []Config{
		{Shape: Shape{Leaves: 100}},
		{Shape: Shape{Leaves: 100}, Double: true},
		{Shape: Shape{Policy: DepthWise, Depth: 6}, Regularization: Regularization{MinLeaf: 50}},
		{Shape: Shape{Policy: Symmetric, Depth: 6}},
		{Shape: Shape{Leaves: 60}, Categories: Categories{OneHot: 20}, Columns: Columns{ColumnsByLevel: 0.5, ColumnsByNode: 0.7, ExtraRandom: true}},
	} {
		var want []byte
		for _, workers := range []int{1, 2, 5}[:tier.Count(2, 3, 3)] {
			c.Workers, c.Unseen, c.Weight = workers, true, h
			r := NewGrower(m, c)
			if workers == 2 && !c.Double {
				r.hist.pool.budget = 20 * r.tables.lay.cells // two histograms
			}
			grown, err := r.Grow(t.Context(), g, h, some, 7)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := grown.Tree(0.1)
			if err != nil {
				t.Fatal(err)
			}
			raw := make([]float64, rows)
			grown.Add(raw, nil, 1)
			got := fmt.Appendf(nil, "%v %v %v", tree.Nodes, tree.Leaf.Value, grown.Leaves)
			got = fmt.Append(got, raw)
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Fatalf("%+v: another tree", c)
			}
		}
	}
}

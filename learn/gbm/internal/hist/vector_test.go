package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// sampleSeveral samples a problem of some outputs. p is the first of them; all have its hessians,
// so that the weight of a child, their mean, is that of any.
func sampleSeveral(t *rapid.T) (p problem, outputs int, g, h []float64) {
	p = draw(t)
	outputs = rapid.IntRange(1, 4).Draw(t, "outputs")
	g = slices.Clone(p.g)
	for range (outputs - 1) * len(p.g) {
		g = append(g, float64(rapid.IntRange(-20, 20).Draw(t, "g")))
	}
	return p, outputs, g, slices.Repeat(p.h, outputs)
}

// With one output a tree is that of a Grower, to the bit, where sums are exact and both score
// leaves by the same formula, as they do with smoothing.
func TestOneOutputIsTheGrowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Double, p.c.PathSmooth = false, rapid.SampledFrom([]float64{1, 6}).Draw(t, "smooth")
		p.c.OneHot = rapid.SampledFrom([]int{0, 8}).Draw(t, "one hot")
		p.c.MaxCategories = rapid.IntRange(0, 2).Draw(t, "categories")
		p.c.CatSmooth, p.c.CatL2 = rapid.SampledFrom([]float64{0, 1}).Draw(t, "smooth"), rapid.SampledFrom([]float64{0, 2}).Draw(t, "cat l2")
		p.c.ExtraRandom = rapid.Bool().Draw(t, "extra random")
		p.c.ColumnsByNode = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "columns by node")
		if rapid.Bool().Draw(t, "symmetric") {
			p.c.Policy = Symmetric
		}
		want, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewVectorGrower(p.m, p.c, 1).Grow(t.Context(), p.g, p.h, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := want.Tree(0.5)
		b, errB := got.Tree(0.5)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !slices.Equal(a.Nodes, b.Nodes) || !slices.Equal(a.Sets, b.Sets) || !slices.Equal(a.Leaf.Value, b.Leaf.Value) ||
			!slices.Equal(a.Stats.Gain, b.Stats.Gain) || !slices.Equal(a.Stats.Weight, b.Stats.Weight) || !slices.Equal(a.Stats.Rows, b.Stats.Rows) {
			t.Fatalf("got  %+v %+v\nwant %+v %+v", b, b.Stats, a, a.Stats)
		}
	})
}

// Every split gains as much as the best of brute force, whose gains are sums over the outputs of
// single gains; leaves that were not split could not be.
func TestVectorSplitsAreTheBest(t *testing.T) { kerneltest.EachPath(t, testVectorSplitsAreTheBest) }

func testVectorSplitsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, outputs, g, h := sampleSeveral(t)
		grown, err := NewVectorGrower(p.m, p.c, outputs).Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		full := p.c.Leaves > 0 && len(grown.Leaves) == p.c.Leaves
		rows := p.rowsOf(grown.grown)
		for i, l := range grown.grown.nodes {
			best := p.bestSum(rows[i], outputs, g)
			switch {
			case grown.grown.inner(l):
				if math.Abs(l.split.gain-best) > 1e-6*(1+best) {
					t.Fatalf("node %d: a gain of %v, brute force finds %v", i, l.split.gain, best)
				}
			case !full && (p.c.Depth == 0 || int(l.depth) < p.c.Depth) && best > max(1e-6, p.c.Gamma*(1+1e-6)):
				t.Fatalf("leaf %d could gain %v", i, best)
			}
		}
	})
}

// bestSum is bestGain for several outputs.
func (p *problem) bestSum(rows []int32, outputs int, g []float64) float64 {
	best := 0.0
	p.everyWay(func(first func(int32) bool) { best = max(best, p.sumOfGains(rows, first, outputs, g)) })
	return best
}

// sumOfGains is gain for several outputs.
func (p *problem) sumOfGains(rows []int32, first func(int32) bool, outputs int, g []float64) float64 {
	sum := 0.0
	for k := range outputs {
		one := *p
		one.g = g[k*len(p.g) : (k+1)*len(p.g)]
		sum += one.gain(rows, first)
	}
	return sum
}

// TestSymmetricVectorTrees: all leaves of a level that may be are split alike, by what gains most
// at all of them and for all outputs; also where there is no memory for histograms.
func TestSymmetricVectorTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, outputs, g, h := sampleSeveral(t)
		p.c.Policy, p.c.Gamma, p.c.Depth, p.c.Leaves = Symmetric, 0, rapid.IntRange(1, 3).Draw(t, "levels"), 0
		v := NewVectorGrower(p.m, p.c, outputs)
		if rapid.Bool().Draw(t, "no memory") {
			v.hist.pool.budget, v.hist.pool.lends = 0, 0
		}
		grown, err := v.Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		p.checkLevels(t, grown.grown, func(rows []int32, first func(int32) bool) float64 {
			return p.sumOfGains(rows, first, outputs, g)
		})
	})
}

// Leaves hold the rows that reach them and their Newton steps; what Add adds is what the tree
// predicts, for all rows; and all is the same for any number of workers.
func TestVectorLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, outputs, g, h := sampleSeveral(t)
		p.c.OneHot, p.c.Policy = rapid.SampledFrom([]int{0, 8}).Draw(t, "one hot"), Policy(rapid.IntRange(0, 2).Draw(t, "policy"))
		for i := range h { // not the same for all outputs
			h[i] += float64(i % 3)
		}
		f := p.frame(t)
		var some []int32
		for r := range p.g {
			if rapid.Bool().Draw(t, "in") {
				some = append(some, int32(r))
			}
		}
		var first *tree.Tree
		for _, workers := range []int{1, 3} {
			p.c.Workers = workers
			r := NewVectorGrower(p.m, p.c, outputs)
			// whose memory is used again
			if _, err := r.Grow(t.Context(), h, h, nil, 7); err != nil {
				t.Fatal(err)
			}
			grown, err := r.Grow(t.Context(), g, h, some, 1)
			if err != nil {
				t.Fatal(err)
			}
			made, err := grown.Tree(0.25)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = made
			}
			if !slices.Equal(first.Nodes, made.Nodes) || !slices.Equal(first.Sets, made.Sets) || !slices.Equal(first.Leaf.Value, made.Leaf.Value) || !slices.Equal(first.Stats.Gain, made.Stats.Gain) {
				t.Fatalf("%d workers: %+v, one: %+v", workers, made, first)
			}
			n := len(p.g)
			raw := make([]float64, outputs*n)
			grown.Add(raw, nil, 0.25)
			for row := range n {
				for k, want := range made.Value(made.Over(f.Columns).LeafOf(int32(row))) {
					if raw[k*n+row] != want {
						t.Fatalf("row %d, output %d: Add adds %v, the tree predicts %v", row, k, raw[k*n+row], want)
					}
				}
			}
			p.checkLeaves(t, grown, g, h, some)
		}
	})
}

func (p *problem) checkLeaves(t *rapid.T, grown *Grown, g, h []float64, some []int32) {
	n := len(p.g)
	all := p.rowsOf(grown.grown)
	for _, l := range grown.Leaves {
		var in []int32
		for _, r := range all[l.Node] {
			if some == nil || contains(some, r) {
				in = append(in, r)
			}
		}
		if !slices.Equal(in, l.Rows) {
			t.Fatalf("leaf %d holds rows %v, want %v", l.Node, l.Rows, in)
		}
		for k := range l.Value {
			sumG, sumH := 0.0, 0.0
			for _, r := range in {
				sumG += g[k*n+int(r)]
				sumH += h[k*n+int(r)]
			}
			var basis pair // differs from the sums below splits in name
			for _, r := range l.Basis {
				basis = basis.plus(pair{g[k*n+int(r)], h[k*n+int(r)]})
			}
			want := terms{l1: p.c.L1, l2: p.c.L2, step: p.c.MaxDeltaStep}
			if math.Abs(sumG-l.G[k]) > 1e-5 || math.Abs(sumH-l.H[k]) > 1e-5 || math.Abs(want.value(basis, free(), 0, 0)-l.Value[k]) > 1e-6 {
				t.Fatalf("leaf %d, output %d: sums %v, %v, want %v, %v; value %v", l.Node, k, l.G[k], l.H[k], sumG, sumH, l.Value[k])
			}
		}
	}
}

func TestVectorGrowerRefuses(t *testing.T) {
	m := table([]int{2}, [][]int{{0, 1, 1}})
	g, h := []float64{1, -1, 2, 0, 0, 0}, []float64{1, 1, 1, 1, 1, 1}
	if _, err := NewVectorGrower(m, Config{Columns: Columns{Monotone: []int8{1}}}, 2).Grow(t.Context(), g, h, nil, 1); err == nil {
		t.Error("no error")
	}
}

// TestVectorTreesOfLittleMemory: without memory for histograms of open leaves the tree is the same.
// A worker then has no more of them than those of the two children of the leaf that it splits. One
// of these two takes the memory of the leaf's own.
func TestVectorTreesOfLittleMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, outputs, g, h := sampleSeveral(t)
		p.c.Double, p.c.Policy = false, Policy(rapid.IntRange(0, 2).Draw(t, "policy"))
		p.c.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		v := NewVectorGrower(p.m, p.c, outputs)
		want, err := v.Grow(t.Context(), g, h, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		a, err := want.Tree(1)
		if err != nil || v.hist.pool.double {
			return // float64 are added where gradients are of very different sizes
		}
		v = NewVectorGrower(p.m, p.c, outputs)
		v.hist.pool.budget = 0
		got, err := v.Grow(t.Context(), g, h, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := got.Tree(1)
		if err != nil || !slices.Equal(a.Nodes, b.Nodes) || !slices.Equal(a.Leaf.Value, b.Leaf.Value) {
			t.Fatalf("got %+v\nwant %+v, %v", b, a, err)
		}
		if made := len(v.hist.pool.free); made > 2*p.c.Workers {
			t.Fatalf("%d workers made %d histograms", p.c.Workers, made)
		}
	})
}

// A tree of several outputs is that of one output where there is but one, with all that can be set
// for both.
func TestSeveralOutputsOfOne(t *testing.T) {
	s := rng.New(29)
	sets, split := 0, 0
	for i := range 600 {
		p := nodeProblem(s)
		if len(p.g) > p.m.Len() {
			continue
		}
		p.c.Conventions, p.c.Values, p.c.Monotone, p.c.Leaves = Own, nil, nil, 2+s.Intn(6)
		p.c.MinGroup = s.Intn(5)
		one, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 5)
		if err != nil {
			t.Fatal(err)
		}
		several, err := NewVectorGrower(p.m, p.c, 1).Grow(t.Context(), p.g, p.h, nil, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(one.Leaves) != len(several.Leaves) {
			t.Fatalf("problem %d, %+v: %d leaves of one output, %d of several", i, p.c, len(one.Leaves), len(several.Leaves))
		}
		for k := range one.Leaves {
			a, b := &one.Leaves[k], &several.Leaves[k]
			if !slices.Equal(a.Rows, b.Rows) || math.Abs(a.Value[0]-b.Value[0]) > 1e-9 {
				t.Fatalf("problem %d, %+v: leaf %d has rows %v and the value %v, of several %v and %v", i, p.c, k, a.Rows, a.Value, b.Rows, b.Value)
			}
		}
		for k, n := range one.nodes {
			if m := several.nodes[k]; one.inner(n) {
				split++
				if n.split.set != nil {
					sets++
				}
				if n.split.column != m.split.column || math.Abs(n.split.gain-m.split.gain) > 1e-6*n.split.gain {
					t.Fatalf("problem %d, %+v: node %d gains %v by column %d, of several %v by %d", i, p.c, k, n.split.gain, n.split.column,
						m.split.gain, m.split.column)
				}
			}
		}
	}
	if sets < 100 || split < 500 {
		t.Errorf("%d splits, %d by sets", split, sets)
	}
}

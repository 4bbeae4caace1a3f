package engine

import (
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// scannable is what random ensembles that Scan supports have in common.
type scannable struct {
	*rng.Stream
	columns, grid int // split points are whole numbers below grid, and some infinite ones
	leaves, width int
	kind          tree.LeafKind
	rules         []tree.Missing
	linear        bool
	inner         bool // inner nodes have values
	oblivious     bool
	levels        int // of the categories in every second column; 0 = all columns are numbers
}

func (g *scannable) categorical(feature int32) bool { return g.levels > 0 && feature%2 == 1 }

// split returns a random split.
func (g *scannable) split() tree.Split {
	s := tree.Split{Kind: tree.Numeric, Feature: int32(g.Intn(g.columns)),
		SplitPoint: float64(g.Intn(g.grid)), Missing: g.rules[g.Intn(len(g.rules))]}
	if g.Intn(50) == 0 {
		s.SplitPoint = math.Inf(1 - 2*g.Intn(2))
	}
	few := g.levels > 300 // few levels are in sets, and split points may compare levels
	if g.categorical(s.Feature) && !(few && g.leaves < 31 && g.Intn(9) == 0) {
		s.Kind, s.SplitPoint = tree.SetFirst+tree.Kind(g.Intn(2)), 0
		s.Set = make([]uint64, (g.levels+63)/64)
		for code := range g.levels {
			if few && code%7 != 3 {
				continue
			}
			s.Set[code/64] |= uint64(g.Intn(2)) << (code % 64)
		}
	}
	return s
}

// splitLevels splits all leaves of a tree, level by level, up to as many.
func (g *scannable) splitLevels(b *tree.Builder) {
	for level, n := []int32{0}, g.Intn(g.leaves); 2*len(level) <= n; {
		s := g.split()
		var next []int32
		for _, n := range level {
			first := b.Split(n, s)
			b.SetFraction(first, 0.25)
			b.SetFraction(first+1, 0.75)
			next = append(next, first, first+1)
		}
		level = next
	}
}

// tree returns a tree of up to as many leaves.
func (g *scannable) tree(t rapid.TB) *tree.Tree {
	b := tree.NewBuilder(g.kind, g.width, false)
	open, leaves := []int32{0}, 1+g.Intn(g.leaves)
	if g.oblivious {
		g.splitLevels(b)
		leaves = 0
	}
	for len(open) < leaves {
		at := g.Intn(len(open))
		first := b.Split(open[at], g.split())
		b.SetFraction(first, 0.25)
		b.SetFraction(first+1, 0.75)
		open[at] = first
		open = append(open, first+1)
	}
	value := make([]float64, g.width)
	for n := range int32(b.Len()) {
		for k := range value {
			value[k] = g.Float64()
		}
		b.SetValue(n, value)
		if g.linear && g.Intn(2) == 0 {
			b.SetLinear(n, g.Float64(), []tree.Term{{Feature: 0, Coef: g.Float64()}})
		}
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if !g.inner {
		made = made.Compact()
	}
	return made
}

// unfit returns a tree that is walked in place: a large one, or one that divides rows.
func (g *scannable) unfit(t rapid.TB) *tree.Tree {
	other := *g
	other.oblivious = false
	if g.linear || g.Intn(2) == 0 {
		other.leaves = 600
	} else {
		other.rules = []tree.Missing{tree.MissingFirst, tree.MissingFractional, tree.MissingStop}
	}
	return other.tree(t)
}

func (g *scannable) value(feature int32) float64 {
	if g.Intn(10) == 0 {
		return math.NaN()
	}
	if g.categorical(feature) {
		return float64(g.Intn(g.levels+5) - 1)
	}
	switch g.Intn(10) {
	case 1:
		return math.Inf(1 - 2*g.Intn(2))
	case 2:
		return math.Copysign(0, -1)
	}
	return float64(g.Intn(2*g.grid)) / 2
}

// scannableSource samples an ensemble.
func scannableSource(t *rapid.T) (*scannable, Source) {
	g := &scannable{Stream: rng.New(rapid.Uint64().Draw(t, "seed")),
		columns: rapid.IntRange(1, 40).Draw(t, "columns"),
		grid:    rapid.SampledFrom([]int{2, 20, 200, 100_000}).Draw(t, "grid"),
		leaves:  rapid.SampledFrom([]int{1, 2, 31, 64, 256}).Draw(t, "leaves"),
		width:   1, kind: tree.Scalar, inner: rapid.Bool().Draw(t, "inner values"),
		rules: rapid.SampledFrom([][]tree.Missing{{tree.MissingFirst}, {tree.MissingLast},
			{tree.MissingFirst, tree.MissingLast, tree.MissingMajority}}).Draw(t, "rules")}
	s := Source{Outputs: rapid.IntRange(1, 4).Draw(t, "outputs"), Mean: rapid.Bool().Draw(t, "mean")}
	trees := rapid.IntRange(1, 45).Draw(t, "trees")
	g.levels = rapid.SampledFrom([]int{0, 0, 2, 40, mostLevels, 300, 3000}).Draw(t, "levels")
	g.oblivious = rapid.Bool().Draw(t, "oblivious")
	unfit := rapid.SampledFrom([]int{0, 0, 1, 10, 40}).Draw(t, "percent of trees in place")
	switch rapid.SampledFrom([]string{"scalar", "scalar", "vector", "counts", "linear"}).Draw(t,
		"kind") {
	case "vector":
		g.kind, g.width = tree.Vector, s.Outputs
	case "counts":
		g.kind, g.width = tree.Counts, s.Outputs
	case "linear":
		g.linear = true
	}
	for i := range trees {
		if g.Intn(100) < unfit {
			s.Trees = append(s.Trees, g.unfit(t))
		} else {
			s.Trees = append(s.Trees, g.tree(t))
		}
		if g.kind == tree.Scalar {
			s.Output = append(s.Output, int32(i%s.Outputs))
		}
		s.Weights = append(s.Weights, 1/float64(i+3))
	}
	return g, s
}

// TestScan: rows that are scanned have the bits of the plain walk, in blocks and alone.
func TestScan(t *testing.T) { kerneltest.EachPath(t, testScan) }

func testScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, source := scannableSource(t)
		p := Compile(source)
		takeCuts(p, rapid.Bool().Draw(t, "cuts"))
		g.check(t, p, rapid.IntRange(1, 300).Draw(t, "rows"))
	})
}

// takeCuts makes blocks use the form for cuts wherever there is one, or never.
func takeCuts(p *Program, take bool) {
	cost := math.MaxInt
	if take {
		cost = 0
	}
	if l := p.layout(); l != nil {
		for i := range l.segments {
			if c := l.segments[i].cuts; c != nil {
				c.cost = cost
			}
		}
	}
}

// check holds the ways of some random rows against the plain walk.
func (g *scannable) check(t rapid.TB, p *Program, n int) {
	b := p.NewBlock(n)
	b.Resize(n)
	rows := make([][]float64, n)
	for r := range rows {
		rows[r] = make([]float64, len(p.columns))
		for k := range rows[r] {
			rows[r][k] = g.value(p.columns[k])
			b.Column(k, r/TileRows)[r%TileRows] = rows[r][k]
		}
	}
	raw, leaves := make([]float64, n*p.outputs), make([]float64, n*p.NumTrees())
	b.Raw(raw)
	b.Leaves(leaves)
	alone, leavesAlone := make([]float64, p.outputs), make([]float64, p.NumTrees())
	want, wantLeaves := make([]float64, p.outputs), make([]float64, p.NumTrees())
	for r, values := range rows {
		plainRaw(p, want, values)
		for i := range p.plans {
			wantLeaves[i] = float64(p.plans[i].leaf(0, row{values, p.place}))
		}
		if got := raw[r*p.outputs:][:p.outputs]; !sameBits(got, want) {
			t.Fatalf("row %d of %d: %v, in the plain walk %v", r, n, got, want)
		}
		if got := leaves[r*p.NumTrees():][:p.NumTrees()]; !sameBits(got, wantLeaves) {
			t.Fatalf("row %d of %d: at %v, in the plain walk %v", r, n, got, wantLeaves)
		}
		if r%16 > 0 {
			continue
		}
		p.Raw(alone, values)
		p.Leaves(leavesAlone, values)
		if !sameBits(alone, want) || !sameBits(leavesAlone, wantLeaves) {
			t.Fatalf("row %d alone: %v at %v, in the plain walk %v at %v", r, alone, leavesAlone,
				want, wantLeaves)
		}
	}
}

// Trees with more split points in a column than codes have are divided into segments.
func TestSegments(t *testing.T) { kerneltest.EachPath(t, testSegments) }

func testSegments(t *testing.T) {
	leaves, _ := kernel.ThisMachine().ScanLimits()
	g := &scannable{Stream: rng.New(1), columns: 2, grid: 1e6, leaves: leaves, width: 1,
		kind: tree.Scalar, rules: []tree.Missing{tree.MissingFirst, tree.MissingLast}}
	s := Source{Outputs: 2}
	for i := range 50 {
		s.Trees, s.Output = append(s.Trees, g.tree(t)), append(s.Output, int32(i%2))
	}
	p := Compile(s)
	l := p.layout()
	if l == nil || len(l.segments) < 5 {
		t.Fatal("50 large trees with random split points are not in several segments")
	}
	for _, wideFrom := range []int{1, 0} {
		l.wideFrom, l.fit = wideFrom, slices.Repeat([]bool{true}, len(p.plans))
		if wide := slices.Contains(p.Uses(kernel.ScanRows), WideCuts); wide != (wideFrom > 0) {
			t.Errorf("tiles use %v, with codes of two bytes from %d rows on", p.Uses(kernel.ScanRows),
				wideFrom)
		}
		g.check(t, p, 300)
	}
	for _, take := range []bool{true, false} {
		takeCuts(p, take)
		g.check(t, p, 300)
	}
}

// Split points beyond those of codes of two bytes divide trees into segments too.
func TestWideSegments(t *testing.T) {
	g := &scannable{Stream: rng.New(1), columns: 1, grid: 1e9, leaves: 256, width: 1,
		kind: tree.Scalar, rules: []tree.Missing{tree.MissingFirst, tree.MissingLast}}
	s := Source{Outputs: 1, Layout: WideCuts}
	for points := 0; points < kernel.MaxWidePoints+100; {
		made := g.tree(t)
		points += made.Len() / 2
		s.Trees, s.Output = append(s.Trees, made), append(s.Output, 0)
	}
	p := Compile(s)
	if err := p.Fit(); err != nil || len(p.layout().segments) != 2 {
		t.Fatalf("%d segments, %v", len(p.layout().segments), err)
	}
	g.check(t, p, 20)
}

// TestFormsAtOnce: forms that are made when they are first used are the same for all goroutines
// that need them at once.
func TestFormsAtOnce(t *testing.T) {
	const rows = kernel.ScanRows + 1
	g := &scannable{Stream: rng.New(1), columns: 2, grid: 1e6, leaves: 64, width: 1,
		kind: tree.Scalar, rules: []tree.Missing{tree.MissingFirst, tree.MissingLast}}
	s := Source{Outputs: 1}
	for range 100 {
		s.Trees, s.Output = append(s.Trees, g.tree(t)), append(s.Output, 0)
	}
	for _, how := range Layouts() {
		s.Layout = how
		p := Compile(s)
		if p.Fit() != nil {
			continue
		}
		values, want := [2]float64{}, make([]float64, rows)
		for r := range want {
			values[0], values[1] = float64(r), float64(3*r)
			plainRaw(p, want[r:r+1], values[:])
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				b, got, alone := p.NewBlock(rows), make([]float64, rows), []float64{0}
				b.Resize(rows)
				for r := range got {
					b.Column(0, r/TileRows)[r%TileRows] = float64(r)
					b.Column(1, r/TileRows)[r%TileRows] = float64(3 * r)
				}
				b.Raw(got)
				p.Raw(alone, []float64{0, 0})
				if !sameBits(got, want) || !sameBits(alone, want[:1]) {
					t.Errorf("layout %s: other sums than the plain walk", how)
				}
			})
		}
		all.Wait()
	}
}

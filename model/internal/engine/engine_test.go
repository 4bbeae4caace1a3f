package engine

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// randomSource samples an ensemble of trees of every kind of node and every missing rule, or of
// those that the kernel walks.
func randomSource(t *rapid.T, fields []data.Field) Source {
	s := Source{Outputs: rapid.IntRange(1, 5).Draw(t, "outputs"), Mean: rapid.Bool().Draw(t, "mean")}
	shape := treetest.Shape{Fields: fields, Width: s.Outputs, Splits: 12, Kind: tree.Vector,
		Number: rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-10, 10))}
	if rapid.Bool().Draw(t, "counts") {
		shape.Kind, shape.Number = tree.Counts, rapid.SampledFrom([]float64{0, 0, 0, 1, 3, 0.1})
	}
	trees := rapid.IntRange(1, 20).Draw(t, "trees")
	if rapid.Bool().Draw(t, "a tree per output") {
		shape.Kind, shape.Width = tree.Scalar, 1
	}
	simple := rapid.Bool().Draw(t, "simple")
	for i := range trees {
		grown := treetest.Tree(shape).Draw(t, "tree")
		if simple {
			grown = simplified(t, grown)
		}
		if rapid.Bool().Draw(t, "compact") {
			grown = grown.Compact()
		}
		s.Trees = append(s.Trees, grown)
		if shape.Kind == tree.Scalar {
			s.Output = append(s.Output, int32(i%s.Outputs))
		}
	}
	if rapid.Bool().Draw(t, "weighted") {
		s.Weights = rapid.SliceOfN(rapid.Float64Range(0.25, 4), trees, trees).Draw(t, "weights")
	}
	if rapid.Bool().Draw(t, "biased") {
		s.Bias = rapid.SliceOfN(rapid.Float64Range(-10, 10), s.Outputs, s.Outputs).Draw(t, "bias")
	}
	return s
}

// simplified returns the tree with split points and sets only, of which a missing value follows one
// child.
func simplified(t *rapid.T, full *tree.Tree) *tree.Tree {
	b := tree.NewBuilder(full.Leaf.Kind, full.Leaf.Width, false)
	from := []int32{0} // node of the full tree that each node was
	for n := int32(0); int(n) < b.Len(); n++ {
		k := full.Kind(from[n])
		if k != tree.Numeric && k != tree.SetFirst && k != tree.SetLast {
			continue
		}
		s := full.SplitOf(from[n])
		s.Missing, s.Surrogates = rapid.SampledFrom([]tree.Missing{tree.MissingFirst, tree.MissingLast}).Draw(t, "rule"), nil
		b.Split(n, s)
		from = append(from, full.Child(from[n]), full.Child(from[n])+1)
	}
	for n, f := range from {
		if full.Slot(f) >= 0 {
			b.CopyValue(int32(n), full, f)
		}
	}
	made, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// valuesOf returns the values of a row as Program.Raw takes them.
func valuesOf(p *Program, f *data.Frame, row int) []float64 {
	values := make([]float64, len(p.Columns()))
	for k, feature := range p.Columns() {
		c := &f.Columns[feature]
		switch {
		case c.Codes() == nil:
			values[k] = c.Number(row)
		case c.Code(row) == data.MissingCode:
			values[k] = math.NaN()
		case c.Code(row) == data.UnseenCode:
			values[k] = -1
		default:
			values[k] = float64(c.Code(row))
		}
	}
	return values
}

// plainRaw is Raw by the plain walk alone.
func plainRaw(p *Program, dst, values []float64) {
	p.begin(dst)
	for i := range p.plans {
		p.plans[i].add(dst, p.scale[i], row{values, p.place})
	}
	p.end(dst)
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// TestWaysAgree: rows in blocks of any size, and alone, have the bits that the plain walk gives
// them.
func TestWaysAgree(t *testing.T) { kerneltest.EachPath(t, testWaysAgree) }

func testWaysAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		p := Compile(randomSource(t, schema.Fields))
		f := treetest.Frame(schema, 6).Draw(t, "table")
		order := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 150).Draw(t, "rows")
		raw, leaves := make([][]float64, 6), make([][]float64, 6)
		for r := range raw {
			values := valuesOf(p, f, r)
			raw[r], leaves[r] = make([]float64, p.outputs), make([]float64, p.NumTrees())
			plainRaw(p, raw[r], values)
			for i := range p.plans {
				leaves[r][i] = float64(p.plans[i].leaf(0, row{values, p.place}))
			}
			alone, leafAlone := make([]float64, p.outputs), make([]float64, p.NumTrees())
			p.Raw(alone, values)
			p.Leaves(leafAlone, values)
			if !sameBits(alone, raw[r]) || !sameBits(leafAlone, leaves[r]) {
				t.Fatalf("row %d alone: %v at %v, in the plain walk %v at %v", r, alone, leafAlone, raw[r], leaves[r])
			}
		}
		b := p.NewBlock(len(order))
		// A second filling of the block must not see the first: neither its rows nor its missing
		// values.
		for _, fraction := range [][]int{order, order[rapid.IntRange(0, len(order)-1).Draw(t, "from"):]} {
			b.Resize(len(fraction))
			fill(b, f, fraction)
			gotRaw, gotLeaves := make([]float64, len(fraction)*p.outputs), make([]float64, len(fraction)*p.NumTrees())
			b.Raw(gotRaw)
			b.Leaves(gotLeaves)
			for i, r := range fraction {
				if got := gotRaw[i*p.outputs : (i+1)*p.outputs]; !sameBits(got, raw[r]) {
					t.Fatalf("row %d of a block of %d: %v, in the plain walk %v", i, len(fraction), got, raw[r])
				}
				if got := gotLeaves[i*p.NumTrees() : (i+1)*p.NumTrees()]; !sameBits(got, leaves[r]) {
					t.Fatalf("row %d of a block of %d: at %v, in the plain walk %v", i, len(fraction), got, leaves[r])
				}
			}
		}
	})
}

func fill(b *Block, f *data.Frame, rows []int) {
	for i, r := range rows {
		for k, x := range valuesOf(b.p, f, r) {
			b.Column(k, i/TileRows)[i%TileRows] = x
		}
	}
}

// TestWays: which way trees go down is decided by their nodes, and by what the kernel could not
// bear.
func TestWays(t *testing.T) {
	build := func(s tree.Split) *tree.Tree {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.Split(0, s)
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	broken := build(tree.Split{Kind: tree.Numeric})
	broken.Nodes = broken.Nodes[:2]
	setless := build(tree.Split{Kind: tree.SetFirst, Set: []uint64{1}})
	setless.SetAt = setless.SetAt[:1]
	beyond := build(tree.Split{Kind: tree.SetLast, Set: []uint64{1}})
	beyond.Sets = nil
	for name, c := range map[string]struct {
		tree *tree.Tree
		want way
	}{
		"split point":     {build(tree.Split{Kind: tree.Numeric, Missing: tree.MissingLast}), fast},
		"set":             {build(tree.Split{Kind: tree.SetFirst, Set: []uint64{5}}), fast},
		"majority":        {build(tree.Split{Kind: tree.Numeric, Missing: tree.MissingMajority}), withoutMissing},
		"stop":            {build(tree.Split{Kind: tree.SetLast, Set: []uint64{1}, Missing: tree.MissingStop}), withoutMissing},
		"codes":           {build(tree.Split{Kind: tree.ByCode, Arity: 2}), plainly},
		"direction":       {build(tree.Split{Kind: tree.Oblique, Direction: []tree.Term{{Feature: 0, Coef: 1}}}), plainly},
		"too many":        {build(tree.Split{Kind: tree.Numeric, Feature: maxPlaces}), plainly},
		"nodes cut off":   {broken, plainly},
		"no such set":     {setless, plainly},
		"sets cut off":    {beyond, plainly},
		"nothing to walk": {build(tree.Split{Kind: tree.Numeric}).Compact(), fast},
	} {
		if got := Compile(Source{Trees: []*tree.Tree{c.tree}, Outputs: 1}).plans[0].way; got != c.want {
			t.Errorf("%s: way %d, want %d", name, got, c.want)
		}
	}
}

// TestPacked: the kernel reads in the memory of a tree's nodes what the tree's methods return.
func TestPacked(t *testing.T) { kerneltest.EachPath(t, testPacked) }

func testPacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		grown := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Scalar, Width: 1, Splits: 12}).Draw(t, "tree")
		for i, d := range packed(grown.Nodes) {
			n := int32(i)
			feature := int32(d.Look >> featureAt)
			if feature == noFeature {
				feature = -1
			}
			if tree.Kind(d.Look&kindBits) != grown.Kind(n) || tree.Missing(d.Look>>ruleAt&ruleBits) != grown.Missing(n) ||
				feature != grown.Feature(n) || d.SplitPoint != grown.SplitPoint(n) || grown.Kind(n) != tree.Leaf && d.Child != grown.Child(n) {
				t.Fatalf("node %d: %+v is not what the tree has", n, d)
			}
		}
	})
}

// Whole numbers have an exact sum, so that the mean of equal ones is that number, whatever the
// number of trees.
func TestMeanOfEqualNumbers(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.SetValue(0, []float64{7})
	leaf, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 200; n++ {
		p := Compile(Source{Trees: slices.Repeat([]*tree.Tree{leaf}, n), Outputs: 1, Mean: true})
		got := []float64{0}
		if p.Raw(got, nil); got[0] != 7 {
			t.Errorf("the mean of %d sevens is %v", n, got[0])
		}
	}
}

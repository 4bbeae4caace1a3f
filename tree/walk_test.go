package tree_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

var nan, inf = math.NaN(), math.Inf(1)

// split is a tree of one inner node whose children get the given fractions, none if nil.
func split(t *testing.T, s tree.Split, probabilities ...float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, s)
	for c, fraction := range probabilities {
		b.SetFraction(first+int32(c), fraction)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// row is a table of one row: x, y, then the category job.
func row(x, y float64, job uint32) []data.Column {
	return []data.Column{data.Numbers([]float64{x}), data.Numbers([]float64{y}), data.Codes([]uint32{job})}
}

func TestWalk(t *testing.T) {
	s := sample(t)
	for _, c := range []struct {
		x    float64
		job  uint32
		leaf int32
	}{
		{2.5, 1, 3}, {2.5, 64, 3}, {math.Inf(-1), 0, 4}, {1, 65, 4}, {1, 1000, 4}, {1, data.UnseenCode, 4},
		{1, data.MissingCode, 3}, {math.Nextafter(2.5, 3), 1, 2}, {inf, 1, 2}, {nan, 1, 2},
	} {
		columns := []data.Column{data.Numbers([]float64{c.x}), data.Codes([]uint32{c.job})}
		if got := s.Over(columns).LeafOf(0); got != c.leaf {
			t.Errorf("x = %g, job = %d: leaf %d, want %d", c.x, c.job, got, c.leaf)
		}
	}
	if s.NumLeaves() != 3 || s.Depth() != 2 || s.Len() != 5 {
		t.Errorf("%d leaves, depth %d, %d nodes", s.NumLeaves(), s.Depth(), s.Len())
	}
	if p := s.Parents(); p[0] != -1 || p[1] != 0 || p[4] != 1 {
		t.Errorf("parents %v", p)
	}
}

func TestByCode(t *testing.T) {
	s := split(t, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3, Missing: tree.MissingLast})
	for code, want := range map[uint32]int32{0: 1, 1: 2, 2: 3, 3: -1, 1 << 31: -1,
		data.UnseenCode: -1, data.MissingCode: -1} {
		if got := s.NextCode(0, code); got != want {
			t.Errorf("code %d: child %d, want %d", code, got, want)
		}
		if want < 0 {
			want = 3
		}
		if got := s.Over(row(nan, nan, code)).Next(0, 0); got != want {
			t.Errorf("code %d: node %d, want %d", code, got, want)
		}
	}
}

func TestOblique(t *testing.T) {
	s := split(t, tree.Split{Kind: tree.Oblique, SplitPoint: 4,
		Direction: []tree.Term{{0, 0.5}, {1, -2}}, Missing: tree.MissingLast})
	for _, c := range []struct {
		x, y, sum float64
		want      int32
	}{
		{8, 0, 4, 1}, {8, -0.25, 4.5, 2}, {-inf, 0, -inf, 1}, {0, -inf, inf, 2}, {nan, 0, nan, 2}, {0, nan, nan, 2},
	} {
		columns := row(c.x, c.y, 0)
		sum := s.Project(0, func(f int32) float64 { return columns[f].Number(0) })
		if sum != c.sum && !(math.IsNaN(sum) && math.IsNaN(c.sum)) {
			t.Errorf("x = %g, y = %g: %g, want %g", c.x, c.y, sum, c.sum)
		}
		if got := s.Over(columns).Next(0, 0); got != c.want {
			t.Errorf("x = %g, y = %g: node %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

func TestSphere(t *testing.T) {
	s := split(t, tree.Split{Kind: tree.Sphere, SplitPoint: 2.25,
		Direction: []tree.Term{{0, 2}, {1, 3}}})
	for _, c := range []struct {
		x, y, square float64
		want         int32
	}{
		{2, 3, 0, 1}, {2, 1.5, 2.25, 1}, {3, 4, 2, 1}, {3, 1.5, 3.25, 2}, {inf, 3, inf, 2}, {nan, 3, nan, 1},
	} {
		columns := row(c.x, c.y, 0)
		square := s.Project(0, func(f int32) float64 { return columns[f].Number(0) })
		if square != c.square && !(math.IsNaN(square) && math.IsNaN(c.square)) {
			t.Errorf("x = %g, y = %g: %g, want %g", c.x, c.y, square, c.square)
		}
		if got := s.Over(columns).Next(0, 0); got != c.want {
			t.Errorf("x = %g, y = %g: node %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

// The largest fraction is the majority, of equal ones the first; without fractions it is the first
// child.
func TestMajority(t *testing.T) {
	for _, c := range []struct {
		probabilities []float64
		want          int32
	}{
		{nil, 1}, {[]float64{0.2, 0.3, 0.5}, 3}, {[]float64{0.2, 0.4, 0.4}, 2}, {[]float64{0.5, 0, 0.5}, 1},
		{[]float64{0, 0, 0}, 1}, {[]float64{0.25, 0.5, 0.25}, 2},
	} {
		s := split(t, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3,
			Missing: tree.MissingMajority}, c.probabilities...)
		if got := s.Majority(0); got != c.want {
			t.Errorf("fractions %v: child %d, want %d", c.probabilities, got, c.want)
		}
		if got := s.Over(row(0, 0, data.MissingCode)).LeafOf(0); got != c.want {
			t.Errorf("fractions %v: leaf %d, want %d", c.probabilities, got, c.want)
		}
	}
}

// visited is a call of Visit's function.
type visited struct {
	Node     int32
	Fraction float64
	End      bool
}

func visit(s *tree.Tree, columns []data.Column, row int32) []visited {
	var calls []visited
	s.Over(columns).Visit(row,
		func(n int32, fraction float64, end bool) {
			calls = append(calls,
				visited{n, fraction, end})
		})
	return calls
}

// What each rule does with a missing value at a node whose children have the fractions 0.25, 0 and
// 0.75.
func TestMissingRules(t *testing.T) {
	for _, c := range []struct {
		rule       tree.Missing
		next, leaf int32
		visits     []visited
	}{
		{tree.MissingFirst, 1, 1, []visited{{0, 1, false}, {1, 1, true}}},
		{tree.MissingLast, 3, 3, []visited{{0, 1, false}, {3, 1, true}}},
		{tree.MissingMajority, 3, 3, []visited{{0, 1, false}, {3, 1, true}}},
		{tree.MissingSurrogate, 3, 3, []visited{{0, 1, false}, {3, 1, true}}},
		{tree.MissingStop, -1, 0, []visited{{0, 1, true}}},
		{tree.MissingFractional, -1, 3, []visited{{0, 1, false}, {1, 0.25, true}, {3, 0.75, true}}},
	} {
		s := split(t, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3, Missing: c.rule},
			0.25, 0, 0.75)
		columns := row(0, 0, data.MissingCode)
		if got := s.NextMissing(0); got != c.next {
			t.Errorf("rule %d: NextMissing %d, want %d", c.rule, got, c.next)
		}
		if got := s.Over(columns).Next(0, 0); got != c.next {
			t.Errorf("rule %d: Next %d, want %d", c.rule, got, c.next)
		}
		if got := s.Over(columns).LeafOf(0); got != c.leaf {
			t.Errorf("rule %d: leaf %d, want %d", c.rule, got, c.leaf)
		}
		if diff := cmp.Diff(c.visits, visit(s, columns, 0)); diff != "" {
			t.Errorf("rule %d: visits (-want +got):\n%s", c.rule, diff)
		}
		if got := s.Over(row(0, 0, 1)).LeafOf(0); got != 2 {
			t.Errorf("rule %d: a known value ends in leaf %d, want 2", c.rule, got)
		}
	}
}

// A row that two nodes divide is divided twice; a node whose value is known does not divide it.
func TestVisitDividesAgain(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1,
		Missing: tree.MissingFractional})
	b.Split(1, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3, Missing: tree.MissingFractional})
	b.Split(2, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 5, Missing: tree.MissingStop})
	for n, fraction := range []float64{1, 0.75, 0.25, 0.5, 0.25, 0.25, 0, 1} {
		b.SetFraction(int32(n), fraction)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := []visited{{0, 1, false}, {1, 0.75, false}, {3, 0.375, true}, {4, 0.1875, true},
		{5, 0.1875, true}, {2, 0.25, true}}
	if diff := cmp.Diff(want, visit(s, row(nan, nan, data.MissingCode), 0)); diff != "" {
		t.Errorf("all missing (-want +got):\n%s", diff)
	}
	want = []visited{{0, 1, false}, {1, 0.75, false}, {4, 0.75, true}, {2, 0.25, false},
		{7, 0.25, true}}
	if diff := cmp.Diff(want, visit(s, row(nan, 9, 1), 0)); diff != "" {
		t.Errorf("x missing (-want +got):\n%s", diff)
	}
	if got := s.Over(row(nan, nan, data.MissingCode)).LeafOf(0); got != 3 {
		t.Errorf("leaf %d, want 3 by way of the largest fractions", got)
	}
}

// Surrogates are tried in their order; one whose value is missing is passed over.
func TestSurrogates(t *testing.T) {
	s := split(t, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1,
		Missing: tree.MissingSurrogate, Surrogates: []tree.Surrogate{
			{Kind: tree.Numeric, Feature: 1, SplitPoint: 5, Flip: true}, {Kind: tree.SetFirst, Feature: 2, Set: []uint64{4}}, {Kind: tree.SetLast, Feature: 2, Set: []uint64{2}},
		}}, 0.5, 0.5)
	for _, c := range []struct {
		x, y float64
		job  uint32
		want int32
	}{
		{1, 5, 1, 1}, {2, 9, 0, 2}, // the node's own split
		{nan, 5, 0, 2}, {nan, 5.5, 1, 1}, {nan, -inf, 0, 2}, // the first surrogate, flipped
		{nan, nan, 1, 2}, {nan, nan, 2, 1}, // the two sides of the second
		// the majority
		{nan, nan, 0, 1}, {nan, nan, 99, 1}, {nan, nan, data.UnseenCode, 1}, {nan, nan, data.MissingCode, 1},
	} {
		if got := s.Over(row(c.x, c.y, c.job)).LeafOf(0); got != c.want {
			t.Errorf("x = %g, y = %g, job = %d: leaf %d, want %d", c.x, c.y, c.job, got, c.want)
		}
	}
	last := split(t, s.SplitOf(0), 0.25, 0.75)
	if got := last.Over(row(nan, nan, data.MissingCode)).LeafOf(0); got != 2 {
		t.Errorf("nothing known: leaf %d, want the majority, 2", got)
	}
	stop := s.SplitOf(0)
	stop.Missing = tree.MissingStop
	stops := split(t, stop)
	if known, unknown := stops.Over(row(nan, nan, 1)).LeafOf(0),
		stops.Over(row(nan, nan, 0)).LeafOf(0); known != 2 || unknown != 0 {
		t.Errorf("a surrogate of a node that stops rows leads to %d, a value that none has to %d",
			known, unknown)
	}
}

// In any tree the fractions of a row that end add up to the row. What passes a node is what ends
// below it, and LeafOf is one of the ends.
func TestVisitSumsToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := treetest.Tree(treetest.Shape{Fields: schema.Fields, Width: 1, Splits: 8}).Draw(t,
			"tree")
		f := treetest.Frame(schema, 3).Draw(t, "table")
		parent := s.Parents()
		for r := range int32(f.Rows()) {
			through, below := make([]float64, s.Len()), make([]float64, s.Len())
			var ends []int32
			for _, v := range visit(s, f.Columns, r) {
				if through[v.Node] != 0 || v.Fraction <= 0 || v.Node > 0 &&
					through[parent[v.Node]] == 0 {
					t.Fatalf("row %d: fraction %g of it at node %d, its parent not yet or "+
						"the node twice", r, v.Fraction, v.Node)
				}
				if v.End != (s.Kind(v.Node) == tree.Leaf) && s.Missing(v.Node) != tree.MissingStop {
					t.Fatalf("row %d: end is %v at node %d", r, v.End, v.Node)
				}
				through[v.Node] = v.Fraction
				if v.End {
					ends = append(ends, v.Node)
					below[v.Node] = v.Fraction
				}
			}
			for n := s.Len() - 1; n > 0; n-- {
				below[parent[n]] += below[n]
			}
			for n := range below {
				if math.Abs(below[n]-through[n]) > 1e-12 {
					t.Fatalf("row %d: %g of it passes node %d, %g ends below", r, through[n],
						n, below[n])
				}
			}
			if math.Abs(below[0]-1) > 1e-12 {
				t.Fatalf("row %d: fractions of %g", r, below[0])
			}
			if leaf := s.Over(f.Columns).LeafOf(r); !slices.Contains(ends, leaf) {
				t.Fatalf("row %d: LeafOf is %d, it ends at %v", r, leaf, ends)
			}
		}
	})
}

// Package treetest owns random trees for property tests: splits of every kind, with every missing
// rule, and the tables to walk them with. Every package that predicts with trees, stores them or
// makes pictures of them is tested on these.
package treetest

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// Shape is what generated trees have in common.
type Shape struct {
	Fields []data.Field // the columns that nodes test; without one, all trees are single leaves
	Kind   tree.LeafKind
	Width  int                       // numbers per value; 1 for tree.Scalar
	Splits int                       // the largest number of inner nodes
	Number *rapid.Generator[float64] // values and statistics, finite; nil: small whole numbers

	// Targets is the number of training values that the samples of leaves are of; 0 = trees keep no
	// samples. With it, Kind is tree.Scalar, and no node divides rows.
	Targets int
}

// small are numbers that meet each other often: split points and values on both sides of them.
var small = rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) })

// Tree generates valid trees: again and again a leaf is split. Statistics, covers, fractions, and
// the values of inner nodes are there or not.
func Tree(s Shape) *rapid.Generator[*tree.Tree] {
	if s.Number == nil {
		s.Number = small
	}
	return rapid.Custom(func(t *rapid.T) *tree.Tree {
		g := &growth{Shape: s, t: t, fractions: rapid.Bool().Draw(t, "fractions")}
		g.b = tree.NewBuilder(s.Kind, s.Width, rapid.Bool().Draw(t, "stats"))
		leaves := []int32{0}
		for range g.splits() {
			at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
			first, arity := g.split(leaves[at])
			leaves[at] = first
			for c := int32(1); c < arity; c++ {
				leaves = append(leaves, first+c)
			}
		}
		covers := g.covers()
		for n := range int32(g.b.Len()) {
			g.b.SetValue(n, rapid.SliceOfN(s.Number, s.Width, s.Width).Draw(t, "value"))
			if covers != nil {
				g.b.SetCover(n, covers.Draw(t, "cover"))
			}
			g.b.SetStats(n, rapid.IntRange(0, math.MaxInt32).Draw(t, "rows"),
				s.Number.Draw(t, "weight"), s.Number.Draw(t, "impurity"))
		}
		g.equations()
		made, err := g.b.Build()
		if err != nil {
			t.Fatalf("generated a tree that is not valid: %v", err)
		}
		if rapid.Bool().Draw(t, "slots") {
			dropInner(made)
		}
		if s.Targets > 0 {
			g.sample(made)
		}
		return made
	})
}

// growth is a tree in the making.
type growth struct {
	Shape
	t         *rapid.T
	b         *tree.Builder
	fractions bool
}

func (g *growth) splits() int {
	if len(g.Fields) == 0 {
		return 0
	}
	return rapid.IntRange(0, g.Splits).Draw(g.t, "splits")
}

// split turns a leaf into an inner node and returns its first child and their number.
func (g *growth) split(n int32) (first, arity int32) {
	feature := rapid.IntRange(0, len(g.Fields)-1).Draw(g.t, "feature")
	s := tree.Split{Feature: int32(feature), Arity: 2, Gain: g.Number.Draw(g.t, "gain")}
	if field := &g.Fields[feature]; field.Kind == data.Numeric {
		g.numeric(&s)
	} else {
		g.categorical(&s, len(field.Levels))
	}
	s.Missing = rapid.SampledFrom(g.rules()).Draw(g.t, "missing")
	if (s.Missing == tree.MissingSurrogate || s.Missing == tree.MissingStop) && s.Arity == 2 {
		for range rapid.IntRange(0, 3).Draw(g.t, "surrogates") {
			s.Surrogates = append(s.Surrogates, g.surrogate())
		}
	}
	first = g.b.Split(n, s)
	if g.fractions {
		g.fraction(first, s.Arity)
	}
	return first, s.Arity
}

// rules returns the missing rules that a node may have; only a tree with fractions can divide rows
// by them.
func (g *growth) rules() []tree.Missing {
	rules := []tree.Missing{tree.MissingFirst, tree.MissingLast, tree.MissingMajority,
		tree.MissingSurrogate, tree.MissingStop}
	if g.fractions && g.Targets == 0 {
		rules = append(rules, tree.MissingFractional)
	}
	return rules
}

// fraction gives the children of a node fractions that may be 0 or equal.
func (g *growth) fraction(first, arity int32) {
	weight := rapid.SliceOfN(rapid.IntRange(0, 4), int(arity), int(arity)).Draw(g.t, "weight")
	weight[rapid.IntRange(0, int(arity)-1).Draw(g.t, "heavy")]++
	sum := 0
	for _, w := range weight {
		sum += w
	}
	for c, w := range weight {
		g.b.SetFraction(first+int32(c), float64(w)/float64(sum))
	}
}

func (g *growth) numeric(s *tree.Split) {
	s.Kind = rapid.SampledFrom([]tree.Kind{tree.Numeric, tree.Oblique, tree.Sphere}).Draw(g.t,
		"kind")
	s.SplitPoint = g.splitPoint()
	if s.Kind == tree.Numeric {
		return
	}
	coefficient := rapid.OneOf(small, g.Number)
	for f := range g.Fields {
		if f == int(s.Feature) || g.Fields[f].Kind == data.Numeric &&
			rapid.Bool().Draw(g.t, "term") {
			s.Direction = append(s.Direction,
				tree.Term{Feature: int32(f), Coef: coefficient.Draw(g.t, "coefficient")})
		}
	}
}

func (g *growth) categorical(s *tree.Split, levels int) {
	kinds := []tree.Kind{tree.SetFirst, tree.SetLast}
	if levels > 0 {
		kinds = append(kinds, tree.ByCode)
	}
	s.Kind = rapid.SampledFrom(kinds).Draw(g.t, "kind")
	if s.Kind == tree.ByCode {
		s.Arity = int32(rapid.IntRange(1, min(levels, 6)).Draw(g.t, "arity"))
		return
	}
	s.Set = g.set(levels)
}

func (g *growth) surrogate() tree.Surrogate {
	feature := rapid.IntRange(0, len(g.Fields)-1).Draw(g.t, "feature")
	r := tree.Surrogate{Feature: int32(feature), Agree: g.Number.Draw(g.t, "agree"),
		Adjusted: g.Number.Draw(g.t, "adjusted")}
	if field := &g.Fields[feature]; field.Kind == data.Categorical {
		r.Kind = rapid.SampledFrom([]tree.Kind{tree.SetFirst, tree.SetLast}).Draw(g.t, "kind")
		r.Set = g.set(len(field.Levels))
		return r
	}
	r.Kind, r.SplitPoint, r.Flip = tree.Numeric, g.splitPoint(), rapid.Bool().Draw(g.t, "flip")
	return r
}

func (g *growth) splitPoint() float64 {
	any := rapid.OneOf(small, rapid.Float64(),
		rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)}))
	return any.Draw(g.t, "split point")
}

// set returns a random set of the codes of a dictionary.
func (g *growth) set(levels int) []uint64 {
	if levels == 0 {
		return nil
	}
	set := make([]uint64, (levels+63)/64)
	for _, code := range rapid.SliceOfN(rapid.IntRange(0, levels-1), 0, levels).Draw(g.t, "set") {
		set[code/64] |= 1 << (code % 64)
	}
	return set
}

// sample adds samples to a new tree: one to four at each slot.
func (g *growth) sample(t *tree.Tree) {
	s := &tree.Samples{At: []int32{0}}
	weighted := rapid.Bool().Draw(g.t, "weighted samples")
	for range t.Leaf.Value {
		rank := rapid.SliceOfN(rapid.Uint32Range(0, uint32(g.Targets-1)), 1, 4).Draw(g.t, "ranks")
		slices.Sort(rank)
		s.Rank = append(s.Rank, rank...)
		s.At = append(s.At, int32(len(s.Rank)))
		for range rank {
			if weighted {
				s.Weight = append(s.Weight, rapid.Float64Range(0x1p-20, 8).Draw(g.t, "weight"))
			}
		}
	}
	t.Leaf.Samples = s
}

// covers generates weights of training rows, whole numbers or any others; nil: the tree has none.
func (g *growth) covers() *rapid.Generator[float64] {
	return rapid.SampledFrom([]*rapid.Generator[float64]{nil, rapid.Float64Range(0, 1<<60),
		rapid.Map(rapid.IntRange(0, 1<<20), func(i int) float64 { return float64(i) }),
	}).Draw(g.t, "covers")
}

// equations gives some nodes of some trees of numbers equations, unless these keep samples.
func (g *growth) equations() {
	var numeric []int32
	for f := range g.Fields {
		if g.Fields[f].Kind == data.Numeric {
			numeric = append(numeric, int32(f))
		}
	}
	if g.Kind != tree.Scalar || g.Targets > 0 || len(numeric) == 0 ||
		rapid.IntRange(0, 2).Draw(g.t, "equations") > 0 {
		return
	}
	coefficient := rapid.OneOf(small, g.Number)
	for n := range int32(g.b.Len()) {
		var terms []tree.Term
		for _, f := range numeric {
			if rapid.Bool().Draw(g.t, "term") {
				terms = append(terms,
					tree.Term{Feature: f, Coef: coefficient.Draw(g.t, "coefficient")})
			}
		}
		g.b.SetLinear(n, g.Number.Draw(g.t, "constant"), terms)
	}
}

// dropInner removes the values of the inner nodes of a new tree, except of nodes that rows may stop
// at.
func dropInner(t *tree.Tree) {
	l := &t.Leaf
	var slot []int32
	var value []float64
	linear := &tree.Linear{At: []int32{0}}
	for n := range int32(t.Len()) {
		kind := t.Kind(n)
		if kind != tree.Leaf && t.Missing(n) != tree.MissingStop {
			slot = append(slot, -1)
			continue
		}
		slot = append(slot, int32(len(value)/l.Width))
		value = append(value, t.Value(n)...)
		constant, features, coefs := t.Equation(n)
		linear.Constant = append(linear.Constant, constant)
		linear.Feature, linear.Coef = append(linear.Feature, features...),
			append(linear.Coef, coefs...)
		linear.At = append(linear.At, int32(len(linear.Feature)))
	}
	if l.Linear != nil {
		l.Linear = linear
	}
	l.Slot, l.Value = slot, value
}

// Schema generates schemas of one to six columns, called a, b, ..., with up to 70 levels. No policy
// refuses a value.
func Schema() *rapid.Generator[data.Schema] {
	return rapid.Custom(func(t *rapid.T) data.Schema {
		var s data.Schema
		for i := range rapid.IntRange(1, 6).Draw(t, "columns") {
			f := data.Field{Name: string(rune('a' + i)),
				Kind: rapid.SampledFrom([]data.Kind{data.Numeric, data.Categorical}).Draw(t,
					"kind")}
			if f.Kind == data.Categorical {
				for c := range rapid.OneOf(rapid.IntRange(0, 4), rapid.IntRange(60, 70)).Draw(t,
					"levels") {
					f.Levels = append(f.Levels, string(rune('A'+c)))
				}
			}
			s.Fields = append(s.Fields, f)
		}
		return s
	})
}

// Frame generates tables of a schema: small whole numbers and any others, infinities, missing
// values, all levels and unseen ones.
func Frame(s data.Schema, rows int) *rapid.Generator[*data.Frame] {
	odd := rapid.SampledFrom([]float64{math.NaN(), math.NaN(), math.Inf(1), math.Inf(-1),
		math.Copysign(0, -1)})
	number := rapid.OneOf(small, small, rapid.Float64Range(-4, 4), odd)
	return rapid.Custom(func(t *rapid.T) *data.Frame {
		columns := make([]data.Column, len(s.Fields))
		for i := range s.Fields {
			if s.Fields[i].Kind == data.Numeric {
				columns[i] = data.Numbers(rapid.SliceOfN(number, rows, rows).Draw(t, "numbers"))
				continue
			}
			codes := []uint32{data.MissingCode, data.UnseenCode, data.MissingCode}
			for c := range s.Fields[i].Levels {
				codes = append(codes, uint32(c))
			}
			columns[i] = data.Codes(rapid.SliceOfN(rapid.SampledFrom(codes), rows,
				rows).Draw(t, "codes"))
		}
		f, err := data.NewFrame(s, columns)
		if err != nil {
			t.Fatalf("generated a table that is not valid: %v", err)
		}
		return f
	})
}

// Kinds returns the node kinds and missing rules that occur in a tree, for tests that must meet all
// of them.
func Kinds(t *tree.Tree) (kinds []tree.Kind, rules []tree.Missing) {
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
		if k != tree.Leaf && !slices.Contains(rules, t.Missing(n)) {
			rules = append(rules, t.Missing(n))
		}
	}
	return kinds, rules
}

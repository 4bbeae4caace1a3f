package pmml

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/tree"
)

// fact is what the tests above leave possible for a column: numbers above low and up to high, or
// codes, if it may be known, and a missing value.
type fact struct {
	low, high float64
	above     bool // -Inf is left out too
	codes     []uint64
	unseen    bool // a category that the column does not have, which is no missing value
	known     bool
	missing   bool
	within    bool // it is known which numbers are in the intervals of the column
	invalid   bool // what counts as missing here is a number outside of them
}

// binary is a node of the tree in the making.
type binary struct {
	split       tree.Split
	first, last int32
	leaf        bool
	refused     bool  // a leaf without a prediction
	void        bool  // a leaf that no row reaches, since the policies of its column refuse them
	node        int32 // of leaves: the node of the file, or nowhere
}

// nowhere is the node of leaves whose value is 0: of rows without a prediction, which the model
// refuses, and of those that get nothing of a tree.
const nowhere = -1

// bytesPerBinary bounds the memory of a binary node.
const bytesPerBinary = 176

// grower makes binary nodes of the nodes of a file. It walks them as the rows do, and leaves out
// the tests that those above decide.
type grower struct {
	*file
	tree   *treeModel
	budget *foreign.Budget
	facts  []fact  // by column
	path   []int32 // the columns that the tests above are of, the last one last
	nodes  []binary
	depth  int  // tests that are open
	first  bool // the tree is the first one, which finds the invalid numbers that are refused
}

// mostTests is the number of tests that a row may pass.
const mostTests = 10000

// outcome makes what follows a test, and returns the number of its node.
type outcome func() int32

// side is where a missing value goes at a test.
type side uint8

// The sides.
const (
	own    side = iota // neither as true nor as false
	asTrue             // as if the test were true
	asFalse
)

// outcomes are what follows a test: unknown where side is own.
type outcomes struct {
	yes, no, unknown outcome
	side             side
}

// add makes a node.
func (g *grower) add(n binary) int32 {
	g.nodes = grow(g.nodes, bytesPerBinary, g.budget)
	g.nodes = append(g.nodes, n)
	return int32(len(g.nodes) - 1)
}

// leaf makes a leaf of a node of the file. A node without a score has no prediction.
func (g *grower) leaf(node int32) outcome {
	if node != nowhere && !g.tree.nodes[node].scored {
		return g.null
	}
	return func() int32 { return g.add(binary{leaf: true, node: node}) }
}

// root makes the whole tree: its root counts if its predicate is true, and the tree if its
// condition is.
func (g *grower) root() int32 {
	null := outcome(g.null)
	root := func() int32 {
		return g.test(&g.tree.nodes[0].predicate, outcomes{g.enter(0), null, null, asFalse})
	}
	whole := outcome(root)
	if g.tree.condition != nil {
		nothing := g.leaf(nowhere)
		whole = func() int32 {
			return g.test(g.tree.condition, outcomes{root, nothing, nothing, asFalse})
		}
	}
	if g.first {
		whole = g.checked(whole)
	}
	return whole()
}

// enter makes what is below a node of the file.
func (g *grower) enter(node int32) outcome {
	return func() int32 {
		if first := g.tree.nodes[node].first; first >= 0 {
			return g.try(node, first)
		}
		return g.leaf(node)()
	}
}

// try tests the children of a node from child on.
func (g *grower) try(node, child int32) int32 {
	if child < 0 {
		if g.tree.last {
			return g.leaf(node)()
		}
		return g.null()
	}
	c := &g.tree.nodes[child]
	next := func() int32 { return g.try(node, c.next) }
	o := outcomes{yes: g.enter(child), no: next, unknown: next, side: asFalse}
	switch g.tree.missing {
	case lastPrediction:
		o.unknown, o.side = g.leaf(node), own
	case nullPrediction:
		o.unknown, o.side = g.null, own
	case defaultChild:
		switch fallback := g.tree.nodes[node].fallback; {
		case fallback < 0:
			o.unknown, o.side = g.null, own
		case fallback == child:
			o.unknown, o.side = o.yes, asTrue
		case !g.follows(child, fallback):
			o.unknown, o.side = g.enter(fallback), own
		}
	}
	return g.test(&c.predicate, o)
}

// follows reports whether a row whose value is missing at a child may continue to the next ones, as
// it reaches the fallback by the same column, or as the child that takes all other rows.
func (g *grower) follows(child, fallback int32) bool {
	column := g.tree.nodes[child].column
	for c := child; c >= 0; c = g.tree.nodes[c].next {
		n := &g.tree.nodes[c]
		if c == fallback && c != child && n.operator == always {
			return true
		}
		if n.operator < less || n.operator > isNotIn || n.column != column {
			return false
		}
		if c == fallback {
			return true
		}
	}
	return false
}

// bytesPerTest bounds the functions that a test makes.
const bytesPerTest = 160

// test makes the nodes of a predicate.
func (g *grower) test(p *predicate, o outcomes) int32 {
	if g.depth++; g.depth > mostTests {
		refuse("a tree with more than %d tests one after the other", mostTests)
	}
	defer func() { g.depth-- }()
	g.budget.Need(bytesPerTest)
	switch p.operator {
	case always:
		return o.yes()
	case never:
		return o.no()
	case and, or, xor, surrogate:
		return g.compound(p.operator, p.parts, o)
	}
	if n, made := g.asMissing(p, o); made {
		return n
	}
	switch p.operator {
	case isMissing:
		return g.separate(p.column, o.no, o.yes)
	case isNotMissing:
		return g.separate(p.column, o.yes, o.no)
	case equal, notEqual:
		return g.equality(p, o)
	}
	if r, ok := g.tree.replace[p.column]; ok {
		if o.side = asFalse; p.holds(r) {
			o.side = asTrue
		}
	}
	if p.operator == isIn || p.operator == isNotIn {
		if p.operator == isNotIn {
			o = o.swapped()
		}
		return g.category(p, o)
	}
	if p.via != nil {
		g.budget.Need(64 * int64(1+len(p.via.steps))) // what it takes to shift it
	}
	c, swap := p.upTo()
	if swap {
		o = o.swapped()
	}
	return g.number(p.column, c, o)
}

// equality makes two comparisons of an equality of numbers.
func (g *grower) equality(p *predicate, o outcomes) int32 {
	if p.operator == notEqual {
		o = o.swapped()
	}
	parts := []predicate{*p, *p}
	parts[0].operator, parts[1].operator = lessOrEqual, greaterOrEqual
	return g.compound(and, parts, o)
}

// compound makes the nodes of a compound predicate, from its first part on. Truth has three values:
// "and" is false if a part is false, else unknown if one is.
func (g *grower) compound(op operator, parts []predicate, o outcomes) int32 {
	rest := func(o outcomes) outcome {
		if len(parts) == 1 {
			switch op {
			case and:
				return o.yes
			case surrogate:
				return o.unknown
			}
			return o.no
		}
		return func() int32 { return g.compound(op, parts[1:], o) }
	}
	part := o
	switch op {
	case or: // true if a part is true, else unknown if one is
		part.no = rest(o)
		if o.side != asFalse {
			part.unknown, part.side = rest(outcomes{o.yes, o.unknown, o.unknown, asFalse}), own
		}
	case and:
		part.yes = rest(o)
		if o.side != asFalse {
			part.unknown, part.side = rest(outcomes{o.unknown, o.no, o.unknown, asTrue}), own
		}
	case xor:
		part.yes, part.no, part.side = rest(o.swapped()), rest(o), own
	case surrogate:
		part.unknown, part.side = rest(o), own
	}
	return g.test(&parts[0], part)
}

// while makes an outcome for rows of which a fact is true.
func (g *grower) while(column int32, f fact, then outcome) int32 {
	before := g.facts[column]
	g.facts[column], g.path = f, append(g.path, column)
	n := then()
	g.facts[column], g.path = before, g.path[:len(g.path)-1]
	return n
}

// fork makes a node with two children, for rows with some facts each. Where no row reaches one of
// them it is the other.
func (g *grower) fork(split tree.Split, a fact, first outcome, b fact, last outcome) int32 {
	n := g.add(binary{split: split})
	x := g.while(split.Feature, a, first)
	y := g.while(split.Feature, b, last)
	switch {
	case g.nodes[x].void:
		return y
	case g.nodes[y].void:
		return x
	}
	g.nodes[n].first, g.nodes[n].last = x, y
	return n
}

// separate makes a node for known and missing values of a column.
func (g *grower) separate(column int32, known, missing outcome) int32 {
	a, b := g.facts[column], g.facts[column]
	_, replaced := g.tree.replace[column]
	switch {
	case !a.missing || replaced:
		return known()
	case !a.known:
		return missing()
	}
	a.missing, b.known = false, false
	split := tree.Split{Kind: tree.Numeric, Feature: column, SplitPoint: math.Inf(1),
		Missing: tree.MissingLast}
	if c := g.columns[column]; c.texts {
		split.Kind, split.Set = tree.SetLast, []uint64{0} // all codes go to the first child
		if c.asMissing {
			split.Kind, split.Set = tree.SetFirst, g.set(all(len(c.levels)))
		}
	}
	return g.fork(split, a, known, b, missing)
}

// set takes memory for a set.
func (g *grower) set(codes []uint64) []uint64 {
	if len(codes) == 0 {
		codes = []uint64{0}
	}
	g.budget.Need(32 * int64(len(codes)))
	return codes
}

// number makes a node for x <= c.
func (g *grower) number(column int32, c float64, o outcomes) int32 {
	if o.side == own && g.facts[column].missing {
		o.side = asFalse // which none is any more
		return g.separate(column, func() int32 { return g.number(column, c, o) }, o.unknown)
	}
	a, b := g.facts[column], g.facts[column]
	a.high, b.low = min(a.high, c), max(b.low, c)
	a.known = a.known && (a.low < a.high || math.IsInf(a.low, -1) && !a.above)
	b.known, b.above = b.known && b.low < b.high, true
	a.missing, b.missing = a.missing && o.side == asTrue, b.missing && o.side != asTrue
	split := tree.Split{Kind: tree.Numeric, Feature: column, SplitPoint: c,
		Missing: tree.MissingLast}
	if a.missing {
		split.Missing = tree.MissingFirst
	}
	return g.choose(split, a, b, o)
}

// choose makes a node where both outcomes are possible.
func (g *grower) choose(split tree.Split, a, b fact, o outcomes) int32 {
	switch {
	case !b.known && !b.missing:
		return g.while(split.Feature, a, o.yes)
	case !a.known && !a.missing:
		return g.while(split.Feature, b, o.no)
	}
	return g.fork(split, a, o.yes, b, o.no)
}

// category makes a node for codes in a set.
func (g *grower) category(p *predicate, o outcomes) int32 {
	if o.side == own && g.facts[p.column].missing {
		o.side = asFalse
		return g.separate(p.column, func() int32 { return g.category(p, o) }, o.unknown)
	}
	words := int64(len(g.columns[p.column].levels)+63) / 64
	g.budget.Need(128 * words)
	a, b := g.facts[p.column], g.facts[p.column]
	a.codes, b.codes = slices.Clone(a.codes), slices.Clone(b.codes)
	inside, outside := all(len(g.columns[p.column].levels)), all(len(g.columns[p.column].levels))
	for i := range inside {
		set := uint64(0)
		if i < len(p.set) {
			set = p.set[i]
		}
		a.codes[i], inside[i] = a.codes[i]&set, inside[i]&set
		b.codes[i], outside[i] = b.codes[i]&^set, outside[i]&^set
	}
	any := func(codes []uint64) bool {
		return slices.ContainsFunc(codes, func(w uint64) bool { return w != 0 })
	}
	a.unseen = false
	a.known, b.known = a.known && any(a.codes), b.known && (any(b.codes) || b.unseen)
	a.missing, b.missing = a.missing && o.side == asTrue, b.missing && o.side != asTrue
	split := tree.Split{Kind: tree.SetFirst, Feature: p.column, Set: inside,
		Missing: tree.MissingLast}
	if a.missing {
		split.Missing = tree.MissingFirst
		if g.columns[p.column].asMissing {
			split.Kind, split.Set = tree.SetLast, outside
		}
	}
	if len(split.Set) == 0 {
		split.Set = []uint64{0}
	}
	return g.choose(split, a, b, o)
}

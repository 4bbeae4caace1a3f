package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"github.com/coppice-ml/coppice/tree"
)

// Refused is a leaf without a prediction: PMML calls it null. A model has no prediction for rows
// that reach one, whatever its other trees predict.
type Refused struct {
	Tree int32 // its place among the trees
	Leaf int32 // the node; it has a value, which no prediction uses
}

// compareRefused orders leaves by their trees, and those of one tree by their nodes.
func compareRefused(a, b Refused) int {
	return cmp.Or(cmp.Compare(a.Tree, b.Tree), cmp.Compare(a.Leaf, b.Leaf))
}

// validateRefused checks that the leaves without a prediction ascend, and that a row reaches one
// leaf of their trees, by its values in the columns of the schema alone.
func (e *Ensemble) validateRefused() error {
	for i, r := range e.Refused {
		if i > 0 && compareRefused(e.Refused[i-1], r) >= 0 {
			return errors.New("the leaves without a prediction do not ascend")
		}
		if r.Tree < 0 || int(r.Tree) >= len(e.Trees) {
			return fmt.Errorf("tree %d of %d has a leaf without a prediction", r.Tree, len(e.Trees))
		}
		t := e.Trees[r.Tree]
		if r.Leaf < 0 || int(r.Leaf) >= t.Len() || t.Kind(r.Leaf) != tree.Leaf {
			return fmt.Errorf("node %d of tree %d has no prediction, and is no leaf", r.Leaf, r.Tree)
		}
		if i > 0 && e.Refused[i-1].Tree == r.Tree {
			continue
		}
		if t.Kind(0) == tree.Leaf {
			return fmt.Errorf("tree %d has no prediction for any row", r.Tree)
		}
		for n := range int32(t.Len()) {
			switch kind := t.Kind(n); {
			case kind == tree.Leaf:
			case kind == tree.Oblique || kind == tree.Sphere || t.Feature(n) < 0 ||
				int(t.Feature(n)) >= len(e.Meta.Schema.Fields),
				t.Missing(n) == tree.MissingSurrogate && t.Surrogates != nil, t.NextMissing(n) < 0:
				return fmt.Errorf("tree %d has a leaf without a prediction, and node %d sends rows by "+
					"more than one column of the schema", r.Tree, n)
			}
		}
	}
	return nil
}

// refusedAt returns those of some leaves that are in the trees at some places, which ascend.
func refusedAt(leaves []Refused, places []int) []Refused {
	var own []Refused
	for _, r := range leaves {
		if at, found := slices.BinarySearch(places, int(r.Tree)); found {
			own = append(own, Refused{int32(at), r.Leaf})
		}
	}
	return own
}

// RowCheck returns a function that returns the error of a row for which the model has no
// prediction, nil if it has one: of a value that the schema refuses, or of values that lead to a
// leaf without a prediction. The row has a value for each field of the schema: a number, a code,
// NaN for a missing value, -1 for an unseen category.
func (e *Ensemble) RowCheck() func(row []float64) error {
	fields := make([]feature, len(e.Meta.Schema.Fields))
	for i := range fields {
		fields[i] = feature{field: &e.Meta.Schema.Fields[i], slot: -1, source: -1}
	}
	g := newLeafGuard(e, nil)
	return func(values []float64) error {
		for i := range fields {
			if err := fields[i].store(row{}, values[i], -1); err != nil {
				return err
			}
		}
		return g.check(values, -1)
	}
}

// RefusingAs returns an evaluator that also refuses the rows for which the trees of an ensemble
// have no prediction. Its columns include all that these trees test.
func (k RowEvaluator) RefusingAs(e *Ensemble) RowEvaluator {
	k.guard = newLeafGuard(e, k.Columns)
	return k
}

// leafGuard finds rows that reach a leaf without a prediction.
type leafGuard struct {
	fields []data.Field
	trees  []guardedTree
	// the columns that these trees test, by place among the values of a row, and which have
	// categories
	tested      []int
	categorical []bool
	// a row without missing values and unseen categories may reach such a leaf
	known bool
}

// guardedTree is a tree with such leaves.
type guardedTree struct {
	*tree.Tree
	refused []bool // by node
	slot    []int  // by feature: its place among the values of a row
}

// newLeafGuard returns the guard of an ensemble's leaves without a prediction, nil if there are
// none. The values of a row are those of some columns; nil: of all fields of the schema.
func newLeafGuard(e *Ensemble, columns []int32) *leafGuard {
	if len(e.Refused) == 0 {
		return nil
	}
	g := &leafGuard{fields: e.Meta.Schema.Fields}
	slot := make([]int, len(g.fields))
	for i := range slot {
		if slot[i] = i; columns != nil {
			slot[i] = slices.Index(columns, int32(i))
		}
	}
	used := make([]bool, len(g.fields))
	last := int32(-1)
	for _, r := range e.Refused {
		if r.Tree != last {
			t := e.Trees[r.Tree]
			g.trees = append(g.trees, guardedTree{t, make([]bool, t.Len()), slot})
			for n := range int32(t.Len()) {
				if f := t.Feature(n); f >= 0 {
					used[f] = true
				}
			}
			last = r.Tree
		}
		g.trees[len(g.trees)-1].refused[r.Leaf] = true
	}
	for f, is := range used {
		if is {
			g.tested = append(g.tested, slot[f])
			g.categorical = append(g.categorical, g.fields[f].Kind == data.Categorical)
		}
	}
	for i := range g.trees {
		g.known = g.known || g.trees[i].known(g.fields)
	}
	return g
}

// whole reports whether a row has a value, which is no unseen category, in all columns that the
// trees test.
func (g *leafGuard) whole(values []float64) bool {
	for i, slot := range g.tested {
		if x := values[slot]; math.IsNaN(x) || x < 0 && g.categorical[i] {
			return false
		}
	}
	return true
}

// check returns the error of row r of a table, -1 = of none, whose values reach a leaf without a
// prediction.
func (g *leafGuard) check(values []float64, r int) error {
	if g == nil || !g.known && g.whole(values) {
		return nil
	}
	for i := range g.trees {
		t := &g.trees[i]
		n := int32(0)
		for t.Kind(n) != tree.Leaf {
			n = t.next(n, values)
		}
		if t.refused[n] {
			return g.refusal(t, values, r)
		}
	}
	return nil
}

// first returns the error of the first of so many rows of a block that reaches a leaf without a
// prediction. place returns the row of the table that row i of the block is.
func (g *leafGuard) first(b *engine.Block, columns, rows int, place func(i int) int) error {
	if g == nil {
		return nil
	}
	values := make([]float64, columns)
	for i := range rows {
		tile, at := i/engine.TileRows, i%engine.TileRows
		whole := !g.known
		for k, slot := range g.tested {
			x := b.Column(slot, tile)[at]
			values[slot] = x
			whole = whole && !math.IsNaN(x) && !(x < 0 && g.categorical[k])
		}
		if whole {
			continue
		}
		if err := g.check(values, place(i)); err != nil {
			return err
		}
	}
	return nil
}

// limits are the values of a column that rows at a node may have: numbers above low, or -Inf, and
// up to high; codes, nil = all.
type limits struct {
	low, high float64
	codes     []uint64
}

// known reports whether a row without missing values and unseen categories reaches a leaf without a
// prediction.
func (t *guardedTree) known(fields []data.Field) bool {
	at := make([]limits, len(fields))
	for i := range at {
		at[i] = limits{low: math.Inf(-1), high: math.Inf(1)}
	}
	return t.reached(0, fields, at)
}

// reached reports whether known values within limits reach a leaf without a prediction from node n.
func (t *guardedTree) reached(n int32, fields []data.Field, at []limits) bool {
	if t.Kind(n) == tree.Leaf {
		return t.refused[n]
	}
	f := t.Feature(n)
	before := at[f]
	defer func() { at[f] = before }()
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		var possible bool
		if at[f], possible = before.below(t.Tree, n, c, len(fields[f].Levels)); possible &&
			t.reached(c, fields, at) {
			return true
		}
	}
	return false
}

// below returns the limits of rows that go from node n to its child c, and whether there are any.
func (l limits) below(t *tree.Tree, n, c int32, levels int) (limits, bool) {
	if t.Kind(n) == tree.Numeric {
		split := t.SplitPoint(n)
		if c == t.Child(n) {
			l.high = min(l.high, split)
		} else {
			l.low = max(l.low, split)
			return l, l.low < l.high
		}
		return l, l.low < l.high || math.IsInf(l.low, -1)
	}
	codes, any := make([]uint64, (levels+63)/64), false
	for code := range uint32(levels) {
		if l.codes != nil && !tree.InSet(l.codes, code) || t.NextCode(n, code) != c {
			continue
		}
		codes[code/64] |= 1 << (code % 64)
		any = true
	}
	l.codes = codes
	return l, any
}

// next returns the child of a node that a row goes to.
func (t *guardedTree) next(n int32, values []float64) int32 {
	x, next := values[t.slot[t.Feature(n)]], int32(-1)
	switch {
	case math.IsNaN(x):
	case t.Kind(n) == tree.Numeric:
		next = t.NextNumeric(n, x)
	case x < 0:
		next = t.NextCode(n, data.UnseenCode)
	default:
		next = t.NextCode(n, uint32(x))
	}
	if next < 0 {
		next = t.NextMissing(n)
	}
	return next
}

// refusal returns the error of a row that reaches a leaf of a tree without a prediction. It names
// the last column on the way that has no value, or an unseen category; else the last one.
func (g *leafGuard) refusal(t *guardedTree, values []float64, r int) error {
	column, what := int32(-1), ""
	for n := int32(0); t.Kind(n) != tree.Leaf; n = t.next(n, values) {
		f := t.Feature(n)
		switch x := values[t.slot[f]]; {
		case math.IsNaN(x):
			column, what = f, "missing value"
		case x < 0 && g.fields[f].Kind == data.Categorical:
			column, what = f, "category never seen in training"
		case what == "":
			column = f
		}
	}
	if what == "" {
		what = "the model has no prediction for rows of this value"
		if x := values[t.slot[column]]; g.fields[column].Kind == data.Categorical &&
			int(x) < len(g.fields[column].Levels) {
			what = fmt.Sprintf("the model has no prediction for rows of %q",
				g.fields[column].Levels[int(x)])
		}
	}
	return &ValueError{Column: g.fields[column].Source(), Row: r, What: what}
}

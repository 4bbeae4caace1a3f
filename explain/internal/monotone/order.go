package monotone

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// order is a tree for the search for leaves in the wrong order.
type order struct {
	ctx     context.Context // ends the search
	pairs   int             // that were compared
	t       *tree.Tree
	fields  []data.Field
	feature int32
	value   func(n int32) float64
	nodes   []boxed // children after their parents; nil: the tree does not test the feature
	wrong   func(low, high *boxed) bool
}

// pairsBetweenChecks is how many pairs are compared between two checks of the context.
const pairsBetweenChecks = 1 << 12

// boxed is a node with the box of the rows that may reach it, or the end of those that stop there.
type boxed struct {
	box         []side // by feature, ascending; of others all values
	children    []int32
	least, most float64 // of the values of the ends below it
	node        int32
}

// newOrder makes the boxed nodes of a tree. value is that of each node, which must rise with the
// feature.
func newOrder(m *model.Ensemble, t *tree.Tree, feature int32, value func(int32) float64) *order {
	s := &order{t: t, fields: m.Features().Fields, feature: feature, value: value}
	for n := range int32(t.Len()) {
		for _, f := range t.Looks(n) {
			if f == feature {
				s.grow(0, []side{s.known(feature)})
				return s
			}
		}
	}
	if t.Surrogates != nil { // which may test it
		s.grow(0, []side{s.known(feature)})
	}
	return s
}

// known is the side of a numeric feature whose value is not missing.
func (s *order) known(feature int32) side {
	return side{feature: feature, low: math.Inf(-1), high: math.Inf(1)}
}

// grow appends the boxed nodes of a node and below, and returns the number of the first.
func (s *order) grow(n int32, box []side) int32 {
	at := int32(len(s.nodes))
	s.nodes = append(s.nodes, boxed{box: box, node: n})
	if s.t.Kind(n) == tree.Leaf {
		v := s.value(n)
		s.nodes[at].least, s.nodes[at].most = v, v
		return at
	}
	var children []int32
	least, most := math.Inf(1), math.Inf(-1)
	add := func(c int32) {
		children = append(children, c)
		least, most = min(least, s.nodes[c].least), max(most, s.nodes[c].most)
	}
	for c := s.t.Child(n); c < s.t.Child(n)+s.t.Arity(n); c++ {
		if below, some := s.below(box, n, c); some {
			add(s.grow(c, below))
		}
	}
	if s.t.Missing(n) == tree.MissingStop {
		if below, some := s.stopping(box, n); some {
			end := int32(len(s.nodes))
			v := s.value(n)
			s.nodes = append(s.nodes, boxed{box: below, node: n, least: v, most: v})
			add(end)
		}
	}
	p := &s.nodes[at]
	p.children, p.least, p.most = children, least, most
	return at
}

// search looks for pairs of ends below two boxed nodes, the first of a lower value of the feature,
// whose values are in the wrong order. It reports whether it ended early, also by the context.
func (s *order) search(low, high int32) bool {
	if s.pairs++; s.pairs%pairsBetweenChecks == 0 && s.ctx.Err() != nil {
		return true
	}
	a, b := &s.nodes[low], &s.nodes[high]
	switch {
	case !(a.most > b.least) || !s.meet(a, b):
		return false
	case a.children == nil && b.children == nil:
		return s.wrong(a, b)
	case b.children == nil || a.children != nil && a.most-a.least >= b.most-b.least:
		for _, c := range a.children {
			if s.search(c, high) {
				return true
			}
		}
	default:
		for _, c := range b.children {
			if s.search(low, c) {
				return true
			}
		}
	}
	return false
}

// meet reports whether there are rows in a and in b that differ in the feature alone, which is
// lower in a.
func (s *order) meet(a, b *boxed) bool {
	i, j := 0, 0
	for i < len(a.box) && j < len(b.box) {
		x, y := &a.box[i], &b.box[j]
		switch {
		case x.feature < y.feature:
			i++
		case x.feature > y.feature:
			j++
		case x.feature == s.feature && !(x.low < y.high):
			return false
		case x.feature != s.feature && !x.meets(y):
			return false
		default:
			i, j = i+1, j+1
		}
	}
	return true
}

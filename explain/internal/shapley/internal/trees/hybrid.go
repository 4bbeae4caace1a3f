package trees

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// Derived is a column of blocks that is made of several players.
type Derived struct {
	Sources []int32 // columns of blocks, each of one player
	Value   func(from []float64) float64
}

// hybrids explains rows against each row of a background, one by one, by any tree. A walk follows
// all rows that have some values of one and some of the other. It decides on a player where the way
// depends on it: once for the row's value, once for the background's. So a leaf is reached with a
// set of players of either kind. It costs time in proportion to rows x rows of the background x
// leaves that hybrids reach.
type hybrids struct {
	*tree.Tree
	place      []int32 // by feature: its column of blocks
	player     []int32 // by column: its player, -1 for derived ones
	columns    [][]int32
	derived    []*Derived // by column; nil: it is one player's
	value      []int32    // by node: where its values begin, -1 if no row ends there
	values     []float64
	width      int
	output     int
	index      Index
	scale      float64 // of equations
	most       int     // sources of columns whose mixed values are kept
	background *Background
}

// newHybrids prepares a tree.
func newHybrids(s *Source) *hybrids {
	t := s.Tree
	h := &hybrids{Tree: t, place: s.Place, player: s.Player, derived: s.Derived, width: t.Leaf.Width,
		output: int(max(0, s.Output)), index: s.Index, scale: s.Weight, background: s.Background,
		most:  mostMixed,
		value: make([]int32, t.Len())}
	if s.Divisors != nil {
		h.scale /= s.Divisors[h.output]
	}
	for n := range int32(t.Len()) {
		h.value[n] = -1
		if t.Kind(n) == tree.Leaf || t.Missing(n) == tree.MissingStop {
			h.value[n] = int32(len(h.values))
			h.values = append(h.values, make([]float64, h.width)...)
			s.leafValue(h.values[h.value[n]:], n)
		}
	}
	for column, player := range s.Player {
		for int(player) >= len(h.columns) {
			h.columns = append(h.columns, nil)
		}
		if player >= 0 {
			h.columns[player] = append(h.columns[player], int32(column))
		}
	}
	return h
}

// origin is where the value of a player is taken from.
type origin uint8

const (
	undecided origin = iota
	ofRow
	ofOther
)

// crossing is a walk of the hybrids of two rows.
type crossing struct {
	*hybrids
	row, other []float64
	origin     []origin // by player
	chosen     []int32  // players of a leaf that differ and are decided
	a, b       int      // of them, how many are the row's and the other row's
	phi        []float64
	from       []float64 // of a derived column
	pair       int       // number of the pair of rows, from 1
	mixtures   []mixture // by column
}

// add adds the cells of the tree to the rows of a block.
func (h *hybrids) add(b *Block) {
	c := crossing{hybrids: h, row: make([]float64, b.Columns),
		phi: make([]float64, h.width*b.Cells), origin: make([]origin, len(h.columns)),
		mixtures: make([]mixture, len(h.derived))}
	others := h.background.lines()
	fraction := 1 / float64(len(others))
	for r := range b.Rows {
		b.line(c.row, r)
		clear(c.phi)
		for _, other := range others {
			c.other = other
			c.pair++
			c.visit(0, 1)
		}
		for i, v := range c.phi {
			b.Phi[(h.output*b.Cells+i)*b.Stride+r] += float64(v * fraction)
		}
	}
}

// visit goes down from a node with a fraction of the rows.
func (c *crossing) visit(n int32, weight float64) {
	for c.Kind(n) != tree.Leaf {
		next, needed := c.next(n)
		switch {
		case needed >= 0:
			c.decide(needed, n, weight, (*crossing).visit)
			return
		case next >= 0:
			n = next
			continue
		case c.Missing(n) == tree.MissingStop:
			c.end(n, weight)
			return
		}
		for child := c.Child(n); child < c.Child(n)+c.Arity(n); child++ {
			if w := float64(weight * c.Fraction[child]); w > 0 {
				c.visit(child, w)
			}
		}
		return
	}
	c.end(n, weight)
}

// decide goes on at a node with both origins of a player, or with one if both rows have its values.
func (c *crossing) decide(
	player, n int32, weight float64, on func(c *crossing, n int32, weight float64),
) {
	c.origin[player] = ofRow
	if c.differs(player) {
		c.chosen = append(c.chosen, player)
		c.a++
		on(c, n, weight)
		c.a--
		c.b++
		c.origin[player] = ofOther
		on(c, n, weight)
		c.b--
		c.chosen = c.chosen[:len(c.chosen)-1]
	} else {
		on(c, n, weight)
	}
	c.origin[player] = undecided
}

// differs reports whether the two rows have different values of a player.
func (c *crossing) differs(player int32) bool {
	for _, column := range c.columns[player] {
		x, y := c.row[column], c.other[column]
		if x != y && (x == x || y == y) {
			return true
		}
	}
	return false
}

// at returns a hybrid's value of a column, or the player that it depends on; -1 = none.
func (c *crossing) at(column int32) (x float64, needed int32) {
	d := c.derived[column]
	if d == nil {
		switch c.origin[c.player[column]] {
		case ofRow:
			return c.row[column], -1
		case ofOther:
			return c.other[column], -1
		}
		return 0, c.player[column]
	}
	c.from = c.from[:0]
	all := ofRow | ofOther
	for _, source := range d.Sources {
		x, needed := c.at(source)
		if needed >= 0 {
			return 0, needed
		}
		all &= c.origin[c.player[source]]
		c.from = append(c.from, x)
	}
	switch all {
	case ofRow:
		return c.row[column], -1
	case ofOther:
		return c.other[column], -1
	}
	return d.Value(c.from), -1
}

// next returns the child that hybrids go to, -1 where the rule for missing values names none; or
// the player that the way depends on, -1 = none.
func (c *crossing) next(n int32) (child, needed int32) {
	child, needed = c.known(n)
	if needed >= 0 || child >= 0 {
		return child, needed
	}
	if m := c.Missing(n); m == tree.MissingSurrogate || m == tree.MissingStop {
		child, needed = c.surrogate(n)
		if needed >= 0 || child >= 0 {
			return child, needed
		}
	}
	return c.NextMissing(n), -1
}

// known returns the child that a value leads to, -1 if it is missing; or the player needed.
func (c *crossing) known(n int32) (child, needed int32) {
	switch c.Kind(n) {
	case tree.Oblique, tree.Sphere:
		needed = -1
		sum := c.Project(n, func(f int32) float64 {
			x, player := c.at(c.place[f])
			needed = max(needed, player)
			return x
		})
		if needed >= 0 {
			return -1, needed
		}
		return c.NextNumeric(n, sum), -1
	}
	column := c.place[c.Feature(n)]
	if d := c.derived[column]; d != nil && len(d.Sources) <= c.most {
		return c.mixed(n, column, d)
	}
	x, needed := c.at(column)
	if needed < 0 {
		return by(c.Tree, n, x), -1
	}
	if child, one := c.oneChild(n, column); one { // all values may lead to one child
		return child, -1
	}
	return -1, needed
}

// oneChild returns the child that all hybrids go to by a column, if there is one.
func (c *crossing) oneChild(n, column int32) (child int32, one bool) {
	if c.derived[column] == nil {
		child = by(c.Tree, n, c.row[column])
		return child, child == by(c.Tree, n, c.other[column])
	}
	x, player := c.at(column)
	if player < 0 {
		return by(c.Tree, n, x), true
	}
	c.origin[player] = ofRow
	child, one = c.oneChild(n, column)
	if one && c.differs(player) {
		c.origin[player] = ofOther
		var other int32
		other, one = c.oneChild(n, column)
		one = one && other == child
	}
	c.origin[player] = undecided
	return child, one
}

// by returns the child that a value of the node's own column leads to, -1 if it is missing.
func by(t *tree.Tree, n int32, x float64) int32 {
	if t.Kind(n) == tree.Numeric {
		return t.NextNumeric(n, x)
	}
	return t.NextCode(n, data.CodeOf(x))
}

// surrogate returns the child that the first surrogate that applies names, -1 if there is none; or
// the player needed.
func (c *crossing) surrogate(n int32) (child, needed int32) {
	s := c.Surrogates
	if s == nil {
		return -1, -1
	}
	for i := s.At[n]; i < s.At[n+1]; i++ {
		x, needed := c.at(c.place[s.Feature[i]])
		if needed >= 0 {
			return -1, needed
		}
		first := false
		if s.Kind[i] == tree.Numeric {
			if x != x {
				continue
			}
			first = (x <= s.SplitPoint[i]) == (s.Flip[i] == 0)
		} else {
			if !tree.InSet(s.Set(i), data.CodeOf(x)) {
				continue
			}
			first = s.Kind[i] == tree.SetFirst
		}
		if first {
			return c.Child(n), -1
		}
		return c.Child(n) + 1, -1
	}
	return -1, -1
}

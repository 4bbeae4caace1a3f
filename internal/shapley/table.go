package shapley

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// tableBits is the largest number of bits of the index of a table of contributions.
const tableBits = 10

// tabled explains blocks of rows by tables. It serves trees whose leaves have at most tableBits
// players.
//
// The contributions of a leaf depend on which of its players a row satisfies, not on the values.
// The leaves below one node have the players of its path in common. So subtrees are looked up
// whole: the index of a row has a bit for each player of the path, and one for each node of the
// subtree.
//
//	index   s3 s2 s1 | p2 p1 p0      the path has three players, the subtree three inner nodes
//	value   a number for each column that the path or the subtree tests
type tabled struct {
	*games
	root *branch
}

// branch is a node above the parts, or a part.
type branch struct {
	*node
	slot     int // the bit of its column among the players of the path
	fresh    bool
	depth    int // players above
	children []*branch
	part     *part
}

// part is a subtree that is looked up whole.
type part struct {
	depth   int       // players of the path
	tests   []*node   // inner nodes: node i has bit depth+i
	columns []int32   // that entries have numbers of
	value   []float64 // by index, score and column
}

// size returns the numbers of an entry of a part.
func (p *part) size(scores int) int { return scores * len(p.columns) }

// planner makes a tabled of games.
type planner struct {
	*games
	// by node: inner nodes of its subtree; too many where one has other than 2 children
	inner   []int32
	columns []int32 // players of the path
	taken   []float64
	scratch []float64
	leaf    []float64
}

// newTabled makes the tables of a tree.
func newTabled(g *games) *tabled {
	p := newPlanner(g)
	p.scratch, p.leaf = make([]float64, 1<<tableBits), make([]float64, tableBits<<tableBits)
	return &tabled{g, p.plan(0)}
}

func newPlanner(g *games) *planner {
	p := &planner{games: g, inner: make([]int32, len(g.nodes))}
	for n := len(g.nodes) - 1; n >= 0; n-- {
		d := &g.nodes[n]
		if d.kind == tree.Leaf {
			continue
		}
		p.inner[n] = 1
		if d.kind == tree.ByCode {
			p.inner[n] = tableBits + 1
		}
		for c := d.child; c < d.child+d.arity; c++ {
			p.inner[n] = min(p.inner[n]+p.inner[c], tableBits+1)
		}
	}
	return p
}

// plan returns the branch or part of a node.
func (p *planner) plan(n int32) *branch {
	d := &p.nodes[n]
	depth := len(p.columns)
	if depth+int(p.inner[n]) <= tableBits {
		return &branch{depth: depth, part: p.makePart(n)}
	}
	b := &branch{node: d, depth: depth}
	for c := d.child; c < d.child+d.arity; c++ {
		back := p.enter(c, d.column)
		b.slot, b.fresh = back.slot, back.fresh
		b.children = append(b.children, p.plan(c))
		p.leave(back)
	}
	return b
}

// tableBytes returns the size of a tree's tables.
func (g *games) tableBytes() int64 {
	p := newPlanner(g)
	numbers := 0
	var visit func(n int32)
	visit = func(n int32) {
		d := &p.nodes[n]
		if depth := len(p.columns); depth+int(p.inner[n]) <= tableBits {
			t := &part{columns: slices.Clone(p.columns)}
			p.collect(t, n)
			numbers += t.size(p.width) << (depth + len(t.tests))
			return
		}
		for c := d.child; c < d.child+d.arity; c++ {
			back := p.enter(c, d.column)
			visit(c)
			p.leave(back)
		}
	}
	visit(0)
	return 8 * int64(numbers)
}

// step is what the way to a child changes in the list of players.
type step struct {
	slot  int
	fresh bool
	taken float64 // before
}

// enter adds the test of a child's parent to the players.
func (p *planner) enter(child, column int32) step {
	fraction := p.nodes[child].fraction
	for i, c := range p.columns {
		if c == column {
			s := step{slot: i, taken: p.taken[i]}
			p.taken[i] *= fraction
			return s
		}
	}
	p.columns, p.taken = append(p.columns, column), append(p.taken, fraction)
	return step{slot: len(p.columns) - 1, fresh: true}
}

// leave undoes enter.
func (p *planner) leave(s step) {
	if s.fresh {
		p.columns, p.taken = p.columns[:s.slot], p.taken[:s.slot]
		return
	}
	p.taken[s.slot] = s.taken
}

// makePart makes the table of a subtree.
func (p *planner) makePart(n int32) *part {
	t := &part{depth: len(p.columns), columns: append([]int32(nil), p.columns...)}
	p.collect(t, n)
	size := 1 << (t.depth + len(t.tests))
	t.value = make([]float64, size*t.size(p.width))
	pattern := make([]uint32, size)
	for i := range pattern {
		pattern[i] = uint32(i) & (1<<t.depth - 1)
	}
	bit := t.depth
	p.fill(t, n, pattern, &bit)
	return t
}

// collect lists the tests and columns of a subtree, parents first.
func (p *planner) collect(t *part, n int32) {
	d := &p.nodes[n]
	if d.kind == tree.Leaf {
		return
	}
	t.tests = append(t.tests, d)
	if !slices.Contains(t.columns, d.column) {
		t.columns = append(t.columns, d.column)
	}
	for c := d.child; c < d.child+d.arity; c++ {
		p.collect(t, c)
	}
}

// fill adds the contributions of the leaves below a node to the entries of a part. pattern has, by
// index, the satisfied players of the path; bit is that of the next test.
func (p *planner) fill(t *part, n int32, pattern []uint32, bit *int) {
	d := &p.nodes[n]
	if d.kind == tree.Leaf {
		p.fillLeaf(t, d, pattern)
		return
	}
	side := make([]uint32, len(pattern))
	for i := range side {
		side[i] = uint32(i) >> *bit & 1
	}
	*bit++
	below := make([]uint32, len(pattern))
	for c := range d.arity {
		back := p.enter(d.child+c, d.column)
		descend(below, pattern, side, back.slot, back.fresh, c == 0)
		p.fill(t, d.child+c, below, bit)
		p.leave(back)
	}
}

// fillLeaf adds the contributions of a leaf.
func (p *planner) fillLeaf(t *part, d *node, pattern []uint32) {
	players := len(p.columns)
	if players == 0 {
		return
	}
	contributions(p.leaf, p.scratch, p.taken)
	at := make([]int, players) // by player: its place in entries
	for j, c := range p.columns {
		for i, column := range t.columns {
			if column == c {
				at[j] = i
			}
		}
	}
	size := t.size(p.width)
	for i, s := range pattern {
		from := p.leaf[int(s)*players:][:players]
		for k, v := range p.values[d.value:d.end] {
			entry := t.value[i*size+k*len(t.columns):][:len(t.columns)]
			for j, x := range from {
				entry[at[j]] += float64(v * x)
			}
		}
	}
}

// descend writes the patterns of the first or last child of rows with a pattern at the parent. A
// row that goes to the other child does not satisfy the player.
func descend(dst, pattern, side []uint32, slot int, fresh, first bool) {
	other := uint32(0)
	if first {
		other = 1
	}
	dst, side = dst[:len(pattern)], side[:len(pattern)]
	if fresh {
		for r, p := range pattern {
			dst[r] = p | (side[r]^other^1)<<slot
		}
		return
	}
	for r, p := range pattern {
		dst[r] = p &^ ((side[r] ^ other) << slot)
	}
}

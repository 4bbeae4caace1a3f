package shapley

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// tabled explains blocks of rows by tables. It serves trees whose leaves have at most Index.bits
// players.
//
// The contributions of a leaf depend on which of its players a row satisfies, not on the values.
// The leaves below one node have the players of its path in common. So subtrees are looked up
// whole: the index of a row has a bit for each player of the path, and one for each node of the
// subtree.
//
//	index   s3 s2 s1 | p2 p1 p0      the path has three players, the subtree three inner nodes
//	value   a number for each cell of the columns that the path or the subtree tests
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
	depth   int     // players of the path
	tests   []*node // inner nodes: node i has bit depth+i
	columns []int32 // of the path and the tests
	cells   []int32
	value   []float64 // by index, score and cell
}

// size returns the numbers of an entry of a part.
func (p *part) size(scores int) int { return scores * len(p.cells) }

// planner makes a tabled of games.
type planner struct {
	*games
	// by node: inner nodes of its subtree; too many where one has other than 2 children
	inner   []int32
	columns []int32 // players of the path
	taken   []float64
	scratch []float64
	leaf    []float64 // of a leaf of value 1: by pattern and cell
}

// newTabled makes the tables of a tree.
func newTabled(g *games) *tabled {
	p := newPlanner(g)
	bits := g.index.bits()
	p.scratch = make([]float64, 1<<bits)
	p.leaf = make([]float64, g.index.CellsOf(bits)<<bits)
	return &tabled{g, p.plan(0)}
}

func newPlanner(g *games) *planner {
	p := &planner{games: g, inner: make([]int32, len(g.nodes))}
	most := int32(g.index.bits() + 1)
	for n := len(g.nodes) - 1; n >= 0; n-- {
		d := &g.nodes[n]
		if d.kind == tree.Leaf {
			continue
		}
		p.inner[n] = 1
		if d.kind == tree.ByCode {
			p.inner[n] = most
		}
		for c := d.child; c < d.child+d.arity; c++ {
			p.inner[n] = min(p.inner[n]+p.inner[c], most)
		}
	}
	return p
}

// plan returns the branch or part of a node.
func (p *planner) plan(n int32) *branch {
	d := &p.nodes[n]
	depth := len(p.columns)
	if depth+int(p.inner[n]) <= p.index.bits() {
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
		if depth := len(p.columns); depth+int(p.inner[n]) <= p.index.bits() {
			t := &part{columns: slices.Clone(p.columns)}
			p.collect(t, n)
			t.cells = p.index.cells(t.columns)
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
	t.cells = p.index.cells(t.columns)
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

// fillLeaf adds what a leaf has of its players.
func (p *planner) fillLeaf(t *part, d *node, pattern []uint32) {
	cells := p.index.cells(p.columns)
	if len(cells) == 0 {
		return
	}
	p.index.leaf(p.leaf, p.scratch, p.taken)
	at := make([]int, len(cells)) // place in entries
	for i, c := range cells {
		at[i] = slices.Index(t.cells, c)
	}
	size := t.size(p.width)
	for i, s := range pattern {
		from := p.leaf[int(s)*len(cells):][:len(cells)]
		for k, v := range p.values[d.value:d.end] {
			entry := t.value[i*size+k*len(t.cells):][:len(t.cells)]
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

package trees

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// tabled explains blocks of rows by tables. Leaves of more players than games.limit are left out.
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

// branch is a node above the parts, or a part, or neither if it is a leaf that is left out.
type branch struct {
	*node
	slot     int // the bit of its column among the players of the path
	fresh    bool
	children []*branch
	part     *part
}

// part is a subtree that is looked up whole.
type part struct {
	depth   int     // players of the path
	tests   []*node // inner nodes: node i has bit depth+i
	players []int32 // of the path and the tests
	cells   []int32
	value   []float64 // by index, score and cell
	seen    []uint32  // by index: rows of the background, until the table is filled
}

// size returns the numbers of an entry of a part.
func (p *part) size(scores int) int { return scores * len(p.cells) }

// entries returns the number of entries of a part.
func (p *part) entries() int { return 1 << (p.depth + len(p.tests)) }

// numbers returns the numbers of all tables.
func (t *tabled) numbers() int {
	numbers := 0
	t.root.parts(func(p *part) { numbers += len(p.value) })
	return numbers
}

// parts calls do for all parts below a branch.
func (b *branch) parts(do func(p *part)) {
	if b.part != nil {
		do(b.part)
	}
	for _, child := range b.children {
		child.parts(do)
	}
}

// planner makes a tabled of games.
type planner struct {
	*games
	bits int // of indices; leaves may have more
	// by node: inner nodes of its subtree; too many where one has other than 2 children
	inner   []int32
	players []int32 // of the path
	taken   []float64
	scratch []float64
	leaf    []float64 // of a leaf of value 1: by pattern and cell
	seen    []float64 // of a leaf: by pattern the fraction of the background's rows
	sums    *sums
}

// newTabled makes the tables of a tree. Indices have so many bits at most, or those of a leaf.
func newTabled(g *games, target int) *tabled {
	p := newPlanner(g, target)
	bits := min(g.most, g.limit)
	p.scratch = make([]float64, 1<<bits)
	p.leaf, p.seen = make([]float64, g.index.CellsOf(bits)<<bits), make([]float64, 1<<bits)
	t := &tabled{g, p.plan(0)}
	if g.background != nil {
		p.sums = newSums(bits)
		scratch := NewBlock(BlockRows, 0, 0, 0) // blocks of the background are read by several goroutines
		for _, b := range g.background.Blocks {
			scratch.Rows, scratch.Stride, scratch.X = b.Rows, b.Stride, b.X
			t.count(scratch)
		}
	}
	p.fill(t.root, 0)
	return t
}

func newPlanner(g *games, bits int) *planner {
	p := &planner{games: g, bits: bits, inner: make([]int32, len(g.nodes))}
	most := int32(bits + 1)
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
	if p.small(n) {
		if len(p.players) > p.limit {
			return &branch{}
		}
		return &branch{part: p.newPart(n)}
	}
	b := &branch{node: d}
	for c := d.child; c < d.child+d.arity; c++ {
		back := p.enter(c, d.player)
		b.slot, b.fresh = back.slot, back.fresh
		b.children = append(b.children, p.plan(c))
		p.leave(back)
	}
	return b
}

// small reports whether a node is looked up whole, once the players of its path are known.
func (p *planner) small(n int32) bool {
	return p.inner[n] == 0 || len(p.players)+int(p.inner[n]) <= p.bits
}

// tableBytes returns the size of a tree's tables.
func (g *games) tableBytes(bits int) int64 {
	numbers := 0
	newPlanner(g, bits).plan(0).parts(func(p *part) { numbers += p.size(g.width) * p.entries() })
	return 8 * int64(numbers)
}

// step is what the way to a child changes in the list of players.
type step struct {
	slot  int
	fresh bool
	taken float64 // before
}

// enter adds the test of a child's parent to the players.
func (p *planner) enter(child, player int32) step {
	fraction := p.nodes[child].fraction
	for i, other := range p.players {
		if other == player {
			s := step{slot: i, taken: p.taken[i]}
			p.taken[i] *= fraction
			return s
		}
	}
	p.players, p.taken = append(p.players, player), append(p.taken, fraction)
	return step{slot: len(p.players) - 1, fresh: true}
}

// leave undoes enter.
func (p *planner) leave(s step) {
	if s.fresh {
		p.players, p.taken = p.players[:s.slot], p.taken[:s.slot]
		return
	}
	p.taken[s.slot] = s.taken
}

// newPart returns the part of a node, without its table.
func (p *planner) newPart(n int32) *part {
	t := &part{depth: len(p.players), players: slices.Clone(p.players)}
	p.collect(t, n)
	t.cells = p.index.cells(t.players)
	return t
}

// collect lists the tests and players of a subtree, parents first.
func (p *planner) collect(t *part, n int32) {
	d := &p.nodes[n]
	if d.kind == tree.Leaf {
		return
	}
	t.tests = append(t.tests, d)
	if !slices.Contains(t.players, d.player) {
		t.players = append(t.players, d.player)
	}
	for c := d.child; c < d.child+d.arity; c++ {
		p.collect(t, c)
	}
}

package trees

import "github.com/coppice-ml/coppice/tree"

// sets explains rows against all rows of a background at a time, for leaves of many players. Each
// child has the set of the background's rows that its parent's test leads to it, a bit for each
// row. On its way down a row takes along the sets of those that satisfy each player of the path,
// and of those that satisfy all players that the row does not. Where none are left nothing is
// below. It costs time in proportion to nodes that hybrids reach x rows of the background / 64.
type sets struct {
	*games
	words int
	set   []uint64 // by node: words of them
	only  []bool   // by node: whether it is visited; nil: all are
}

// setBytes returns the size of the sets of a tree.
func (g *games) setBytes() int64 {
	return 8 * int64(len(g.nodes)) * int64((g.background.Rows()+63)/64)
}

// newSets finds the sets of a tree.
func newSets(g *games, only []bool) *sets {
	s := &sets{games: g, words: (g.background.Rows() + 63) / 64, only: only}
	s.set = make([]uint64, s.words*len(g.nodes))
	for n := range g.nodes {
		d := &g.nodes[n]
		if d.kind == tree.Leaf {
			continue
		}
		for i, b := range g.background.Blocks {
			from := i * BlockRows
			for r, x := range b.X[int(d.column)*b.Stride:][:b.Rows] {
				at := from + r
				s.of(d.child + d.next(x))[at/64] |= 1 << (at % 64)
			}
		}
	}
	return s
}

// of returns the set of a node.
func (s *sets) of(n int32) []uint64 { return s.set[int(n)*s.words:][:s.words] }

// held is the state of a player of the path.
type held struct {
	player    int32
	satisfied bool     // by the row
	rows      []uint64 // of the background that satisfy it
}

// descent is a walk of one row.
type descent struct {
	*sets
	row    []float64
	path   []held
	slot   []int32 // by player: its place in path, -1 = none
	memory [][]uint64
	phi    []float64
	cells  int
	lacks  lacking
}

// add adds the cells of the tree to the rows of a block.
func (s *sets) add(b *Block) {
	d := descent{sets: s, row: make([]float64, b.Columns), phi: make([]float64, s.width*b.Cells),
		cells: b.Cells}
	all := make([]uint64, s.words)
	for i := range s.background.Rows() {
		all[i/64] |= 1 << (i % 64)
	}
	for range d.players {
		d.slot = append(d.slot, -1)
	}
	fraction := 1 / float64(s.background.Rows())
	for r := range b.Rows {
		b.line(d.row, r)
		clear(d.phi)
		d.visit(0, all, 0)
		for i, v := range d.phi {
			b.Phi[(int(s.output)*b.Cells+i)*b.Stride+r] += float64(v * fraction)
		}
	}
}

// levelSets returns the memory of two sets of a level.
func (d *descent) levelSets(level int) (rows, alive []uint64) {
	for len(d.memory) <= level {
		d.memory = append(d.memory, make([]uint64, 2*d.words))
	}
	return d.memory[level][:d.words], d.memory[level][d.words:]
}

// visit adds the cells of the leaves below a node. alive is the set of rows that satisfy all
// players of the path that the row does not.
func (d *descent) visit(n int32, alive []uint64, level int) {
	at := &d.nodes[n]
	if at.kind == tree.Leaf {
		d.leaf(at, alive)
		return
	}
	goes := at.next(d.row[at.column])
	slot := d.slot[at.player]
	fresh := slot < 0
	if fresh {
		slot = int32(len(d.path))
		d.slot[at.player] = slot
		d.path = append(d.path, held{player: at.player, satisfied: true})
	}
	before := d.path[slot]
	rows, below := d.levelSets(level)
	for c := range at.arity {
		if d.only != nil && !d.only[at.child+c] {
			continue
		}
		copy(rows, d.of(at.child+c))
		if !fresh {
			for i, w := range before.rows {
				rows[i] &= w
			}
		}
		now := held{at.player, before.satisfied && c == goes, rows}
		next := alive
		if !now.satisfied {
			next = below
			left := uint64(0)
			for i, w := range alive {
				below[i] = w & rows[i]
				left |= below[i]
			}
			if left == 0 {
				continue
			}
		}
		d.path[slot] = now
		d.visit(at.child+c, next, level+1)
	}
	d.path[slot] = before
	if fresh {
		d.path = d.path[:slot]
		d.slot[at.player] = -1
	}
}

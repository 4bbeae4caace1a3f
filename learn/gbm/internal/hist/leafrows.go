package hist

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// nearRows is the number of rows whose scores and codes of a column or two a second cache holds:
// those of a leaf are a few of every cache line of them.
const nearRows = 1 << 15

// reach calls f for the leaves of a tree, each with its number and rows of the matrix that end
// there, ascending. Of several ranks that have not joined each gets its own, numbered from 0. Rows
// of among that the tree was grown on must be in its lists. The others go
// down the tree as the rows of a leaf do when it is split. nil = all rows. On another matrix of the
// same columns all rows go down. All workers take part, each with rows of its own:
//
//	rows     near | near | near | ...      a run of pieces for a free worker
//	a piece  rows of the leaves | among, without the tree's rows, partitioned by the split of the
//	                              root | by those of its children | ...
func (t *grown) reach(other *bins.Matrix, among []int32, f func(leaf int32, rows []int32)) {
	if t.leafOf != nil && other == nil {
		t.reachAll(among, f)
		return
	}
	e := t.in
	v := visit{t: t, m: e.tables.m, among: among, f: f}
	others := true
	if other != nil {
		v.m = other
	} else {
		v.leaves = make([]*open, 0, len(t.split)+1)
		for _, l := range t.nodes {
			if !t.inner(l) {
				v.leaves = append(v.leaves, l)
			}
		}
		requested := len(among)
		if among == nil {
			requested = e.tables.m.Len()
		}
		v.rows, others = t.own, t.rows != nil && requested > len(t.rows)
	}
	if others {
		v.side = slices.Grow(t.memory.side[:0], len(t.nodes))[:len(t.nodes)]
		for _, l := range t.split {
			v.side[l.node] = l.split.sides(v.m, v.side[l.node])
		}
		t.memory.side = v.side
	}
	if v.m.Store == nil || !others {
		first, last := int32(0), int32(v.m.Len())
		if other == nil { // the codes of other rows are elsewhere
			first, last = e.ranks.own(nil)
			first, last = 0, last-first
		}
		v.runs(int(first), int(last))
		return
	}
	need := bins.Need{}
	for _, l := range t.split {
		need.Columns = append(need.Columns, int32(l.split.column))
	}
	err := v.m.Walk(e.ctx, need, len(e.team), func(_ int, b *bins.Block) error {
		v.block = b
		v.runs(int(b.First), int(b.First)+b.Rows)
		return nil
	})
	e.fault = cmp.Or(e.fault, err)
}

// runs does the rows from ... to-1 of the matrix on all workers.
func (v *visit) runs(from, to int) {
	pieces := (to - from + nearRows - 1) / nearRows
	runs := min(pieces, 4*len(v.t.in.team))
	v.t.in.team.each(runs, func(i int, w *worker) {
		first, end := span(pieces, i, runs)
		v.run(int32(from+first*nearRows), int32(min(to, from+end*nearRows)), w)
	})
}

// visit is a call of reach.
type visit struct {
	t      *grown
	m      *bins.Matrix
	block  *bins.Block // of a stored matrix: the one that is read
	rows   []int32     // of the tree, if they are of this matrix and not all
	among  []int32
	f      func(leaf int32, rows []int32)
	leaves []*open
	side   [][]uint8 // by node, of those that are split; nil: all rows that count are in the leaves
}

func (s *visitScratch) next(leaves int) []int32 {
	s.nexts = resize(s.nexts, leaves)
	return s.nexts
}

// run does the rows from ... to-1 of the matrix.
func (v *visit) run(from, to int32, w *worker) {
	order, next := v.t.order, w.visited.next(len(v.leaves))
	for k, l := range v.leaves {
		next[k] = l.begin
		if from > 0 {
			next[k] += int32(below(order.of(l), from))
		}
	}
	grown, among := v.rows[below(v.rows, from):], v.among[below(v.among, from):]
	for ; from < to; from += nearRows {
		end := min(from+nearRows, to)
		for k, l := range v.leaves {
			rows := order.rows[next[k]:l.end]
			if n := below(rows, end); n > 0 {
				v.f(l.node, rows[:n])
				next[k] += int32(n)
			}
		}
		if v.side == nil {
			continue
		}
		n := below(grown, end)
		listed := w.visited.mark(from, end, grown[:n])
		grown = grown[n:]
		if v.among == nil {
			w.visited.others = gaps(w.visited.others, from, end, listed)
		} else {
			requested := below(among, end)
			w.visited.others = without(w.visited.others, from, among[:requested], listed)
			among = among[requested:]
		}
		if len(w.rows) < len(w.visited.others) {
			w.rows = make([]int32, nearRows)
		}
		v.descend(v.t.nodes[0], w.visited.others, w.rows)
	}
}

// descend partitions rows that have come to a node of the tree.
func (v *visit) descend(l *open, rows, spare []int32) {
	for len(rows) > 0 && v.t.inner(l) {
		n := v.partition(l, rows, spare)
		v.descend(l.first, rows[:n], spare)
		l, rows = l.last, rows[n:]
	}
	if len(rows) > 0 {
		v.f(l.node, rows)
	}
}

// partition partitions rows by the split of a node.
func (v *visit) partition(l *open, rows, spare []int32) int {
	if v.block == nil {
		return partitionRange(v.m, l.split.column, v.side[l.node], rows, spare)
	}
	return partitionIn(v.block, v.m.Columns[l.split.column].Group, rows, spare, v.side[l.node])
}

// mark marks those of the rows from ... to-1 that are in a list of such rows by 1: with marks no
// branch is made of whether a row is in a list, and none waits for the one before it.
func (s *visitScratch) mark(from, to int32, list []int32) []uint8 {
	s.listed = resize(s.listed, int(to-from))
	clear(s.listed)
	for _, row := range list {
		s.listed[row-from] = 1
	}
	return s.listed
}

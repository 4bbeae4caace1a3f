package hist

import (
	"encoding/binary"
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// joinRanks completes a tree that several ranks have grown: each has partitioned its own rows only.
// Afterwards leafOf has the leaf of every row of the matrix, and the order of rows is that of all
// ranks:
//
//	rank 0   own rows   leaf a: 0 3 | leaf b: 1 2         rows of all   a: 0 3 5 6 | b: 1 2 4 7
//	rank 1   own rows   leaf a: 5 6 | leaf b: 4 7
func (t *grown) joinRanks() {
	e := t.in
	n := e.tables.whole.Len()
	number := make([]int32, len(t.nodes)) // of leaves, by node
	var nodes []int32                     // the other way round
	t.leaves(func(node int32, _ *open) {
		number[node] = int32(len(nodes))
		nodes = append(nodes, node)
	})
	leaf := resize(t.order.leafOf, n)
	t.order.leafOf = leaf
	t.reach(nil, nil, func(node int32, rows []int32) {
		for _, r := range rows {
			leaf[t.base+r] = number[node]
		}
	})
	exchangeLeaves(e.ranks, leaf, len(nodes))
	if e.ranks.failed() != nil {
		return
	}
	for i, l := range leaf {
		if int(l) >= len(nodes) {
			leaf[i] = 0 // of a rank that is another program
			continue
		}
		leaf[i] = nodes[l]
	}
	t.leafOf = leaf
	t.orderAll()
}

// exchangeLeaves completes the leaf of each row of the matrix by those of the other ranks' rows. It
// sends one byte a row where there are few leaves, else two or four.
func exchangeLeaves(ranks *exchange, leaf []int32, leaves int) {
	size := 4
	if leaves <= 1<<8 {
		size = 1
	} else if leaves <= 1<<16 {
		size = 2
	}
	var own []byte
	from, to := ranks.own(nil)
	for _, l := range leaf[from:to] {
		for k := range size {
			own = append(own, byte(l>>(8*k)))
		}
	}
	for rank, b := range ranks.gather(own) {
		from, to := RankRows(len(leaf), rank, ranks.group.Size())
		if len(b) != size*(to-from) {
			ranks.fail(fmt.Errorf("rank %d sent the leaves of %d bytes, want %d", rank, len(b),
				size*(to-from)))
			return
		}
		readLeaves(leaf[from:to], b, size)
	}
}

func readLeaves(leaf []int32, b []byte, size int) {
	switch size {
	case 1:
		for i, v := range b[:len(leaf)] {
			leaf[i] = int32(v)
		}
	case 2:
		for i := range leaf {
			leaf[i] = int32(binary.LittleEndian.Uint16(b[2*i:]))
		}
	default:
		for i := range leaf {
			leaf[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

// orderAll orders the rows of the tree by its leaves, in the order in which their rows stand.
func (t *grown) orderAll() {
	at := make([]int32, len(t.nodes)) // rows of a leaf, then where its next one goes
	rows := t.rows
	if rows == nil {
		rows = data.AllRows(len(t.leafOf))
	}
	for _, r := range rows {
		at[t.leafOf[r]]++
	}
	t.place(t.nodes[0], 0, at)
	order := t.order
	order.rows = resize(order.rows, len(rows))
	for node, l := range t.nodes {
		at[node] = l.begin
	}
	for _, r := range rows {
		node := t.leafOf[r]
		order.rows[at[node]] = r
		at[node]++
	}
}

// place gives a node and those below it their places in the order, from begin on, and returns where
// they end.
func (t *grown) place(l *open, begin int32, rows []int32) int32 {
	l.begin = begin
	if t.inner(l) {
		l.end = t.place(l.last, t.place(l.first, begin, rows), rows)
	} else {
		l.end = begin + rows[l.node]
	}
	return l.end
}

// reachAll is reach of a tree that several ranks have grown, for rows of the matrix. The rows of a
// piece are put together by their leaves.
func (t *grown) reachAll(among []int32, f func(leaf int32, rows []int32)) {
	n := lenOr(among, len(t.leafOf))
	pieces := (n + nearRows - 1) / nearRows
	t.in.team.each(pieces, func(i int, w *worker) {
		from, to := i*nearRows, min(n, (i+1)*nearRows)
		next := w.visited.next(len(t.nodes) + 1)
		clear(next)
		row := func(k int) int32 {
			if among == nil {
				return int32(k)
			}
			return among[k]
		}
		for k := from; k < to; k++ {
			next[t.leafOf[row(k)]+1]++
		}
		for k := range t.nodes {
			next[k+1] += next[k]
		}
		w.visited.others = resize(w.visited.others, to-from)
		for k := from; k < to; k++ {
			r := row(k)
			leaf := t.leafOf[r]
			w.visited.others[next[leaf]] = r
			next[leaf]++
		}
		begin := int32(0)
		for node, end := range next[:len(t.nodes)] {
			if begin < end {
				f(int32(node), w.visited.others[begin:end])
			}
			begin = end
		}
	})
}

package hist

import (
	"encoding/binary"
	"errors"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// moves is what the ranks know of leaves whose rows move to one rank. Where a leaf has few rows,
// these take fewer bytes than the histogram that its split would send. So before it is split, all
// ranks send its rows to one of them, its words and its codes of all columns. This rank alone makes
// the histograms of the leaves below, and searches them:
//
//	rank 0   rows of the leaf --+                    rows of the leaf: nothing is searched
//	rank 1   rows of the leaf --+--> rank 1: all ----> histograms --> best splits --> Gather
//	rank 2   rows of the leaf --+
//
// All ranks partition their own rows as before, so that they know the leaves of these. Which leaves
// move, and where, depends on numbers that all ranks have: rows, cells and bytes.
type moves struct {
	few   int   // rows of a leaf that moves, at most
	rows  []int // that have moved to each rank
	made  []*movedRows
	taken int // of made, by the tree that grows

	messages [][]byte // memory of move, by rank
}

// movedRows is the rows of a leaf that have moved. All but to is of the rank that has them.
type movedRows struct {
	to     int     // rank
	codes  []uint8 // of each row as in bins.Block.Packed
	stride int     // bytes of a row
	words  []int64
	order  []int32 // numbers of the rows, those of a leaf together
}

// movedLeaf is the rows of one leaf among those that have moved: order[lo:hi].
type movedLeaf struct {
	rows   *movedRows // nil: they have not
	lo, hi int32
}

const (
	wordBytes = 8
	// mostMoving is the number of ranks up to which rows move: each sends its own to each other
	// one. With more ranks that takes longer than the sum of a histogram in a tree.
	mostMoving = 16
)

// begin prepares for a tree of so many rows whose histograms have so many cells. Each rank sends
// its own histogram of a leaf, so a leaf moves if its rows are fewer bytes than two. They may be
// twice as many where leaves of an equally divided tree would have half of the rows: further splits
// follow. But no leaf of more than half of a rank's rows moves, so that all ranks have some.
func (v *moves) begin(e *engine, rows, cells, ranks int) {
	m := e.tables.m
	v.few, v.taken = 0, 0
	v.rows = resize(v.rows, ranks)
	clear(v.rows)
	if m.Places > 0 || ranks > mostMoving { // listed columns are not in a row
		return
	}
	v.few = 2 * wordBytes * cells / (m.Stride + wordBytes)
	if v.few/2*e.c.mostLeaves(rows) >= rows {
		v.few *= 2
	}
	v.few = min(v.few, rows/(2*ranks))
}

// take returns a place for rows of a leaf that are to move to a rank.
func (v *moves) take(to, rows int) *movedRows {
	if v.taken == len(v.made) {
		v.made = append(v.made, &movedRows{})
	}
	of := v.made[v.taken]
	v.taken++
	of.to = to
	v.rows[to] += rows
	return of
}

// next returns the rank to which the fewest rows have moved.
func (v *moves) next() int {
	to := 0
	for rank, n := range v.rows {
		if n < v.rows[to] {
			to = rank
		}
	}
	return to
}

// hasMoved reports whether the rows of a leaf have moved to this rank.
func (e *engine) hasMoved(l *open) bool { return l.moved.rows.to == e.owners.rank }

// errMoved reports that ranks disagree.
var errMoved = errors.New("a rank sent other rows of a leaf: all must run the same program")

// move moves the rows of those leaves that have few. They are about to be split.
func (e *engine) move(leaves []*open) {
	v := &e.owners.moves
	var moving []*open
	for _, l := range leaves {
		if l.moved.rows == nil && l.len() <= v.few && !e.lastBelow(l) {
			l.moved = movedLeaf{rows: v.take(v.next(), l.len()), hi: l.rows}
			moving = append(moving, l)
		}
	}
	if len(moving) == 0 {
		return
	}
	from := e.ranks.send(e.pack(moving))
	if from == nil {
		return
	}
	var own []*open
	var parts [][][]byte // by leaf, then rank
	for _, l := range moving {
		if !e.hasMoved(l) {
			continue
		}
		of := make([][]byte, len(from))
		for rank, b := range from {
			size := e.tables.movedBytes(b)
			if size == 0 {
				e.ranks.fail(errMoved)
				return
			}
			of[rank], from[rank] = b[:size], b[size:]
		}
		own, parts = append(own, l), append(parts, of)
	}
	e.team.each(len(own), func(i int, _ *worker) { own[i].moved.rows.fill(e.tables.m, parts[i]) })
	for _, l := range own {
		if len(l.moved.rows.order) != l.len() {
			e.ranks.fail(errMoved)
		}
	}
}

// A rank sends of each leaf:
//
//	number of rows, 4 bytes | words of 8 bytes | rows as in bins.Block.Packed

const movedHead = 4

// movedBytes returns the length of what a message has of its first leaf, 0 where it is no message.
func (t *tables) movedBytes(b []byte) int {
	if len(b) < movedHead {
		return 0
	}
	size := movedHead + int(binary.LittleEndian.Uint32(b))*(wordBytes+t.m.Stride)
	if size > len(b) {
		return 0
	}
	return size
}

// pack returns messages for all ranks with this rank's rows of some leaves.
func (e *engine) pack(leaves []*open) [][]byte {
	v, m := &e.owners.moves, e.tables.m
	v.messages = resize(v.messages, len(v.rows))
	ends := make([]int, len(v.rows))
	at := make([]int, len(leaves))
	for i, l := range leaves {
		to := l.moved.rows.to
		at[i] = ends[to]
		ends[to] += movedHead + len(e.rows.of(l))*(wordBytes+m.Stride)
	}
	for rank, n := range ends {
		v.messages[rank] = resize(v.messages[rank], n)
	}
	e.team.each(len(leaves), func(i int, _ *worker) {
		l := leaves[i]
		packRows(v.messages[l.moved.rows.to][at[i]:], m, e.sums[0].packed, e.rows.of(l))
	})
	return v.messages
}

func packRows(b []byte, m *bins.Matrix, words []int64, rows []int32) {
	binary.LittleEndian.PutUint32(b, uint32(len(rows)))
	b = b[movedHead:]
	for i, r := range rows {
		binary.LittleEndian.PutUint64(b[wordBytes*i:], uint64(words[r]))
	}
	b = b[wordBytes*len(rows):]
	for i := range m.Blocks {
		of, own := &m.Blocks[i], m.RowsIn(i, rows)
		for _, r := range own {
			from := int(r-of.First) * m.Stride
			b = b[copy(b, of.Packed[from:from+m.Stride]):]
		}
	}
}

// fill takes the rows that all ranks have sent.
func (v *movedRows) fill(m *bins.Matrix, parts [][]byte) {
	n := 0
	for _, b := range parts {
		n += int(binary.LittleEndian.Uint32(b))
	}
	v.stride = m.Stride
	v.words, v.order = resize(v.words, n), resize(v.order, n)
	v.codes = resize(v.codes, n*v.stride)
	words, codes := v.words, v.codes
	for _, b := range parts {
		n := int(binary.LittleEndian.Uint32(b))
		b = b[movedHead:]
		for i := range words[:n] {
			words[i] = int64(binary.LittleEndian.Uint64(b[wordBytes*i:]))
		}
		words, codes = words[n:], codes[copy(codes, b[wordBytes*n:]):]
	}
	for i := range v.order {
		v.order[i] = int32(i)
	}
}

// partitionMoved partitions the rows of a leaf that have moved to this rank, and returns the first
// of those that go to the last child.
func (e *engine) partitionMoved(l *open, w *worker) int32 {
	if !e.hasMoved(l) {
		return 0
	}
	v, m := l.moved.rows, e.tables.m
	w.side = l.split.sides(m, w.side)
	codes := m.InPacked(m.Columns[l.split.column].Group)
	order := v.order[l.moved.lo:l.moved.hi]
	if len(w.rows) < len(order) {
		w.rows = make([]int32, len(order))
	}
	first, last := 0, 0
	for _, r := range order {
		side := w.side[codes.Of(v.codes[int(r)*v.stride:])]
		order[first], w.rows[last] = r, r
		first += int(1 - side)
		last += int(side)
	}
	copy(order[first:], w.rows[:last])
	return l.moved.lo + int32(first)
}

// moveChildren gives the children of a leaf their parts of the rows that have moved.
func (l *open) moveChildren(mid int32) {
	v := l.moved
	if v.rows == nil {
		return
	}
	l.first.moved = movedLeaf{v.rows, v.lo, mid}
	l.last.moved = movedLeaf{v.rows, mid, v.hi}
}

// findMoved finds the best split of a leaf whose rows have moved to this rank. Other ranks find
// none. Its histogram is not kept: all ranks must have the same memory left for histograms.
func (e *engine) findMoved(l *open, w *worker) {
	l.split, l.able = none(), l.able[:0]
	if !e.hasMoved(l) || !e.c.mayBeSplit(l) {
		return
	}
	v, lay := l.moved.rows, &e.tables.lay
	l.hist = e.hist.take()
	clear(l.hist.packed)
	a := kernel.AddPacked{Cells: l.hist.packed, Blocks: lay.blocks, Unused: lay.unused,
		Wide: lay.wide, Codes: v.codes, Stride: v.stride, Words: v.words}
	a.Rows(v.order[l.moved.lo:l.moved.hi])
	e.hist.splitJoints(l.hist, 0)
	e.find(l, w)
	e.hist.pool.release(l)
}

// countMoved counts the rows of a leaf that have moved to this rank by bin of a column.
func (e *engine) countMoved(dst []int32, column int, l *open) []int32 {
	v, c := l.moved.rows, &e.tables.m.Columns[column]
	dst = resize(dst, c.Bins())
	clear(dst)
	codes := e.tables.m.InPacked(c.Group)
	for _, r := range v.order[l.moved.lo:l.moved.hi] {
		dst[c.Bin(codes.Of(v.codes[int(r)*v.stride:]))]++
	}
	return dst
}

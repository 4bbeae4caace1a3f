package ranked

import (
	"math/bits"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// Columns of few values are counted in tables of values and classes, for more than two classes. The
// kernel makes of a table what the split points between values are judged by.
//
//	class       a  b  c  padding
//	value 0     3  0  1  0 ...
//	value 1     0  2  0  0 ...
//	missing     0  0  0  0 ...
//
// Most nodes have rows of few classes, which get numbers of their own.
//
// The numbers are integers, so that it does not matter how they are summed: the node is split as by
// scanRanks.

const (
	countedCells = 1 << 10   // counters of a table at most
	countedMost  = 1<<15 - 1 // rows of a node at most, see kernel.CumulateSquares
	countedBits  = 6         // of a class
	narrowShift  = 4         // 1 << narrowShift is the least number of counters for each value
)

// mostCellsPerRow is how many counters a table has for each row of the node at most: where the
// kernel has no vectors, it is slow to scan many.
var mostCellsPerRow = func() int {
	if kernel.VectorSquares {
		return 32
	}
	return 4
}()

// counting is what columns are counted in.
type counting struct {
	counts  [countedCells]uint16 // zero between columns
	squares []kernel.Squares

	filled bool // what follows is of the current node
	shift  uint // 1 << shift is the number of counters for each value
	// by class that the node has: its number
	number [1 << countedBits]uint32
	// by row of the node: the number of its class, and above it its multiplicity
	cells []uint32
}

// newCounting returns nil if there are too many classes, or two.
func newCounting(classes int) *counting {
	if classes <= 2 || classes > 1<<countedBits {
		return nil
	}
	return &counting{squares: make([]kernel.Squares, 1<<countedBits+1),
		cells: make([]uint32, growth.SubtreeRows)}
}

// startCounting numbers the classes of the current node.
func (l *classCounts) startCounting() {
	k := l.counting
	k.filled = true
	present := uint64(0)
	for _, row := range l.rows {
		present |= 1 << (l.cells[row] & (1<<countedBits - 1))
	}
	n := uint32(0)
	for ; present != 0; present &= present - 1 {
		k.number[bits.TrailingZeros64(present)] = n
		n++
	}
	k.shift = uint(max(narrowShift, bits.Len32(n-1)))
	cells := k.cells[:len(l.rows)]
	for i, row := range l.rows {
		c := l.cells[row]
		cells[i] = uint32(c>>32)<<countedBits | k.number[c&(1<<countedBits-1)]
	}
}

// counts reports whether a column of so many values, with that of missing ones, is counted in a
// table in the current node.
func (l *classCounts) counts(values int) bool {
	k := l.counting
	if k == nil || l.nd.sums.rows > countedMost || values > 1<<countedBits {
		return false
	}
	if !k.filled {
		l.startCounting()
	}
	cells := values << k.shift
	return cells <= countedCells && len(l.rows)*mostCellsPerRow >= cells
}

// scanCounted finds the best split point of a column of so many values by a table. It reports
// false, and does nothing, if rows have no value.
func (l *classCounts) scanCounted(bytes []uint8, values int) bool {
	k := l.counting
	counts, cells, shift := &k.counts, k.cells[:len(l.rows)], k.shift&7
	for i, row := range l.rows {
		c := cells[i]
		cell := uint32(bytes[row])<<shift | c&(1<<countedBits-1)
		counts[cell&(countedCells-1)] += uint16(c >> countedBits)
	}
	squares := k.squares[:kernel.CumulateSquares(k.squares, counts[:values<<shift], 1<<shift)]
	if int(squares[len(squares)-1].Value) == values-1 {
		return false
	}
	l.current.places = false
	for i := 1; i < len(squares); i++ {
		q := &squares[i-1]
		if l.offer(sums{int64(q.Rows), int64(q.Side)}, int64(q.Cross), i) {
			l.current.rank, l.current.next = uint32(q.Value), uint32(squares[i].Value)
		}
	}
	return true
}

package ranked

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// Columns of few values are counted in tables of values and classes, for more than two classes:
// several columns in one pass over the node's rows. The kernel makes of a table what the split
// points between values are judged by.
//
//	class       a  b  c  padding
//	value 0     3  0  1  0 ...
//	value 1     0  2  0  0 ...
//	missing     0  0  0  0 ...
//
// Most nodes have rows of few classes, which get numbers of their own. If there are at most four,
// the counters of a value are one word, and only the values that occur are scanned.
//
// The numbers are integers, so that it does not matter how they are summed: the node is split as by
// scanRanks.

const (
	countedAtOnce = 2         // columns that are counted in one pass
	countedCells  = 1 << 10   // counters of a table at most
	countedMost   = 1<<15 - 1 // rows of a node at most, see kernel.CumulateSquares
	countedBits   = 6         // of a class
	narrowShift   = 4         // 1 << narrowShift is the least number of counters for each value
	wordClasses   = 4         // classes whose counters are one word
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
	columns [countedAtOnce]countedColumn
	squares []kernel.Squares

	filled bool // what follows is of the current node
	words  bool // the counters of a value are one word
	shift  uint // 1 << shift is the number of counters for each value
	// by class that the node has: words: one of its counter; else its number
	unit [1 << countedBits]uint64
	all  uint64 // words: the counters of all rows
	// by row of the node: words: what it adds to them; else its class, and above it its number
	cells []uint64
}

// countedColumn is a column with its table, which is zero between nodes.
type countedColumn struct {
	feature int32
	bytes   []uint8 // its ranks by row
	values  int     // with that of missing values
	words   [256]uint64
	seen    uint64 // words: values that occur
	counts  [countedCells]uint16
}

// newCounting returns nil if there are too many classes, or two.
func newCounting(classes int) *counting {
	if classes <= 2 || classes > 1<<countedBits {
		return nil
	}
	return &counting{squares: make([]kernel.Squares, 1<<countedBits+1),
		cells: make([]uint64, growth.SubtreeRows)}
}

// startCounting numbers the classes of the current node.
func (l *classCounts) startCounting() {
	k := l.counting
	k.filled = true
	present := uint64(0)
	for _, row := range l.rows {
		present |= 1 << (l.cells[row] & (1<<countedBits - 1))
	}
	n := bits.OnesCount64(present)
	k.words, k.shift = n <= wordClasses, uint(max(narrowShift, bits.Len(uint(n-1))))
	unit := &k.unit
	for i := 0; present != 0; present &= present - 1 {
		class := bits.TrailingZeros64(present)
		if unit[class] = uint64(i); k.words {
			unit[class] = 1 << (16 * i)
		}
		i++
	}
	cells := k.cells[:len(l.rows)]
	if k.words {
		all := uint64(0)
		for i, row := range l.rows {
			c := l.cells[row]
			c = c >> 32 * unit[c&(1<<countedBits-1)]
			cells[i] = c
			all += c
		}
		k.all = all
		return
	}
	for i, row := range l.rows {
		c := l.cells[row]
		cells[i] = c>>32<<countedBits | unit[c&(1<<countedBits-1)]
	}
}

// tabled reports whether a column is counted in a table in the current node.
func (l *classCounts) tabled(feature int32) bool {
	w, k := &l.above.columns[feature], l.counting
	if w.few.Rank == nil || l.nd.sums.rows > countedMost {
		return false
	}
	values := w.few.Values + 1
	if values > 1<<countedBits {
		return false
	}
	if !k.filled {
		l.startCounting()
	}
	if k.words {
		return true
	}
	cells := values << k.shift
	return cells <= countedCells && len(l.rows)*mostCellsPerRow >= cells
}

// scanTogether is scan for some columns, of which those that can be are counted at once.
func (l *classCounts) scanTogether(columns []int32) {
	k := l.counting
	k.filled = false
	for len(columns) > 0 {
		some := columns[:min(countedAtOnce, len(columns))]
		columns = columns[len(some):]
		n := 0
		for _, feature := range some {
			if l.tabled(feature) {
				c := &k.columns[n]
				c.feature, c.bytes, c.values = feature, l.bytesOf(feature),
					l.above.columns[feature].few.Values+1
				n++
			}
		}
		if n > 0 {
			k.count(l.rows, n)
		}
		at := 0
		for _, feature := range some {
			if at == n || k.columns[at].feature != feature {
				l.scan(feature)
				continue
			}
			l.scanCounted(&k.columns[at])
			at++
		}
	}
}

// count counts rows in the tables of the first n columns.
func (k *counting) count(rows []uint32, n int) {
	a, b := &k.columns[0], &k.columns[1]
	switch {
	case k.words && n == 2:
		k.wordsOfTwo(a, b, rows)
	case k.words:
		k.wordsOfOne(a, rows)
	case n == 2:
		k.countTwo(a, b, rows)
	default:
		k.countOne(a, rows)
	}
}

func (k *counting) wordsOfOne(a *countedColumn, rows []uint32) {
	bytes, words, seen, cells := a.bytes, &a.words, uint64(0), k.cells[:len(rows)]
	for i, row := range rows {
		r := bytes[row]
		words[r] += cells[i]
		seen |= 1 << (r & (1<<countedBits - 1))
	}
	a.seen = seen
}

func (k *counting) wordsOfTwo(a, b *countedColumn, rows []uint32) {
	first, second := a.bytes, b.bytes[:len(a.bytes)]
	inFirst, inSecond := &a.words, &b.words
	seenFirst, seenSecond := uint64(0), uint64(0)
	cells := k.cells[:len(rows)]
	for i, row := range rows {
		r, s, c := first[row], second[row], cells[i]
		inFirst[r] += c
		inSecond[s] += c
		seenFirst |= 1 << (r & (1<<countedBits - 1))
		seenSecond |= 1 << (s & (1<<countedBits - 1))
	}
	a.seen, b.seen = seenFirst, seenSecond
}

func (k *counting) countOne(a *countedColumn, rows []uint32) {
	bytes, counts, cells, shift := a.bytes, &a.counts, k.cells[:len(rows)], k.shift&7
	for i, row := range rows {
		c := uint32(cells[i])
		cell := uint32(bytes[row])<<shift | c&(1<<countedBits-1)
		counts[cell&(countedCells-1)] += uint16(c >> countedBits)
	}
}

func (k *counting) countTwo(a, b *countedColumn, rows []uint32) {
	first, second := a.bytes, b.bytes[:len(a.bytes)]
	inFirst, inSecond, cells, shift := &a.counts, &b.counts, k.cells[:len(rows)], k.shift&7
	for i, row := range rows {
		c := uint32(cells[i])
		class, n := c&(1<<countedBits-1), uint16(c>>countedBits)
		inFirst[(uint32(first[row])<<shift|class)&(countedCells-1)] += n
		inSecond[(uint32(second[row])<<shift|class)&(countedCells-1)] += n
	}
}

// scanCounted is scan for a column that is counted.
func (l *classCounts) scanCounted(c *countedColumn) {
	l.startColumn()
	l.current.places = false
	found := false
	if l.counting.words {
		found = l.scanWords(c)
	} else {
		found = l.scanSquares(c)
	}
	switch {
	case !found:
		l.scanGeneral(c.feature)
	case l.better():
		l.take(c.feature)
	}
}

// scanSquares finds the best split point. It reports false, and does nothing but clear the table,
// if rows have no value.
func (l *classCounts) scanSquares(c *countedColumn) bool {
	k := l.counting
	squares := k.squares[:kernel.CumulateSquares(k.squares, c.counts[:c.values<<k.shift],
		1<<k.shift)]
	if int(squares[len(squares)-1].Value) == c.values-1 {
		return false
	}
	for i := 1; i < len(squares); i++ {
		q := &squares[i-1]
		if l.offer(sums{int64(q.Rows), int64(q.Side)}, int64(q.Cross), i) {
			l.current.rank, l.current.next = uint32(q.Value), uint32(squares[i].Value)
		}
	}
	return true
}

// scanWords is scanSquares for counters in one word.
func (l *classCounts) scanWords(c *countedColumn) bool {
	if c.seen>>(c.values-1) != 0 {
		clear(c.words[:c.values])
		return false
	}
	all := l.counting.all
	a0, a1, a2, a3 := int64(all&math.MaxUint16), int64(all>>16&math.MaxUint16),
		int64(all>>32&math.MaxUint16), int64(all>>48)
	first, at, before := uint64(0), 0, uint32(0)
	for w := c.seen; w != 0; w &= w - 1 {
		rank := uint32(bits.TrailingZeros64(w))
		if at > 0 {
			n0, n1, n2, n3 := int64(first&math.MaxUint16), int64(first>>16&math.MaxUint16),
				int64(first>>32&math.MaxUint16), int64(first>>48)
			if l.offer(sums{n0 + n1 + n2 + n3, n0*n0 + n1*n1 + n2*n2 + n3*n3},
				n0*a0+n1*a1+n2*a2+n3*a3, at) {
				l.current.rank, l.current.next = before, rank
			}
		}
		first += c.words[rank&(1<<countedBits-1)]
		c.words[rank&(1<<countedBits-1)] = 0
		before = rank
		at++
	}
	return true
}

package ranked

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// ranks are the ranks of all rows of a table in one column. A rank is the place, in the column's
// order, of the first of the values that are equal; missing values, which come last, have one rank
// too:
//
//	value   7  2  2  9  -  5
//	rank    3  0  0  4  5  2
//
// They take 3 bytes each where these suffice, and lie row by row for all columns of the table: a
// row of a subtree then costs a line or two of the cache, and not one for each column.
type ranks struct {
	known uint32 // rows with a value: missing values have this rank
	// the highest 8 bits of a rank, which name its bucket, begin with this bit: see classBuckets
	bucket uint8
	rows   int
	packed []byte // the column's first rank and what follows; nil = the column has none
	step   int    // bytes from row to row
	mask   uint32 // of the bytes of a rank among the 4 from its first on
}

// mostBuckets is the number of buckets of a column at most.
const mostBuckets = 1 << 8

// joined is the number of columns up to which ranks are stored row by row, since most subtrees scan
// all of so few.
const joined = 512

// fill makes the ranks of rows in their order, in the memory that r has if that is what they take.
func (r *ranks) fill(sorted []sorting.Entry) {
	r.rows, r.known = len(sorted), uint32(sorting.Known(sorted))
	packed := r.packed
	if len(packed) != r.size(1) {
		packed = make([]byte, r.size(1))
	}
	r.allot(packed, 0, 1)
	rank := uint32(0)
	for i, e := range sorted {
		if i > 0 && sorted[i-1].Key != e.Key {
			rank = uint32(i)
		}
		r.set(e.Pos, rank)
	}
}

// bytes returns how many bytes a rank takes.
func (r *ranks) bytes() int {
	if r.rows <= 1<<24 {
		return 3
	}
	return 4
}

// size returns how many bytes the ranks of some columns take: as all are read 4 bytes at a time,
// one more than there are.
func (r *ranks) size(columns int) int { return r.rows*columns*r.bytes() + 1 }

// allot gives a column its place among some columns.
func (r *ranks) allot(packed []byte, column, columns int) {
	r.bucket = uint8(max(0, bits.Len(uint(r.rows-1))-bits.Len(mostBuckets-1)))
	r.mask = uint32(1<<(8*r.bytes()) - 1)
	r.packed, r.step = packed[column*r.bytes():], columns*r.bytes()
}

// of returns the rank of a row.
func (r *ranks) of(row uint32) uint32 {
	return binary.LittleEndian.Uint32(r.packed[int(row)*r.step:]) & r.mask
}

func (r *ranks) set(row, rank uint32) {
	to := r.packed[int(row)*r.step:]
	for i := range r.bytes() {
		to[i] = byte(rank >> (8 * i))
	}
}

// full reports whether all rows have a value.
func (r *ranks) full() bool { return int(r.known) == r.rows }

// reordered returns the ranks of rows in another order.
func (r *ranks) reordered(order []int32) ranks {
	other := *r
	if r.packed != nil {
		other.allot(make([]byte, r.size(1)), 0, 1)
		for to, from := range order {
			other.set(uint32(to), r.of(uint32(from)))
		}
	}
	return other
}

// rankStore is the ranks of all prepared rows in the columns of many values.
type rankStore struct {
	// of each column of the table; without memory where it has few values or categories
	columns []ranks
	joined  bool    // ranks lie row by row
	packed  []byte  // these ranks
	numeric []int32 // the columns with ranks
}

// join moves the ranks of the store's columns to where they lie row by row.
func (f *rankStore) join() {
	var numeric []int32
	var made []ranks
	for i := range f.columns {
		if r := f.columns[i]; r.packed != nil {
			numeric, made = append(numeric, int32(i)), append(made, r)
		}
	}
	if len(made) > 0 {
		f.layOut(numeric, made[0].rows)
		f.layDown(made, 0)
	}
}

// layOut allots memory for the ranks of some columns.
func (f *rankStore) layOut(numeric []int32, rows int) {
	n := len(numeric)
	f.numeric, f.joined = numeric, n > 0 && n <= joined
	if f.joined {
		r := ranks{rows: rows}
		f.packed = hugepage.Make(r.size(n))
	}
}

// layDown puts ranks that are made where they belong, from a place among the numeric columns on.
// They may be made again afterwards.
func (f *rankStore) layDown(made []ranks, at int) {
	columns := f.numeric[at : at+len(made)]
	if !f.joined {
		for i, column := range columns {
			f.columns[column], made[i] = made[i], ranks{}
		}
		return
	}
	for i, column := range columns {
		to := made[i]
		to.allot(f.packed, at+i, len(f.numeric))
		f.columns[column] = to
	}
	for from := 0; from < made[0].rows; from += growth.RowsAtOnce {
		for i, column := range columns {
			to := &f.columns[column]
			for row := from; row < min(from+growth.RowsAtOnce, made[i].rows); row++ {
				to.set(uint32(row), made[i].of(uint32(row)))
			}
		}
	}
}

// sorted returns some rows, which ascend, in the order of the column, with keys as a scan takes
// them.
func (r *ranks) sorted(s *scan.Scanner, class8 []uint8, rows []uint32) []sorting.Entry {
	out, t := s.Entries(len(rows)), s.Task
	shift, class := t.Shift, class8
	least, most := uint32(math.MaxUint32), uint32(0)
	for i, row := range rows {
		rank := r.of(row)
		least, most = min(least, rank), max(most, rank)
		if class != nil {
			row = row<<shift | uint32(class[row]) // the rows ascend, their ranks do not
		}
		out[i] = sorting.Entry{Key: rank, Pos: row}
	}
	out = s.RadixSort(out, least, most)
	for i, e := range out {
		key, row := t.MissingRank, e.Pos
		if e.Key < r.known {
			key = e.Key
		}
		if key <<= shift; class != nil {
			key |= row & (1<<shift - 1)
			row >>= shift
		} else if shift > 0 {
			key |= t.Pop.Class[row]
		}
		out[i] = sorting.Entry{Key: key, Pos: row}
	}
	return out
}

// partition puts the rows of ranks below a bound before the others, in order, and returns their
// number; with them go the missing values if missingFirst.
func (r *ranks) partition(p *growth.Partition, bound uint32, missingFirst bool, rows []uint32) int {
	known := r.known
	if !missingFirst {
		known = math.MaxInt32 // above every rank
	}
	rest := p.Scratch(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		first := goesFirst(r.of(row), bound, known)
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

// goesFirst returns 1 for a rank or place below a bound, or from known up. The difference wraps
// below zero there, and so shows in the highest bit.
func goesFirst(rank, bound, known uint32) int {
	return int((rank-bound)>>31 | (known-1-rank)>>31)
}

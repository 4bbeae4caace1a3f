package ranked

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// block is the rows of one small subtree with their order in the columns of the rank store. It fits
// into the processor's near caches, and no node is far smaller than it. A node's rows are put in
// the order of a column without comparing values: each row marks its place in the block's order in
// a set of bits, which is then read from its start.
//
//	row          0  1  2  3  4  5
//	value        7  2  2  9  -  5
//	place        3  0  1  4  5  2       a row's number in the block's order, missing values last
//	node         rows 0 2 5
//	bits         0 1 1 1 0 0            so the node's order is 2 5 0
type block struct {
	all     *rankStore
	rows    []uint32 // by row: the row of the store
	own     []uint32 // by row: its number
	columns []blockColumn
	marks   []uint64 // a set of places; empty between nodes
	growth.Partition
}

// blockColumn is a column of a block, which is made when a node first needs it.
type blockColumn struct {
	place []uint32        // by row
	known uint32          // rows with a value, whose places are below it
	order []sorting.Entry // by place; as the scan takes them
	made  bool
}

func newBlock(all *rankStore) *block {
	return &block{all: all, columns: make([]blockColumn, len(all.columns)),
		marks: make([]uint64, growth.SubtreeRows/64)}
}

// fill makes a block of some rows of the store. It copies their ranks, to be replaced by places
// when a column is made.
func (f *block) fill(rows []uint32) {
	f.rows = rows
	for len(f.own) < len(rows) {
		f.own = append(f.own, uint32(len(f.own)))
	}
	for i := range f.columns {
		f.columns[i].made = false
	}
	if !f.all.joined {
		return
	}
	for _, column := range f.all.numeric {
		c := &f.columns[column]
		c.place = slices.Grow(c.place[:0], len(rows))[:len(rows)]
	}
	for from := 0; from < len(rows); from += growth.RowsAtOnce {
		some := rows[from:min(from+growth.RowsAtOnce, len(rows))]
		for _, column := range f.all.numeric {
			r, place := &f.all.columns[column], f.columns[column].place[from:]
			for i, row := range some {
				place[i] = r.of(row)
			}
		}
	}
}

// fetch copies the ranks of one column where they do not lie row by row.
func (f *block) fetch(column int) {
	if f.all.joined {
		return
	}
	c, r := &f.columns[column], &f.all.columns[column]
	c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
	for i, row := range f.rows {
		c.place[i] = r.of(row)
	}
}

// column returns a column of the block, which it makes if that is not done yet.
func (f *block) column(s *scan.Scanner, column int) *blockColumn {
	c := &f.columns[column]
	if c.made {
		return c
	}
	c.made = true
	all, t := &f.all.columns[column], s.Task
	f.fetch(column)
	sorted := s.ByKey(c.place, 0, sorting.MissingRank, f.own[:len(c.place)])
	known := len(sorted)
	for known > 0 && sorted[known-1].Key >= all.known {
		known--
	}
	c.known = uint32(known)
	c.order = slices.Grow(c.order[:0], len(sorted))[:len(sorted)]
	class, shift := t.Pop.Class, t.Shift
	for i, e := range sorted {
		c.place[e.Pos] = uint32(i)
		key := t.MissingRank
		if i < known {
			key = e.Key
		}
		if key <<= shift; shift > 0 {
			key |= class[e.Pos]
		}
		c.order[i] = sorting.Entry{Key: key, Pos: e.Pos}
	}
	return c
}

// sorted returns a node's rows in the order of a column.
func (f *block) sorted(s *scan.Scanner, column int, rows []uint32) []sorting.Entry {
	c := f.column(s, column)
	if len(rows) <= insertionInBlock {
		return c.insertPlaces(s, rows)
	}
	out := s.Entries(len(rows))
	marks := f.marks[:(len(c.place)+63)/64]
	for _, row := range rows {
		p := c.place[row]
		marks[p>>6] |= 1 << (p & 63)
	}
	n := 0
	for i, w := range marks {
		for ; w != 0; w &= w - 1 {
			out[n] = c.order[i<<6+bits.TrailingZeros64(w)]
			n++
		}
		marks[i] = 0
	}
	return out
}

// insertionInBlock is the number of rows up to which they are put in order by insertion.
const insertionInBlock = 8

func (c *blockColumn) insertPlaces(s *scan.Scanner, rows []uint32) []sorting.Entry {
	var places [insertionInBlock]uint32
	for i, row := range rows {
		p, j := c.place[row], i
		for ; j > 0 && places[j-1] > p; j-- {
			places[j] = places[j-1]
		}
		places[j] = p
	}
	out := s.Entries(len(rows))
	for i := range out {
		out[i] = c.order[places[i]]
	}
	return out
}

// split puts the rows that a split sends first before the others and returns their number.
func (f *block) split(t *scan.Task, b *growth.Split, rows []uint32) int {
	c := &f.columns[b.Feature]
	bound := uint32(sort.Search(int(c.known),
		func(i int) bool { return c.order[i].Key>>t.Shift > b.Rank }))
	return f.byPlaces(c, bound, b.MissingFirst(), rows)
}

// byPlaces puts the rows of places below a bound, and the missing ones if missingFirst, before the
// others, in order, and returns their number.
func (f *block) byPlaces(c *blockColumn, bound uint32, missingFirst bool, rows []uint32) int {
	known, place := c.known, c.place
	if !missingFirst {
		known = math.MaxInt32 // above every place
	}
	rest := f.Scratch(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		first := goesFirst(place[row], bound, known)
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

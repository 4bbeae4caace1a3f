package exact

import (
	"math"
	"math/bits"
	"sort"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// A frame is a set of rows with the order of their values in every column. All prepared rows are one frame; the rows of a
// subtree that is small enough become a frame of their own, which fits into the processor's near caches and in which
// no node is far smaller than the frame. A column is put in order in a node without comparing values: each row marks its
// place in the frame's order in a set of bits, which is then read from its start.
//
//	row          0  1  2  3  4  5
//	value        7  2  2  9  -  5
//	place        3  0  1  4  5  2       a row's number in the frame's order, missing values last
//	node         rows 0 2 5
//	bits         0 1 1 1 0 0            so the node's order is 2 5 0
type frame struct {
	rows    []uint32 // by row: row of the frame above; nil in the frame of all prepared rows
	columns []frameColumn
	byRow   []uint32 // all rows: places of the numeric columns, row after row; nil if the columns are many
	numeric []int32  // all rows: the numeric columns
}

// frameColumn is a column of a frame; that of a subtree is made when a node first looks at it.
type frameColumn struct {
	place  []uint32 // numeric: by row
	bucket []uint8  // numeric, all rows: by row, the bucket of its value; nil = there are none, see bucketing
	known  uint32   // numeric: rows with a value, whose places are below it
	order  []entry  // numeric, subtrees: by place; as the scan wants them
	ready  bool     // subtrees: order is made
	ties   ties     // numeric, all rows
}

// byRowColumns is the number of columns up to which places are kept row by row too: the rows of a subtree then cost a few
// lines of the cache each, not one for every column. byRowPlaces is the number of places up to which they are: it doubles what a
// table takes, and of a large one each subtree looks at most lines of the cache anyway.
const (
	byRowColumns = 512
	byRowPlaces  = 1 << 23
)

// ties tells which places hold equal values, 64 places a word:
//
//	value    2 2 2 5 7 7
//	starts   1 0 0 1 1 0      a value differs from the one before
//	first    0 0 0 3 4 4      the place of the first equal value
type ties []tieWord

type tieWord struct {
	starts uint64
	open   uint32 // first of the place before the word
}

// first returns the place of the first value that equals the one at a place. nil: all values differ.
func (t ties) first(place uint32) uint32 {
	if t == nil {
		return place
	}
	w := &t[place>>6]
	if up := w.starts & (2<<(place&63) - 1); up != 0 {
		return place&^63 + uint32(bits.Len64(up)) - 1
	}
	return w.open
}

// frameRows is the number of rows up to which a subtree gets a frame of its own.
const frameRows = 1 << 11

// framed is the store of a frame.
type framed struct {
	frame
	all *frame // subtrees: the frame of all prepared rows; nil there
}

// bound returns how many rows of the frame go first in a split, by their places.
func (f *framed) bound(g *grower, b *split) uint32 {
	c := &f.columns[b.feature]
	if f.all != nil {
		return uint32(sort.Search(int(c.known), func(i int) bool { return c.order[i].Key>>g.shift > b.rank }))
	}
	return uint32(sort.Search(int(c.known), func(i int) bool { return c.ties.first(uint32(i)) > b.rank }))
}

// order puts a node's rows in the order of a column.
func (f *framed) order(s *scanner, nd *node, column int) []entry {
	c := f.look(s, column)
	if f.all == nil {
		return s.orderAll(c, nd.list)
	}
	if len(nd.list) <= insertionInFrame {
		return s.insertPlaces(c, nd.list)
	}
	out := s.room(len(nd.list))
	marks := s.marks[:(len(c.place)+63)/64]
	for _, row := range nd.list {
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

// insertionInFrame is the number of rows up to which they are put in order by insertion.
const insertionInFrame = 8

func (s *scanner) insertPlaces(c *frameColumn, rows []uint32) []entry {
	var places [insertionInFrame]uint32
	for i, row := range rows {
		p, j := c.place[row], i
		for ; j > 0 && places[j-1] > p; j-- {
			places[j] = places[j-1]
		}
		places[j] = p
	}
	out := s.room(len(rows))
	for i := range out {
		out[i] = c.order[places[i]]
	}
	return out
}

// entryAt makes the entry of a row whose place among all rows is given. Its rank is the first place of its value.
func (g *grower) entryAt(c *frameColumn, place, row uint32) entry {
	rank := g.missing
	if place < c.known {
		rank = c.ties.first(place)
	}
	key := rank << g.shift
	if g.shift > 0 {
		key |= g.classOf(row)
	}
	return entry{Key: key, Pos: row}
}

func (g *grower) classOf(row uint32) uint32 {
	if g.class8 != nil {
		return uint32(g.class8[row])
	}
	return g.pop.Class[row]
}

// orderAll is order in the frame of all rows. Where rows are few among the places, a second set of bits tells which words of
// the first are not empty.
func (s *scanner) orderAll(c *frameColumn, rows []uint32) []entry {
	if len(s.at) < len(c.place) {
		s.at, s.marks = make([]uint32, len(c.place)), make([]uint64, (len(c.place)+63)/64)
		s.marked = make([]uint64, (len(s.marks)+63)/64)
	}
	marks, at, few := s.marks, s.at, len(rows) < len(c.place)/64
	if few {
		for _, row := range rows {
			p := c.place[row] >> 6
			s.marked[p>>6] |= 1 << (p & 63)
		}
	}
	shift, class := s.g.shift, s.g.class8
	for _, row := range rows {
		p := c.place[row]
		marks[p>>6] |= 1 << (p & 63)
		if at[p] = row; class != nil {
			at[p] = row<<shift | uint32(class[row]) // the rows ascend, their places do not
		}
	}
	out := s.room(len(rows))
	if !few {
		rest := out
		for i, w := range marks {
			if w != 0 {
				marks[i] = 0
				rest = s.enter(rest, c, i, w)
			}
		}
		return out
	}
	rest := out
	for i, m := range s.marked {
		for ; m != 0; m &= m - 1 {
			j := i<<6 + bits.TrailingZeros64(m)
			w := marks[j]
			marks[j] = 0
			rest = s.enter(rest, c, j, w)
		}
		s.marked[i] = 0
	}
	return out
}

// enter makes the entries of the places in one word of marks and returns what is left of out.
func (s *scanner) enter(out []entry, c *frameColumn, word int, marks uint64) []entry {
	shift, packed := s.g.shift, s.g.class8 != nil
	n := 0
	for ; marks != 0; marks &= marks - 1 {
		p := uint32(word<<6 + bits.TrailingZeros64(marks))
		row := s.at[p]
		if !packed {
			out[n] = s.g.entryAt(c, p, row)
			n++
			continue
		}
		rank := s.g.missing
		if p < c.known {
			rank = c.ties.first(p)
		}
		out[n] = entry{Key: rank<<shift | row&(1<<shift-1), Pos: row >> shift}
		n++
	}
	return out[n:]
}

// divide carries out a split: rows that go first are those of places below a bound, and with them those of missing values if
// the split says so.
func (f *framed) divide(g *grower, nd *node) []*node {
	b := &nd.best
	c := &g.columns[b.feature]
	if c.code != nil {
		return g.parts(nd, g.partCodes(c.code, b, g.prepared.columns[b.feature].levels, nd.list))
	}
	if c.few != nil {
		return g.parts(nd, g.partFew(c.few, b, len(g.prepared.columns[b.feature].values), nd.list))
	}
	col := &f.columns[b.feature]
	bound, known := f.bound(g, b), col.known
	if col.bucket != nil {
		return g.parts(nd, g.partBuckets(col, bound, nd.list))
	}
	if !b.missingFirst() {
		known = math.MaxInt32 // above every place
	}
	return g.parts(nd, g.partPlaces(col.place, bound, known, nd.list))
}

// partPlaces puts the rows of places below a bound, and those from known up, before the others, in order, and returns their
// number.
func (g *grower) partPlaces(place []uint32, bound, known uint32, rows []uint32) int {
	rest := g.room(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		p := place[row]
		// The difference wraps below zero, and so shows in the highest bit, where the place is below the bound, or from
		// known up.
		first := int((p-bound)>>31 | (known-1-p)>>31)
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

func (f *framed) settle(*grower, *node, int) {}

// missingFirst reports whether rows without a value go first.
func (b *split) missingFirst() bool {
	return b.missing == tree.MissingFirst || b.missing == tree.MissingMajority && b.shares[0] >= b.shares[1]
}

// placeColumn makes the frame column of all rows from their order.
func placeColumn(c *column) frameColumn {
	f := frameColumn{place: make([]uint32, len(c.sorted))}
	for i, e := range c.sorted {
		f.place[e.Pos] = uint32(i)
		if e.Key != missingRank {
			f.known++
		}
	}
	if f.known > 0 && c.sorted[f.known-1].Key < f.known-1 {
		f.ties = newTies(c.sorted[:f.known])
	}
	f.setBuckets()
	return f
}

func newTies(sorted []entry) ties {
	t := make(ties, (len(sorted)+63)/64)
	open := uint32(0)
	for i, e := range sorted {
		w := &t[i>>6]
		if i&63 == 0 {
			w.open = open
		}
		if i == 0 || sorted[i-1].Key != e.Key {
			w.starts |= 1 << (i & 63)
			open = uint32(i)
		}
	}
	return t
}

// setRows copies the places row by row.
func (f *frame) setRows(rows int) {
	for i := range f.columns {
		if f.columns[i].place != nil {
			f.numeric = append(f.numeric, int32(i))
		}
	}
	if len(f.numeric) <= byRowColumns && rows*len(f.numeric) <= byRowPlaces {
		f.byRow = rowByRow(rows, f.numeric, func(column int32) []uint32 { return f.columns[column].place })
	}
}

// spread returns a population whose rows are all prepared rows, of which it leaves those out that the given one lacks.
func (p *Prepared) spread(pop *grow.Population) *grow.Population {
	place := p.places(pop.Rows)
	if place == nil {
		return pop
	}
	all := &grow.Population{Rows: p.rows, Classes: pop.Classes, Count: make([]uint32, len(p.rows)), Class: room(pop.Class, p.rows),
		Weight: room(pop.Weight, p.rows), Case: room(pop.Case, p.rows), Y: room(pop.Y, p.rows)}
	for to, from := range place {
		if from < 0 {
			continue
		}
		all.Count[to] = uint32(pop.Multiplicity(int(from)))
		move(all.Class, pop.Class, to, from)
		move(all.Weight, pop.Weight, to, from)
		move(all.Case, pop.Case, to, from)
		move(all.Y, pop.Y, to, from)
	}
	return all
}

// room returns zeros for as many rows as like, nil where there are no values.
func room[T any](values []T, like []int32) []T {
	if values == nil {
		return nil
	}
	return make([]T, len(like))
}

func move[T any](dst, src []T, to int, from int32) {
	if dst != nil {
		dst[to] = src[from]
	}
}

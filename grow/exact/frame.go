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
// no node is far smaller than the frame. In a subtree, a column is put in order in a node without comparing values: each row marks its
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
	joined  bool    // all rows: ranks lie row by row
	packed  []byte  // all rows: these ranks
	numeric []int32 // all rows: the columns with ranks
}

// frameColumn is a column of a frame; that of a subtree is made when a node first looks at it.
type frameColumn struct {
	ranks ranks    // numeric, all rows
	place []uint32 // numeric, subtrees: by row
	known uint32   // numeric, subtrees: rows with a value, whose places are below it
	order []entry  // numeric, subtrees: by place; as the scan wants them
	ready bool     // subtrees: order is made
}

// frameRows is the number of rows up to which a subtree gets a frame of its own.
const frameRows = 1 << 11

// framed is the store of a frame.
type framed struct {
	frame
	all *frame // subtrees: the frame of all prepared rows; nil there
}

// order puts a node's rows in the order of a column.
func (f *framed) order(s *scanner, nd *node, column int) []entry {
	c := f.look(s, column)
	if f.all == nil {
		return c.ranks.order(s, nd.list)
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

// divide carries out a split: rows that go first are those of ranks or places below a bound, and with them those of missing values if
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
	if f.all == nil {
		bound := b.next
		if bound == missingRank {
			bound = col.ranks.known
		}
		return g.parts(nd, col.ranks.part(g, bound, b.missingFirst(), nd.list))
	}
	bound := uint32(sort.Search(int(col.known), func(i int) bool { return col.order[i].Key>>g.shift > b.rank }))
	known := col.known
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
		first := goesFirst(place[row], bound, known)
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

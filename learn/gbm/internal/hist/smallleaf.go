package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// A leaf of few rows has few rows away from the most frequent bin of most listed columns. A split
// has these on one of its sides, or some of them. So a column of fewer than MinLeaf such rows
// splits no leaf, and nor does it below. The histogram of the leaf is made without the cells of
// these columns. The sums of the leaf's rows are taken out of the histogram of the leaf above one
// by one. So a leaf takes time in proportion to what is listed of its rows, not to all cells:
//
//	cells of all columns     other groups | a a a a . . . . | b b b . | c c c c c c . . | d d d d
//	cells of a few columns   other groups | overlap of a, b and d | c c c c c c . .

// listedLayout is the listed columns of a matrix, numbered in the order of their places.
type listedLayout struct {
	number []int32  // of each group of the matrix; -1: it is not listed
	column []uint32 // number by line of places
	at     []int32  // first place
	bins   []int32  // places
	away   []int32  // rows that are not in the most frequent bin
	places float64  // mean number of places that a row lists
}

// overlap is the number of cells where the sums of all columns go that a histogram is without.
const overlap = 256

func layListed(m *bins.Matrix) listedLayout {
	l := listedLayout{number: make([]int32, len(m.Groups)),
		column: make([]uint32, m.Places/bins.PlaceLine)}
	for i := range m.Groups {
		g := &m.Groups[i]
		if l.number[i] = -1; !g.Listed {
			continue
		}
		k := len(l.at)
		l.number[i] = int32(k)
		n := 0
		for j := range m.Blocks {
			n += len(m.Blocks[j].Codes[i].List.Rows)
		}
		l.at, l.bins = append(l.at, int32(g.At)), append(l.bins, int32(g.Codes))
		l.away = append(l.away, int32(n))
		for line := g.At / bins.PlaceLine; bins.PlaceLine*line < g.At+g.Codes; line++ {
			l.column[line] = uint32(k)
		}
		l.places += float64(n) / float64(max(1, m.Len()))
	}
	return l
}

// fewPlaces is the greatest number of places that the rows of a leaf list, about, for which it is
// counted of which columns they are. More rows are added by several workers.
const fewPlaces = 1 << 18

// mayBeFew reports whether it pays to count, for some rows, how many places they list of each
// column: where most columns may have fewer than least.
func (b *builder) mayBeFew(rows int) bool {
	l := &b.tables.lay.listed
	if len(l.at) == 0 || b.pool.double || len(b.sums) > 1 || b.ranks.several() {
		return false
	}
	places := float64(rows) * l.places
	return places <= fewPlaces && places <= 4*float64(b.leastAway)*float64(len(l.at))
}

// fillFew is fillChildren where the smaller child has few rows and the histogram of the leaf was
// kept. The child's histogram has the cells of those listed columns only that may split it; of
// none if it is not split at all.
func (b *builder) fillFew(l *open, rows *rowOrder, split bool) {
	small, large := l.bySize()
	h, of := b.pool.takeFew(), rows.of(small)
	lists := &b.tables.lay.listed
	h.away = resize(h.away, len(lists.at))
	clear(h.away)
	if split {
		b.eachList(of, func(a *kernel.AddLists, rows []int32) {
			a.Count(h.away, lists.column, rows)
		})
	}
	b.pool.resizeFew(h, b.tables.lay.lists+overlap+h.move(lists, b.leastAway))
	clear(h.packed)
	b.addCodes(h, 0, of)
	b.splitJoints(h, 0)
	if split {
		b.addLists(h, 0, of)
	}
	small.hist, large.hist, l.hist = h, l.hist, nil
	b.takeOut(large.hist, h, of)
}

// move gives the columns of at least some rows their cells, and returns how many these are.
func (h *histogram) move(l *listedLayout, least int32) int {
	h.moved = resize(h.moved, len(l.at))
	cells := int32(0)
	for k, n := range h.away {
		if n < least {
			h.moved[k] = -l.at[k]
			continue
		}
		h.moved[k] = overlap + cells - l.at[k]
		cells += (l.bins[k] + bins.PlaceLine - 1) &^ (bins.PlaceLine - 1)
	}
	return int(cells)
}

// eachList calls f for the lists of each block, with those of the rows that are in it.
func (b *builder) eachList(rows []int32, f func(a *kernel.AddLists, rows []int32)) {
	m := b.tables.m
	for i := range m.Blocks {
		if of := &m.Blocks[i]; len(of.Lists.Places) > 0 {
			f(&kernel.AddLists{Start: of.Lists.Start, Places: of.Lists.Places},
				of.Local(m.RowsIn(i, rows)))
		}
	}
}

// takeOut makes h the histogram of its rows without some of them, whose histogram of fewer columns
// is given.
func (b *builder) takeOut(h, few *histogram, rows []int32) {
	lists := b.tables.lay.lists
	kernel.SubtractWords(h.packed[:lists], few.packed[:lists])
	for k, n := range few.away[:len(h.away)] {
		h.away[k] -= n
	}
	m, by := b.tables.m, kernel.Moves{Column: b.tables.lay.listed.column, By: h.moved}
	for i := range m.Blocks {
		of := &m.Blocks[i]
		if len(of.Lists.Places) == 0 {
			continue
		}
		a := kernel.AddLists{Cells: h.packed[lists:], Start: of.Lists.Start,
			Places: of.Lists.Places, Words: b.sums[0].packed[of.First:]}
		if own := of.Local(m.RowsIn(i, rows)); h.few() {
			a.SubtractMoved(&by, own)
		} else {
			a.Subtract(own)
		}
	}
}

// at returns the first cell of a column's group.
func (h *histogram) at(l *layout, c *bins.Column) uint32 {
	at := l.at[c.Group]
	if c.Listed && h.few() {
		return uint32(int32(at) + h.moved[l.listed.number[c.Group]])
	}
	return at
}

// splits reports whether a column may split a leaf: false if too few of its rows are away from the
// column's most frequent bin.
func (e *engine) splits(l *open, column int32) bool {
	c := &e.tables.m.Columns[column]
	if !c.Listed || len(l.hist.away) == 0 {
		return true
	}
	return l.hist.away[e.tables.lay.listed.number[c.Group]] >= e.hist.leastAway
}

// leastAway returns the number of rows away from its most frequent bin that a column needs to split
// a leaf. LightGBM does not count rows.
func (c *Config) leastAway() int32 {
	if c.Conventions == LightGBM {
		return 1
	}
	return int32(max(1, c.MinLeaf))
}

// few reports whether the histogram is without the cells of some listed columns.
func (h *histogram) few() bool { return len(h.moved) > 0 }

package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
)

// A leaf of few rows has few rows away from the most frequent bin of most listed columns. A split
// has these on one of its sides, or some of them. So a column of fewer than MinLeaf such rows
// splits no leaf, and nor does it below. The histogram of the leaf is made without the cells of
// these columns. The sums of the leaf's rows are taken out of the histogram of the leaf above one
// by one. So a leaf takes time in proportion to what is listed of its rows, not to all cells:
//
//	cells of all columns     other groups | a a a a . . . . | b b b . | c c c c c c . . | d d d d
//	cells of a few columns   other groups | overlap of a, b and d | c c c c c c . .

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
func (b *builder) fillFew(l *open, split bool) {
	small, large := l.bySize()
	h, of := b.pool.takeFew(), b.rows.of(small)
	lists := &b.tables.lay.listed
	h.away = resize(h.away, len(lists.at))
	clear(h.away)
	if split {
		b.eachList(of, func(a kernel.AddLists, _ int32, own []int32) {
			a.Count(h.away, lists.column, own)
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

// takeOut makes h the histogram of its rows without some of them, whose histogram of fewer columns
// is given.
func (b *builder) takeOut(h, few *histogram, rows []int32) {
	lists := b.tables.lay.lists
	kernel.SubtractWords(h.packed[:lists], few.packed[:lists])
	for k, n := range few.away[:len(h.away)] {
		h.away[k] -= n
	}
	by := kernel.Moves{Column: b.tables.lay.listed.column, By: h.moved}
	b.eachList(rows, func(a kernel.AddLists, first int32, own []int32) {
		a.Cells, a.Words = h.packed[lists:], b.sums[0].packed[first:]
		if h.few() {
			a.SubtractMoved(&by, own)
		} else {
			a.Subtract(own)
		}
	})
}

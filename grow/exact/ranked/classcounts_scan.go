package ranked

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// What classCounts judges candidates by: with N rows in the node and s the sum of a set's squared
// class counts, a split is best that makes the most of
//
//	s / n + s' / (N - n)
//
// and for two classes, with K rows of class 1 in the node and l of them among the n that go first,
// of d^2 / (n (N - n)), where d = l N - n K. Both are compared without a division.

// classCount counts the rows of a class: those of the node, and those that go first.
type classCount struct{ all, first int64 }

// others returns the sums of the rows of the node that are not in a set. cross is the sum of the
// products of the class counts of node and set; for two classes it does not matter.
func (l *classCounts) others(s sums, cross int64) sums {
	all := &l.nd.sums
	if l.ones {
		return sums{all.rows - s.rows, all.side - s.side}
	}
	return sums{all.rows - s.rows, all.side - 2*cross + s.side}
}

// offerOnes offers a candidate of two classes: the sum of the cells that go first, of which at
// ranks, categories or entries are. It reports whether it is the best so far.
func (l *classCounts) offerOnes(cell uint64, at int, missing tree.Missing) bool {
	first := sums{int64(uint32(cell)), int64(cell >> 32)}
	all, least := &l.nd.sums, int64(l.sub.Limits.MinLeaf)
	last := all.rows - first.rows
	if first.rows < least || last < least {
		return false
	}
	d := float64(first.side*all.rows - first.rows*all.side)
	num, den := d*d, float64(first.rows)*float64(last)
	if !(num > float64(l.limit*den)) {
		return false
	}
	l.limit = num/den + float64(float64(l.tie/2)*float64(all.rows))
	l.cut.first, l.cut.last, l.cut.at, l.cut.missing = first, sums{last, all.side - first.side}, at, missing
	return true
}

// sumCells sums the cells of the node's rows by rank or code and returns those that occur.
func (l *classCounts) sumCells(bytes []uint8, values uint32) (seen rankSet) {
	table, cells := &l.table, l.cells
	if values < 64 {
		one := uint64(0)
		for _, row := range l.rows {
			r := bytes[row]
			table[r] += cells[row]
			one |= 1 << (r & 63)
		}
		seen[0] = one
		return seen
	}
	for _, row := range l.rows {
		r := bytes[row]
		table[r] += cells[row]
		seen[r>>6] |= 1 << (r & 63)
	}
	return seen
}

// takeMissing takes the missing values out of what was summed.
func (l *classCounts) takeMissing(seen *rankSet, values uint32) (cell uint64) {
	seen[values>>6] &^= 1 << (values & 63)
	cell, l.table[values] = l.table[values], 0
	l.cut.places = cell != 0
	return cell
}

// scanOnes looks for the best cut of a column of few values, for two classes.
func (l *classCounts) scanOnes(bytes []uint8, values uint32) {
	seen := l.sumCells(bytes, values)
	missing := l.takeMissing(&seen, values)
	cell, at, before := uint64(0), 0, uint32(0)
	for i, w := range seen {
		for ; w != 0; w &= w - 1 {
			rank := uint32(i<<6 + bits.TrailingZeros64(w))
			if at > 0 {
				if missing != 0 && l.offerOnes(cell+missing, at, tree.MissingFirst) {
					l.cut.rank, l.cut.next = before, rank
				}
				if l.offerOnes(cell, at, tree.MissingLast) {
					l.cut.rank, l.cut.next = before, rank
				}
			}
			cell += l.table[rank]
			l.table[rank] = 0
			before = rank
			at++
		}
	}
	if missing != 0 && at > 0 && l.offerOnes(cell, at, tree.MissingLast) {
		l.cut.rank, l.cut.next = before, sorting.MissingRank
	}
}

// scanOrderOnes looks for the best cut of a column in order, for two classes and rows that all have
// a value.
func (l *classCounts) scanOrderOnes(known []sorting.Entry) {
	l.cut.places = false
	all, ones, least := l.nd.sums.rows, l.nd.sums.side, int64(l.sub.Limits.MinLeaf)
	grows := [2]int64{-ones, all - ones}
	limit, tie := l.limit, float64(float64(l.tie/2)*float64(all))
	cells := l.cells
	rows, d, best, bestRows, bestD := int64(0), int64(0), 0, int64(0), int64(0)
	for i := range len(known) - 1 {
		e := known[i]
		k := int64(uint32(cells[e.Pos]))
		rows += k
		d += k * grows[e.Key&1]
		if (e.Key^known[i+1].Key)>>1 == 0 || rows < least {
			continue
		}
		if rows > all-least {
			break
		}
		f := float64(d)
		if num, den := f*f, float64(rows)*float64(all-rows); num > float64(limit*den) {
			limit = num/den + tie
			best, bestRows, bestD = i+1, rows, d
		}
	}
	if best == 0 {
		return
	}
	side := (bestD + bestRows*ones) / all
	l.cut.at, l.cut.missing, l.cut.first, l.cut.last = best, tree.MissingLast, sums{bestRows, side}, sums{all - bestRows, ones - side}
	l.setRanks(known)
}

// setRanks sets the ranks on both sides of a cut of a column in order.
func (l *classCounts) setRanks(known []sorting.Entry) {
	c := &l.cut
	c.rank, c.next = known[c.at-1].Key>>l.s.Task.Shift, sorting.MissingRank
	if c.at < len(known) {
		c.next = known[c.at].Key >> l.s.Task.Shift
	}
}

// scanGapsOnes is scanOrderOnes for a node that has missing values.
func (l *classCounts) scanGapsOnes(known, unknown []sorting.Entry) {
	l.cut.places = true
	missing := uint64(0)
	for _, e := range unknown {
		missing += l.cells[e.Pos]
	}
	cell := uint64(0)
	for i, e := range known {
		if i > 0 && known[i-1].Key>>1 != e.Key>>1 {
			l.offerOnes(cell+missing, i, tree.MissingFirst)
			l.offerOnes(cell, i, tree.MissingLast)
		}
		cell += l.cells[e.Pos]
	}
	if len(known) > 0 {
		l.offerOnes(cell, len(known), tree.MissingLast)
	}
	if l.cut.at > 0 {
		l.setRanks(known)
	}
}

// category is a category that occurs in a node.
type category struct {
	score float64 // share of class 1
	cell  uint64
	code  uint32
}

// sortedUpTo is the number of categories up to which they are sorted by insertion.
const sortedUpTo = 24

// scanCodes looks for the best set of categories, for two classes: the best is the first of them in
// order of their share of class 1, see scanCategories.
func (l *classCounts) scanCodes(bytes []uint8, levels uint32) {
	seen := l.sumCells(bytes, levels)
	missing := l.takeMissing(&seen, levels)
	cats := l.cats[:0]
	byCode := l.s.Task.Subsets.UpTo > 0 && int(levels) > l.s.Task.Subsets.UpTo
	for i, w := range seen {
		for ; w != 0; w &= w - 1 {
			code := uint32(i<<6 + bits.TrailingZeros64(w))
			cell := l.table[code]
			l.table[code] = 0
			cats = append(cats, category{float64(cell>>32) / float64(uint32(cell)), cell, code})
		}
	}
	l.cats = cats
	switch {
	case byCode:
	case len(cats) > sortedUpTo:
		slices.SortFunc(cats, func(a, b category) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.code, b.code)) })
	default:
		for i := 1; i < len(cats); i++ {
			c, j := cats[i], i
			for ; j > 0 && cats[j-1].score > c.score; j-- {
				cats[j] = cats[j-1]
			}
			cats[j] = c
		}
	}
	cell := uint64(0)
	for i := range cats {
		if i > 0 {
			if missing != 0 {
				l.offerOnes(cell+missing, i, tree.MissingFirst)
			}
			l.offerOnes(cell, i, tree.MissingLast)
		}
		cell += cats[i].cell
	}
	if missing != 0 && len(cats) > 0 {
		l.offerOnes(cell, len(cats), tree.MissingLast)
	}
}

// takeCodes makes the column's best set of categories the node's best candidate.
func (l *classCounts) takeCodes(feature int32, levels uint32) {
	b := &l.best
	l.take(feature)
	b.kind, b.goes, b.levels = tree.SetFirst, rankSet{}, levels
	for _, c := range l.cats[:b.at] {
		b.goes.add(c.code)
	}
	b.all = rankSet{}
	for _, c := range l.cats {
		b.all.add(c.code)
	}
	if b.places && b.missing == tree.MissingFirst {
		b.goes.add(levels)
	}
}

// setCodes sets the set of a split: the categories of the lighter side, see categorySplit.
func (l *classCounts) setCodes(s *tree.Split) {
	b := &l.best
	last := b.first.rows >= b.last.rows
	if s.Kind = tree.SetFirst; last {
		s.Kind = tree.SetLast
	}
	words := 0
	for i := range b.set {
		b.set[i] = b.goes[i]
		if last {
			b.set[i] = b.all[i] &^ b.goes[i]
		}
		if i == int(b.levels>>6) {
			b.set[i] &^= 1 << (b.levels & 63)
		}
		if b.set[i] != 0 {
			words = i + 1
		}
	}
	s.Set = b.set[:words]
}

// scanRanks looks for the best cut of a column of few values that is not counted in a table, for
// more than two classes. It reports false, and does nothing, if the node has missing values there.
//
// The rows of each rank are a list: next leads from one to the other.
func (l *classCounts) scanRanks(bytes []uint8, values uint32) bool {
	heads, next := &l.heads, l.next
	var seen rankSet
	if values < 64 {
		one := uint64(0)
		for _, row := range l.rows {
			r := bytes[row]
			next[row] = heads[r]
			heads[r] = uint16(row) + 1
			one |= 1 << (r & 63)
		}
		seen[0] = one
	} else {
		for _, row := range l.rows {
			r := bytes[row]
			next[row] = heads[r]
			heads[r] = uint16(row) + 1
			seen[r>>6] |= 1 << (r & 63)
		}
	}
	if heads[values] != 0 {
		clear(heads[:values+1])
		return false
	}
	l.countRows()
	l.cut.places = false
	cells, tally := l.cells, l.tally
	s, cross, at, before := sums{}, int64(0), 0, uint32(0)
	for i, w := range seen {
		for ; w != 0; w &= w - 1 {
			rank := uint32(i<<6 + bits.TrailingZeros64(w))
			if at > 0 && l.offer(s, cross, at) {
				l.cut.rank, l.cut.next = before, rank
			}
			row := heads[rank]
			heads[rank] = 0
			for row != 0 {
				c := cells[row-1]
				row = next[row-1]
				k, t := int64(c>>32), &tally[uint8(c)]
				s.side += k * (2*t.first + k)
				cross += k * t.all
				t.first += k
				s.rows += k
			}
			before = rank
			at++
		}
	}
	l.forgetFirst()
	return true
}

// forgetFirst makes no row go first.
func (l *classCounts) forgetFirst() {
	if len(l.rows) < len(l.tally) {
		for _, row := range l.rows {
			l.tally[uint8(l.cells[row])].first = 0
		}
		return
	}
	for i := range l.tally {
		l.tally[i].first = 0
	}
}

// offer offers a candidate of more than two classes: the sums of the rows that go first, with their
// cross sum, of which at ranks or entries are. It reports whether it is the best so far.
func (l *classCounts) offer(first sums, cross int64, at int) bool {
	all, least := &l.nd.sums, int64(l.sub.Limits.MinLeaf)
	last := sums{all.rows - first.rows, all.side - 2*cross + first.side}
	if first.rows < least || last.rows < least {
		return false
	}
	n, m := float64(first.rows), float64(last.rows)
	num := float64(float64(first.side)*m) + float64(float64(last.side)*n)
	den := n * m
	if !(num > float64(l.limit*den)) {
		return false
	}
	l.limit = num/den + l.tie
	l.cut.first, l.cut.last, l.cut.at, l.cut.missing = first, last, at, tree.MissingLast
	return true
}

// scanOrder looks for the best cut of a column in order, for more than two classes and rows that
// all have a value.
func (l *classCounts) scanOrder(known []sorting.Entry) {
	l.countRows()
	l.cut.places = false
	shift := l.s.Task.Shift
	s, cross := sums{}, int64(0)
	for i, e := range known {
		if i > 0 && known[i-1].Key>>shift != e.Key>>shift {
			l.offer(s, cross, i)
		}
		c := l.cells[e.Pos]
		k, t := int64(c>>32), &l.tally[uint8(c)]
		s.side += k * (2*t.first + k)
		cross += k * t.all
		t.first += k
		s.rows += k
	}
	l.forgetFirst()
	if l.cut.at > 0 {
		l.setRanks(known)
	}
}

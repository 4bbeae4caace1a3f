package ranked

import (
	"cmp"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
	"math/bits"
	"slices"
)

// fewJudge scans the columns of few values and of few categories, of which each row has a byte.
type fewJudge struct {
	*giniJudge
	// two classes: sum of cells by rank or code; zero between columns
	table [sorting.FewValues + 1]uint64
	cats  []category // two classes
	// more classes: by rank: a row + 1; two classes, orderTies: places; zero between columns
	heads [sorting.FewValues + 1]uint16
	// more classes: by row: another row of its rank + 1, 0 if there is none
	next []uint16
}

// category is a category that occurs in a node.
type category struct {
	score float64 // fraction of class 1
	cell  uint64
	code  uint32
}

// sortedUpTo is the number of categories up to which they are sorted by insertion.
const sortedUpTo = 24

// sumCells sums the cells of the node's rows by rank or code and returns those that occur.
func (l *fewJudge) sumCells(bytes []uint8) (seen rankSet) {
	table, cells := &l.table, l.cells
	for _, row := range l.rows {
		r := bytes[row]
		table[r] += cells[row]
		seen[r>>6] |= 1 << (r & 63)
	}
	return seen
}

// takeMissing takes the missing values out of what was summed.
func (l *fewJudge) takeMissing(seen *rankSet, values uint32) (cell uint64) {
	seen[values>>6] &^= 1 << (values & 63)
	cell, l.table[values] = l.table[values], 0
	l.current.places = cell != 0
	return cell
}

// scanOnes finds the best split point of a column of few values, for two classes.
func (l *fewJudge) scanOnes(bytes []uint8, values uint32) {
	seen := l.sumCells(bytes)
	missing := l.takeMissing(&seen, values)
	cell, at, before := uint64(0), 0, uint32(0)
	for i, w := range seen {
		for ; w != 0; w &= w - 1 {
			rank := uint32(i<<6 + bits.TrailingZeros64(w))
			if at > 0 {
				if missing != 0 && l.offerOnes(cell+missing, at, tree.MissingFirst) {
					l.current.rank, l.current.next = before, rank
				}
				if l.offerOnes(cell, at, tree.MissingLast) {
					l.current.rank, l.current.next = before, rank
				}
			}
			cell += l.table[rank]
			l.table[rank] = 0
			before = rank
			at++
		}
	}
	if missing != 0 && at > 0 && l.offerOnes(cell, at, tree.MissingLast) {
		l.current.rank, l.current.next = before, sorting.MissingRank
	}
}

// scanCodes looks for the best set of categories, for two classes: the best is the first of them in
// order of their fraction of class 1, see scan.Categories.
func (l *fewJudge) scanCodes(bytes []uint8, levels uint32, byCode bool) {
	seen := l.sumCells(bytes)
	missing := l.takeMissing(&seen, levels)
	cats := l.cats[:0]
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
		slices.SortFunc(cats,
			func(a, b category) int {
				return cmp.Compare(a.score, b.score)
			})
	default:
		for i := 1; i < len(cats); i++ {
			c, j := cats[i], i
			for ; j > 0 && cats[j-1].score > c.score; j-- {
				cats[j] = cats[j-1]
			}
			cats[j] = c
		}
	}
	if !byCode {
		l.orderTies(bytes, levels)
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

// orderTies puts categories of one score into the order of scan.Categories.SortByRows. That matters
// where all have one score, or where the best set may be too small for a child.
func (l *fewJudge) orderTies(bytes []uint8, levels uint32) {
	cats := l.cats
	n := len(cats)
	if n < 2 || l.least == 1 && cats[0].score != cats[n-1].score {
		return
	}
	ties := false
	for i := 1; i < n && !ties; i++ {
		ties = cats[i].score == cats[i-1].score
	}
	if !ties {
		return
	}
	var seen rankSet
	at := &l.heads
	found := uint16(0)
	for _, row := range l.rows {
		b := uint32(bytes[row])
		if b == levels || seen[b>>6]>>(b&63)&1 == 1 {
			continue
		}
		seen.add(b)
		found++
		if at[b] = found; int(found) == n {
			break
		}
	}
	slices.SortFunc(cats, func(a, b category) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(uint32(a.cell), uint32(b.cell)),
			cmp.Compare(at[a.code], at[b.code]))
	})
	for _, c := range cats {
		at[c.code] = 0
	}
}

// takeCodes makes the column's best set of categories the node's best candidate.
func (l *fewJudge) takeCodes(feature int32, levels uint32) {
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

// setCodes sets the set of a split: the categories of the side to which others, that it has not, do
// not go. These go last if othersLast is set.
func (l *fewJudge) setCodes(s *tree.Split, othersLast bool) {
	b := &l.best
	last := !othersLast
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

// scanRanks finds the best split point of a column of few values that is not counted in a table,
// for more than two classes. It reports false, and does nothing, if the node has missing values
// there.
//
// The rows of each rank are a list: next leads from one to the other.
func (l *fewJudge) scanRanks(bytes []uint8, values uint32) bool {
	heads, next := &l.heads, l.next
	var seen rankSet
	for _, row := range l.rows {
		r := bytes[row]
		next[row] = heads[r]
		heads[r] = uint16(row) + 1
		seen[r>>6] |= 1 << (r & 63)
	}
	if heads[values] != 0 {
		clear(heads[:values+1])
		return false
	}
	l.countRows()
	l.current.places = false
	cells, perClass := l.cells, l.perClass
	s, cross, at, before := sums{}, int64(0), 0, uint32(0)
	for i, w := range seen {
		for ; w != 0; w &= w - 1 {
			rank := uint32(i<<6 + bits.TrailingZeros64(w))
			if at > 0 && l.offer(s, cross, at) {
				l.current.rank, l.current.next = before, rank
			}
			row := heads[rank]
			heads[rank] = 0
			for row != 0 {
				c := cells[row-1]
				row = next[row-1]
				k, t := int64(c>>32), &perClass[uint8(c)]
				s.side += k * (2*t.first + k)
				cross += k * t.all
				t.first += k
				s.rows += k
			}
			before = rank
			at++
		}
	}
	l.clearFirst()
	return true
}

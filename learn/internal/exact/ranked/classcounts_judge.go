package ranked

import (
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
	"math"
)

// What classCounts judges candidates by: with N rows in the node and s the sum of a set's squared
// class counts, a split is best that makes the most of
//
//	s / n + s' / (N - n)
//
// and for two classes, with K rows of class 1 in the node and l of them among the n that go first,
// of d^2 / (n (N - n)), where d = l N - n K. Both are compared without a division.

// giniJudge compares the candidate splits of a node by the Gini index, from integers.
type giniJudge struct {
	// there are two classes: what is counted of a set besides its rows is those of class 1
	ones  bool
	least int64 // rows that each child keeps
	shift uint  // bits of the class in the keys of columns in order
	// by row: two classes: its number, and above it the same if it is of class 1; else class, and
	// above it number
	cells []uint64

	nd             openNode // the node at hand
	rows           []uint32 // its rows
	impurity       float64
	tie            float64      // gains of the node that are closer are equal
	perClass       []classCount // more than two classes
	classesCounted bool         // perClass is that of the node at hand

	limit   float64     // what the worth of the column's next candidate must exceed
	current candidate   // the column's best so far
	best    chosenSplit // the node's best so far
}

// sums are what a set of rows is judged by.
type sums struct {
	rows int64 // with multiplicity
	side int64 // two classes: rows of class 1; else the sum of the squared class counts
}

// candidate is a way to split the rows of a node by one column.
type candidate struct {
	first, last sums
	// a split point: the greatest rank that goes first, the least that goes last,
	// sorting.MissingRank if none does
	rank, next uint32
	at         int // entries, ranks or categories that go first; 0 = there is no candidate
	missing    tree.Missing
	places     bool // the node has missing values, which the candidate places
}

// chosenSplit is a candidate that is better than those of the columns before.
type chosenSplit struct {
	candidate
	gain      float64
	feature   int32
	kind      tree.Kind    // Leaf: there is none
	goes      rankSet      // of bytes: those that go first
	all       rankSet      // of categories: those that occur
	set       rankSet      // of categories: setCodes
	levels    uint32       // of categories: the byte of a missing one
	low, high uint32       // of columns in order: the rows on both sides of the split point
	general   growth.Split // if kind is not Leaf: the split as the scanner found it
}

// rankSet is a set of bytes.
type rankSet [(sorting.FewValues + 1) / 64]uint64

func (r *rankSet) add(rank uint32) { r[rank>>6] |= 1 << (rank & 63) }

// classCount counts the rows of a class: those of the node, and those that go first.
type classCount struct{ all, first int64 }

// pure reports whether rows are of one class.
func (l *giniJudge) pure(s sums) bool {
	if l.ones {
		return s.side == 0 || s.side == s.rows
	}
	return s.side == s.rows*s.rows
}

// impurityOf is what criterion.Criterion computes of a set of rows.
func (l *giniJudge) impurityOf(s sums) float64 {
	w := float64(s.rows)
	if l.ones {
		return 2 * float64(s.rows-s.side) * float64(s.side) / w
	}
	return w - float64(s.side)/w
}

// countRows counts the node's rows by class, for more than two classes, if that is not done.
func (l *giniJudge) countRows() {
	if l.classesCounted || l.ones {
		return
	}
	l.classesCounted = true
	for _, row := range l.rows {
		c := l.cells[row]
		l.perClass[uint8(c)].all += int64(c >> 32)
	}
}

// startColumn clears what was found of the column before.
func (l *giniJudge) startColumn() { l.limit, l.current.at = math.Inf(-1), 0 }

// better reports whether the column has a candidate that is better than the node's best, and sets
// its gain if so.
func (l *giniJudge) better() bool {
	if l.current.at == 0 {
		return false
	}
	gain := l.impurity - (l.impurityOf(l.current.first) + l.impurityOf(l.current.last))
	if l.best.kind != tree.Leaf && !(gain > l.best.gain+l.tie) {
		return false
	}
	l.best.gain = gain
	return true
}

// take makes the column's split point the node's best candidate.
func (l *giniJudge) take(feature int32) {
	l.best.candidate, l.best.feature, l.best.kind, l.best.general.Kind = l.current, feature,
		tree.Numeric, tree.Leaf
}

// others returns the sums of the rows of the node that are not in a set. cross is the sum of the
// products of the class counts of node and set; for two classes it does not matter.
func (l *giniJudge) others(s sums, cross int64) sums {
	all := &l.nd.sums
	if l.ones {
		return sums{all.rows - s.rows, all.side - s.side}
	}
	return sums{all.rows - s.rows, all.side - 2*cross + s.side}
}

// offerOnes offers a candidate of two classes: the sum of the cells that go first, of which at
// ranks, categories or entries are. It reports whether it is the best so far.
func (l *giniJudge) offerOnes(cell uint64, at int, missing tree.Missing) bool {
	first := sums{int64(uint32(cell)), int64(cell >> 32)}
	all, least := &l.nd.sums, l.least
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
	l.current.first, l.current.last, l.current.at, l.current.missing = first,
		sums{last, all.side - first.side}, at, missing
	return true
}

// offer offers a candidate of more than two classes: the sums of the rows that go first, with their
// cross sum, of which at ranks or entries are. It reports whether it is the best so far.
func (l *giniJudge) offer(first sums, cross int64, at int) bool {
	all, least := &l.nd.sums, l.least
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
	l.current.first, l.current.last, l.current.at, l.current.missing = first, last, at,
		tree.MissingLast
	return true
}

// setRanks sets the ranks on both sides of a split point of a column in order.
func (l *giniJudge) setRanks(known []sorting.Entry) {
	c := &l.current
	c.rank, c.next = known[c.at-1].Key>>l.shift, sorting.MissingRank
	if c.at < len(known) {
		c.next = known[c.at].Key >> l.shift
	}
}

// scanOrderOnes finds the best split point of a column in order, for two classes and rows that all
// have a value.
func (l *giniJudge) scanOrderOnes(known []sorting.Entry) {
	l.current.places = false
	all, ones, least := l.nd.sums.rows, l.nd.sums.side, l.least
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
	l.current.at, l.current.missing, l.current.first, l.current.last = best, tree.MissingLast,
		sums{bestRows, side}, sums{all - bestRows, ones - side}
	l.setRanks(known)
}

// scanGapsOnes is scanOrderOnes for a node that has missing values.
func (l *giniJudge) scanGapsOnes(known, unknown []sorting.Entry) {
	l.current.places = true
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
	if l.current.at > 0 {
		l.setRanks(known)
	}
}

// scanOrder finds the best split point of a column in order, for more than two classes and rows
// that all have a value.
func (l *giniJudge) scanOrder(known []sorting.Entry) {
	l.countRows()
	l.current.places = false
	shift := l.shift
	s, cross := sums{}, int64(0)
	for i, e := range known {
		if i > 0 && known[i-1].Key>>shift != e.Key>>shift {
			l.offer(s, cross, i)
		}
		c := l.cells[e.Pos]
		k, t := int64(c>>32), &l.perClass[uint8(c)]
		s.side += k * (2*t.first + k)
		cross += k * t.all
		t.first += k
		s.rows += k
	}
	l.clearFirst()
	if l.current.at > 0 {
		l.setRanks(known)
	}
}

// clearFirst makes no row go first.
func (l *giniJudge) clearFirst() {
	if len(l.rows) < len(l.perClass) {
		for _, row := range l.rows {
			l.perClass[uint8(l.cells[row])].first = 0
		}
		return
	}
	for i := range l.perClass {
		l.perClass[i].first = 0
	}
}

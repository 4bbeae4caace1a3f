package ranked

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// Large nodes of numbers are scanned by buckets too. A node sums, by bucket, how far the values
// above its mean are above it, and those below it below. The worth of a split point, g^2 / n of
// both sides, is convex in the rows n and the sum g of those that go first. Within a bucket g moves
// up by what is above the mean at most, and down by what is below. So no split point is worth more
// than the best corner of that rectangle.
//
// Sums of buckets are not those of a scan, which adds row by row in the order of a column: they
// differ by rounding, which each comparison allows for. Where one split point is better than all
// others whatever the rounding was, the scan finds it too. Then its own column alone is summed in
// order, up to the split point, for the same bits; else the node is left to the scan.

// momentBuckets finds the best split points of a large node's columns by sums of its numbers.
type momentBuckets struct {
	of      *scan.Chooser
	rows    *allRows
	cells   []summand // by row of the node
	columns []momentColumn
	nd      *growth.Node
	all     float64 // rows of the node
	sum     float64 // of the node's numbers, about its origin
	slack   float64 // by which two sums of the same numbers may differ
	tie     float64
	limit   float64 // the worth below which split points do not matter
}

// summand is what a row adds to the side where it goes.
type summand struct {
	value float64 // about the node's origin, times its multiplicity
	rows  uint32
}

// momentColumn is what is found of one of the columns.
type momentColumn struct {
	inBuckets
	sums  [mostBuckets]bucketSum
	best  momentSplit
	rival float64 // what a split point other than the best is worth, at most
}

// bucketSum is the sums of what lies in a bucket, above the mean and below it.
type bucketSum struct {
	value [2]float64
	rows  uint32
}

// momentSplit is a split point between two rows.
type momentSplit struct {
	worth     float64
	rows      float64
	sum       float64
	low, high sorting.Entry
}

// Find goes as that of classBuckets, with bounds that allow for the slack. No split of a column is
// entered before decide: it sums the winner's column once more in the order of a scan, since sums
// of buckets have other bits.
func (l *momentBuckets) Find(nd *growth.Node, columns []int32, found []growth.Split) bool {
	if len(nd.Rows) <= growth.SubtreeRows {
		return false
	}
	l.begin(nd)
	for i, column := range columns {
		l.columns[i].turn(&l.rows.store.columns[column])
	}
	groups := len(l.of.Team)
	l.of.Each(groups, len(nd.Rows),
		func(_ *scan.Scanner, i int) { l.count(i, groups, len(columns)) })
	l.setSlack(len(columns))
	l.of.Each(len(columns), len(nd.Rows), func(s *scan.Scanner, i int) {
		c := &l.columns[i]
		if c.bucketed {
			l.bound(c)
			return
		}
		found[i] = l.of.Scan(s, nd, int(columns[i]))
		if c.worth = math.Inf(-1); found[i].Found() {
			c.worth = found[i].Gain + l.sum*l.sum/l.all
		}
	})
	best := math.Inf(-1)
	for i := range columns {
		best = max(best, l.columns[i].worth)
	}
	if math.IsInf(best, -1) {
		return false
	}
	l.limit = best - float64(8*l.tie)
	l.of.Each(len(columns), len(nd.Rows), func(s *scan.Scanner, i int) {
		if c := &l.columns[i]; c.bucketed {
			found[i] = growth.Split{Feature: -1}
			l.refine(s, c)
		}
	})
	return l.decide(columns, found)
}

// begin turns to a node.
func (l *momentBuckets) begin(nd *growth.Node) {
	l.nd, l.all, l.sum, l.tie = nd, float64(nd.Count), nd.Stats[1],
		float64(growth.RelativeTie*nd.Impurity)
	if cap(l.cells) < len(nd.Rows) {
		l.cells = make([]summand, sorting.WithSlack(len(nd.Rows)))
	}
	cells, y, count, origin := l.cells[:len(nd.Rows)], l.of.Task.Pop.Y,
		l.of.Task.Pop.Count, nd.Origin
	if count == nil {
		for i, row := range nd.Rows {
			cells[i] = summand{y[row] - origin, 1}
		}
		return
	}
	for i, row := range nd.Rows {
		cells[i] = summand{float64(count[row]) * (y[row] - origin), count[row]}
	}
}

// count sums by bucket in each group-th of n columns, from one on.
func (l *momentBuckets) count(one, groups, n int) {
	list := l.nd.Rows
	for i := one; i < n; i += groups {
		if c := &l.columns[i]; c.bucketed {
			c.sums = [mostBuckets]bucketSum{}
			c.buckets = slices.Grow(c.buckets[:0], len(list))[:len(list)]
		}
	}
	for from := 0; from < len(list); from += countedRows {
		rows := list[from:min(from+countedRows, len(list))]
		cells := l.cells[from:][:len(rows)]
		for i := one; i < n; i += groups {
			c := &l.columns[i]
			if !c.bucketed {
				continue
			}
			of, sums, buckets := c.of, &c.sums, c.buckets[from:][:len(rows)]
			packed, step, mask, shift := of.packed, of.step, of.mask, of.bucket&31
			for k, row := range rows {
				b := uint8(binary.LittleEndian.Uint32(packed[int(row)*step:]) & mask >> shift)
				buckets[k] = b
				x, s := &cells[k], &sums[b]
				s.rows += x.rows
				s.value[math.Float64bits(x.value)>>63] += x.value
			}
		}
	}
}

// setSlack bounds by how much two sums of the node's numbers may differ: each of two sums by as
// many roundings as it has terms.
func (l *momentBuckets) setSlack(columns int) {
	l.slack = 0
	for i := range columns {
		c, far := &l.columns[i], 0.0
		if !c.bucketed {
			continue
		}
		for b := range c.sums {
			far += c.sums[b].value[0] - c.sums[b].value[1]
		}
		l.slack = max(l.slack, 0x1p-51*float64(len(l.nd.Rows)+2*mostBuckets)*far)
	}
}

// least and most return the worth of a split point with these rows before it, of a sum that may be
// off by the slack.
func (l *momentBuckets) least(rows, sum float64) float64 {
	first, last := max(0, math.Abs(sum)-l.slack), max(0, math.Abs(l.sum-sum)-l.slack)
	return first*first/rows + last*last/(l.all-rows)
}

func (l *momentBuckets) most(rows, sum float64) float64 {
	first, last := math.Abs(sum)+l.slack, math.Abs(l.sum-sum)+l.slack
	return first*first/rows + last*last/(l.all-rows)
}

// allowed reports whether the limits allow a split point.
func (l *momentBuckets) allowed(rows float64) bool {
	least := float64(l.of.Task.MinLeaf)
	return rows >= least && rows <= l.all-least
}

// bound finds the worth of a column's best split point between buckets.
func (l *momentBuckets) bound(c *momentColumn) {
	c.worth = math.Inf(-1)
	rows, sum := 0.0, 0.0
	for b := range c.sums {
		s := &c.sums[b]
		if s.rows == 0 {
			continue
		}
		rows += float64(s.rows)
		sum += s.value[0] + s.value[1]
		if l.allowed(rows) {
			c.worth = max(c.worth, l.least(rows, sum))
		}
	}
}

// matter returns, by bucket, 1 where a split point at its ends or within may matter, and whether
// there are any.
func (l *momentBuckets) matter(c *momentColumn) (which [mostBuckets]uint8, any bool) {
	least := float64(l.of.Task.MinLeaf)
	rows, sum := 0.0, 0.0
	for b := range c.sums {
		s := &c.sums[b]
		if s.rows == 0 {
			continue
		}
		up, down := sum+s.value[0], sum+s.value[1]
		before, start := rows, sum
		rows += float64(s.rows)
		sum += s.value[0] + s.value[1]
		from, to := max(before, least), min(rows, l.all-least)
		if from > to {
			continue
		}
		most := max(l.most(from, up), l.most(from, down), l.most(to, up), l.most(to, down))
		// The split points at both ends are offered to the adjacent buckets too, whose corners are
		// rounded otherwise.
		if l.allowed(before) {
			most = max(most, l.most(before, start))
		}
		if l.allowed(rows) {
			most = max(most, l.most(rows, sum))
		}
		if most >= l.limit {
			which[b], any = 1, true
		}
	}
	return which, any
}

// refine finds the best split point of a column among those that matter.
func (l *momentBuckets) refine(s *scan.Scanner, c *momentColumn) {
	c.best, c.rival, c.worth = momentSplit{worth: math.Inf(-1)}, math.Inf(-1), math.Inf(-1)
	which, any := l.matter(c)
	if !any {
		return
	}
	sorted := c.of.pick(s, l.nd.Rows, c.buckets, &which)
	rows, sum := 0.0, 0.0
	for b := range c.sums {
		s := &c.sums[b]
		if s.rows == 0 {
			continue
		}
		if which[b] == 1 {
			sorted = l.walk(c, sorted, rows, sum)
		}
		rows += float64(s.rows)
		sum += s.value[0] + s.value[1]
	}
	c.worth = c.best.worth
}

// walk offers the split points behind the rows of a bucket, which are the first of those that are
// sorted, and returns the others. The split point before a bucket that does not matter is never the
// best.
func (l *momentBuckets) walk(
	c *momentColumn, sorted []sorting.Entry, rows, sum float64,
) []sorting.Entry {
	y, count, origin := l.of.Task.Pop.Y, l.of.Task.Pop.Count, l.nd.Origin
	for bucket := sorted[0].Key >> c.of.bucket; len(sorted) > 0 &&
		sorted[0].Key>>c.of.bucket == bucket; sorted = sorted[1:] {
		low, k := sorted[0], 1.0
		if count != nil {
			k = float64(count[low.Pos])
		}
		rows += k
		sum += float64(k * (y[low.Pos] - origin))
		if len(sorted) == 1 || sorted[1].Key == low.Key || !l.allowed(rows) {
			continue
		}
		if most := l.most(rows, sum); most >= l.limit {
			c.offer(l, momentSplit{float64(l.least(rows, sum)/2) + float64(most/2), rows, sum, low,
				sorted[1]}, most)
		}
	}
	return sorted
}

// offer enters a split point that is worth so much at most.
func (c *momentColumn) offer(l *momentBuckets, split momentSplit, most float64) {
	if split.worth > c.best.worth {
		split, c.best = c.best, split
		most = l.mostOf(&split)
	}
	c.rival = max(c.rival, most)
}

// mostOf returns what a split point, or none, is worth at most.
func (l *momentBuckets) mostOf(split *momentSplit) float64 {
	if split.rows == 0 {
		return math.Inf(-1)
	}
	return l.most(split.rows, split.sum)
}

// decide enters the best split, where a column that was scanned by buckets has it. It reports false
// if others are nearly as good.
func (l *momentBuckets) decide(columns []int32, found []growth.Split) bool {
	winner := 0
	for i := range columns {
		if l.columns[i].worth > l.columns[winner].worth {
			winner = i
		}
	}
	w := &l.columns[winner]
	least := w.worth
	if w.bucketed {
		least = l.least(w.best.rows, w.best.sum)
	}
	near := least - float64(8*l.tie)
	for i := range columns {
		c := &l.columns[i]
		switch {
		case c.bucketed && (c.rival >= near || i != winner && l.mostOf(&c.best) >= near):
			return false
		case !c.bucketed && c.worth > near && (w.bucketed || c.worth < least-float64(l.tie/2)):
			return false
		}
	}
	if w.bucketed {
		found[winner] = l.exact(w, columns[winner])
	}
	return true
}

// exact returns the split at a column's best split point, whose rows it sums as a scan does.
func (l *momentBuckets) exact(c *momentColumn, column int32) growth.Split {
	s, split := l.of.Team[0], c.best
	var which [mostBuckets]uint8
	for b := range which[:split.low.Key>>c.of.bucket+1] {
		which[b] = 1
	}
	y, count, origin, sum := l.of.Task.Pop.Y, l.of.Task.Pop.Count, l.nd.Origin, 0.0
	for _, e := range c.of.pick(s, l.nd.Rows, c.buckets, &which) {
		if e.Key > split.low.Key {
			break
		}
		k := 1.0
		if count != nil {
			k = float64(count[e.Pos])
		}
		sum += float64(k * (y[e.Pos] - origin))
	}
	return splitAt(s, l.nd, column, split.low, split.high, int(split.rows),
		[2]float64{split.rows, sum})
}

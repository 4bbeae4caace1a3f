package ranked

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// Large nodes are not put in order. The ranks of a column without missing values divide it into at
// most 256 buckets. A node counts its classes by bucket. That gives the worth of the split points
// between buckets, and a bound of those within a bucket:
//
//	bucket      0     1     2     3
//	class 0    20    31     9     2
//	class 1     3     8    25    14
//	worth         5    17    11        of the split points between buckets
//	at most    16    19    19    12    of the split points within
//
// Only rows of buckets that may hold the best split point of all columns are scanned one by one.
//
// The Gini index is convex in the numbers of rows of either class that go first. From the start of
// a bucket of z rows of class 0 and o of class 1 these grow by at most z and o. So the greatest
// worth is that at a corner of this rectangle.
//
// A scan of all split points takes the first of those whose worth is the greatest within a tie,
// unless others are nearly as good: then what is best depends on the order of all. Such nodes are
// left to that scan, as are columns with missing values.

// classBuckets finds the best split points of a large node's columns by counts of its classes.
type classBuckets struct {
	of      *scan.Chooser
	rows    *allRows
	cells   []uint32 // by row of the node: its number, and in the lowest bit its class
	columns []classColumn
	nd      *growth.Node
	all     int64 // rows of the node
	ones    int64 // those of class 1
	tie     float64
	limit   float64 // the worth below which split points do not matter
}

// classColumn is what is found of one of the columns.
type classColumn struct {
	inBuckets
	counts [mostBuckets][2]uint32
	race   bool // other split points are nearly as good as the best
	splits []classSplit
}

// inBuckets is a column in which large nodes are scanned, whatever its buckets count.
type inBuckets struct {
	of       *ranks
	buckets  []uint8 // by row of the node
	bucketed bool    // the column is scanned by buckets
	worth    float64 // of the best split point so far
}

// turn starts a column.
func (c *inBuckets) turn(of *ranks) { c.of, c.bucketed = of, of.bucketed() }

// classSplit is a split point between two rows.
type classSplit struct {
	worth      float64
	rows, ones int64
	low, high  sorting.Entry
}

// setLarge makes a forest's trees scan large nodes by buckets, if they can.
func (s *strategy) setLarge(a *allRows) {
	t := s.Task
	if t.Scanner == nil || t.Rule != growth.Learned || s.Sampler == nil || !a.store.bucketed() {
		return
	}
	m := s.Sampler.Mtry
	switch {
	case t.Definition.Name == "squared_error":
		s.Large = &momentBuckets{of: &s.Chooser, rows: a, columns: make([]momentColumn, m)}
	case t.Definition.Name == "gini" && t.Counts && a.class8 != nil && t.Width == 2:
		s.Large = &classBuckets{of: &s.Chooser, rows: a, columns: make([]classColumn, m)}
	}
}

// bucketed reports whether a column of these ranks can be scanned by buckets.
func (r *ranks) bucketed() bool { return r.packed != nil && r.full() }

// Find counts, bounds and refines. The limit is taken from the best of all columns before any is
// refined, so the workers need not wait for each other, and what is refined does not depend on
// their number. It lies below the best by more than the ties and the rounding of a scan: a split
// point that the scan could choose is always looked at. False leaves the node to the scan.
func (l *classBuckets) Find(nd *growth.Node, columns []int32, found []growth.Split) bool {
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
	l.of.Each(len(columns), len(nd.Rows), func(s *scan.Scanner, i int) {
		c := &l.columns[i]
		if c.bucketed {
			l.bound(c)
			return
		}
		found[i] = l.of.Scan(s, nd, int(columns[i]))
		if c.worth = math.Inf(-1); found[i].Found() {
			c.worth = found[i].Gain * float64(l.all) / 2
		}
	})
	best := math.Inf(-1)
	for i := range columns {
		best = max(best, l.columns[i].worth)
	}
	if math.IsInf(best, -1) {
		return false
	}
	l.limit = best - float64(8*l.tie) - float64(1e-9*math.Abs(best))
	l.of.Each(len(columns), len(nd.Rows), func(s *scan.Scanner, i int) {
		if c := &l.columns[i]; c.bucketed {
			found[i] = l.refine(s, c, columns[i])
		}
	})
	return !l.races(found[:len(columns)])
}

// begin starts a node.
func (l *classBuckets) begin(nd *growth.Node) {
	l.nd, l.all, l.ones = nd, int64(nd.Count), int64(nd.Stats[1])
	l.tie = float64(growth.RelativeTie*nd.Impurity) / 2 * float64(l.all)
	if cap(l.cells) < len(nd.Rows) {
		l.cells = make([]uint32, sorting.WithSlack(len(nd.Rows)))
	}
	cells, class, count := l.cells[:len(nd.Rows)], l.rows.class8, l.of.Task.Pop.Count
	if count == nil {
		for i, row := range nd.Rows {
			cells[i] = 2 | uint32(class[row])
		}
		return
	}
	for i, row := range nd.Rows {
		cells[i] = count[row]<<1 | uint32(class[row])
	}
}

// worthOf returns the worth of a split point with these rows before it, ones of them of class 1:
// see criterion's scan for the Gini index.
func (l *classBuckets) worthOf(rows, ones int64) float64 {
	if rows <= 0 || rows >= l.all {
		return 0
	}
	d := float64(ones*l.all - rows*l.ones)
	return d * d / (float64(rows) * float64(l.all-rows))
}

// allowed reports whether the limits allow a split point.
func (l *classBuckets) allowed(rows int64) bool {
	least := int64(l.of.Task.MinLeaf)
	return rows >= least && rows <= l.all-least
}

// countedRows is the number of rows whose ranks in all columns stay in the nearest cache.
const countedRows = 128

// count counts the classes by bucket in each group-th of n columns, from one on.
func (l *classBuckets) count(one, groups, n int) {
	list := l.nd.Rows
	for i := one; i < n; i += groups {
		if c := &l.columns[i]; c.bucketed {
			c.counts = [mostBuckets][2]uint32{}
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
			of, counts, buckets := c.of, &c.counts, c.buckets[from:][:len(rows)]
			packed, step, mask, shift := of.packed, of.step, of.mask, of.bucket&31
			for k, row := range rows {
				b := uint8(binary.LittleEndian.Uint32(packed[int(row)*step:]) & mask >> shift)
				counts[b][cells[k]&1] += cells[k] >> 1
				buckets[k] = b
			}
		}
	}
}

// bound finds the worth of a column's best split point between buckets.
func (l *classBuckets) bound(c *classColumn) {
	c.worth = math.Inf(-1)
	rows, ones := int64(0), int64(0)
	for b := range c.counts {
		n := &c.counts[b]
		if n[0]|n[1] == 0 {
			continue
		}
		rows += int64(n[0]) + int64(n[1])
		ones += int64(n[1])
		if rows < l.all && l.allowed(rows) {
			c.worth = max(c.worth, l.worthOf(rows, ones))
		}
	}
}

// matter returns, by bucket, 1 where a split point at its ends or within may matter, and whether
// there are any.
func (l *classBuckets) matter(c *classColumn) (which [mostBuckets]uint8, any bool) {
	rows, ones := int64(0), int64(0)
	for b := range c.counts {
		zero, one := int64(c.counts[b][0]), int64(c.counts[b][1])
		if zero|one == 0 {
			continue
		}
		most := max(l.worthOf(rows, ones), l.worthOf(rows+zero, ones),
			l.worthOf(rows+one, ones+one), l.worthOf(rows+zero+one, ones+one))
		rows, ones = rows+zero+one, ones+one
		if most >= l.limit {
			which[b], any = 1, true
		}
	}
	return which, any
}

// refine returns the best split of a column, if it matters.
func (l *classBuckets) refine(s *scan.Scanner, c *classColumn, column int32) growth.Split {
	c.race, c.splits = false, c.splits[:0]
	which, any := l.matter(c)
	if !any {
		return growth.Split{Feature: -1}
	}
	l.walk(c, c.of.pick(s, l.nd.Rows, c.buckets, &which))
	if len(c.splits) == 0 {
		return growth.Split{Feature: -1}
	}
	best := c.splits[0].worth
	for i := range c.splits {
		best = max(best, c.splits[i].worth)
	}
	var split *classSplit
	for i := range c.splits {
		switch x := &c.splits[i]; {
		case x.worth < best-float64(l.tie/2):
			c.race = c.race || x.worth > best-float64(5*l.tie)
		case split == nil:
			split = x
		}
	}
	return splitAt(s, l.nd, column, split.low, split.high, int(split.rows),
		[2]float64{float64(split.rows - split.ones), float64(split.ones)})
}

// splitAt returns the split of a node's column between two rows, before which some rows of these
// statistics stand.
func splitAt(
	s *scan.Scanner, nd *growth.Node, column int32, low, high sorting.Entry, rows int,
	before [2]float64,
) growth.Split {
	s.ClearMissing()
	s.Begin(nd, 0)
	copy(s.Prefix, before[:])
	s.Offer(s.Prefix, rows, scan.Mark{At: 1})
	s.Decide()
	ranks := [2]uint32{low.Key, high.Key}
	b := s.NumericSplit(func(i int) uint32 { return ranks[i] }, 2, 0)
	b.Feature, b.Low, b.High = column, low.Pos, high.Pos
	return b
}

// pick returns the rows of some buckets in the order of their ranks, in the scanner's memory.
func (r *ranks) pick(
	s *scan.Scanner, rows []uint32, buckets []uint8, which *[mostBuckets]uint8,
) []sorting.Entry {
	const block = 1 << 10
	var some [block]uint32
	n := 0
	for _, b := range buckets {
		n += int(which[b])
	}
	out := s.Entries(n)[:0]
	least, most := uint32(math.MaxUint32), uint32(0)
	for from := 0; from < len(buckets); from += block {
		n := 0
		for i, b := range buckets[from:min(from+block, len(buckets))] {
			some[n&(block-1)] = uint32(i)
			n += int(which[b])
		}
		for _, i := range some[:n] {
			row := rows[from+int(i)]
			rank := r.of(row)
			least, most = min(least, rank), max(most, rank)
			out = append(out, sorting.Entry{Key: rank, Pos: row})
		}
	}
	return s.RadixSort(out, least, most)
}

// walk lists the split points that matter among the rows of buckets that do.
func (l *classBuckets) walk(c *classColumn, sorted []sorting.Entry) {
	rows, ones, at := int64(0), int64(0), 0
	for b := range c.counts {
		if at == len(sorted)-1 {
			return
		}
		if sorted[at].Key>>c.of.bucket != uint32(b) {
			rows += int64(c.counts[b][0]) + int64(c.counts[b][1])
			ones += int64(c.counts[b][1])
			continue
		}
		for ; at < len(sorted)-1 && sorted[at].Key>>c.of.bucket == uint32(b); at++ {
			low, high := sorted[at], sorted[at+1]
			n := int64(l.of.Task.Pop.Multiplicity(int(low.Pos)))
			rows += n
			ones += n & -int64(l.rows.class8[low.Pos])
			if low.Key == high.Key || !l.allowed(rows) {
				continue
			}
			if w := l.worthOf(rows, ones); w >= l.limit {
				c.splits = append(c.splits, classSplit{w, rows, ones, low, high})
			}
		}
	}
}

// races reports whether the best split among columns, or within one, depends on others that are
// nearly as good.
func (l *classBuckets) races(found []growth.Split) bool {
	best := math.Inf(-1)
	for i := range found {
		if found[i].Found() {
			best = max(best, found[i].Gain)
		}
	}
	tie := float64(growth.RelativeTie * l.nd.Impurity)
	for i := range found {
		if l.columns[i].bucketed && l.columns[i].race {
			return true
		}
		if f := &found[i]; f.Found() && f.Gain < best-float64(tie/2) &&
			f.Gain > best-float64(5*tie) {
			return true
		}
	}
	return false
}

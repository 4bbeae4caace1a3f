package exact

import (
	"math"
	"math/bits"
)

// Large nodes are not put in order. A column of the frame of all rows is cut into at most 256 buckets by place, and each row's
// is kept as a byte; equal values share one. A node counts its classes by bucket, which tells what the cuts between buckets are
// worth, and what no cut within a bucket can exceed:
//
//	bucket      0     1     2     3
//	class 0    20    31     9     2
//	class 1     3     8    25    14
//	worth         5    17    11        of the cuts between; at most 16 within 0, 19 within 1 and 2, 12 within 3
//
// Only rows of buckets that may hold the best of all cuts of the columns at hand are looked at one by one.
//
// The Gini index is convex in the numbers of rows of either class that go first. From the start of a bucket of z rows of class 0 and
// o of class 1 these grow by at most z and o, so that the greatest worth is that at a corner of this rectangle.
//
// A scan of all cuts takes the first of those whose worth is the greatest within a tie, unless others are nearly as good: then what is
// best depends on the order of all. Such nodes are left to that scan, as are columns with missing values.

// mostBuckets is the number of buckets of a column.
const mostBuckets = 1 << 8

// setBuckets cuts a frame's column of all rows into buckets, if no value is missing.
func (c *frameColumn) setBuckets() {
	n := len(c.place)
	if int(c.known) < n || n <= frameRows {
		return
	}
	c.bucket = make([]uint8, n)
	for row, p := range c.place {
		c.bucket[row] = uint8(c.ties.first(p) >> bucketBits(n))
	}
}

// bucketBits returns by how many bits the place of a value, among so many, is longer than the number of its bucket.
func bucketBits(places int) int {
	return max(0, bits.Len(uint(places-1))-bits.Len(mostBuckets-1))
}

// partBuckets puts the rows of places below a bound, at which a value starts, before the others, in order, and returns their number.
// Places take four times the memory of buckets, and are looked up for the bucket of the bound alone.
func (g *grower) partBuckets(c *frameColumn, bound uint32, rows []uint32) int {
	edge, place, bucket := bound>>bucketBits(len(c.place)), c.place, c.bucket
	rest := g.room(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		b := uint32(bucket[row])
		first := int((b - edge) >> 31)
		if b == edge {
			first = int((place[row] - bound) >> 31)
		}
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

// bucketing looks for the best cuts of a large node's columns.
type bucketing struct {
	g       *grower
	cells   []uint32 // by row of the node: its number, and in the lowest bit its class
	columns []bucketedColumn
	nd      *node
	all     int64 // rows of the node
	ones    int64 // those of class 1
	tie     float64
	limit   float64 // the worth below which cuts do not matter
}

// bucketedColumn is what is found of one of the columns.
type bucketedColumn struct {
	counts [mostBuckets][2]uint32
	narrow bool    // the column has buckets
	worth  float64 // of the best cut that is known
	race   bool    // other cuts are nearly as good as the best
	sorted []entry // rows of the buckets that matter, by place
	cuts   []bucketedCut
}

// bucketedCut is a cut between two rows.
type bucketedCut struct {
	worth      float64
	rows, ones int64
	low, high  entry
}

// setBucketing makes a grower look at large nodes by buckets, if it can.
func (g *grower) setBucketing() {
	f, ok := g.store.(*framed)
	if ok && g.counts && g.class8 != nil && g.width == 2 && g.scan != nil && g.row.Name == "gini" && g.rule == Learned && g.mtry > 0 && f.bucketed() {
		g.bucketing = &bucketing{g: g, columns: make([]bucketedColumn, g.mtry)}
	}
}

// bucketed reports whether a column has buckets.
func (f *frame) bucketed() bool {
	for i := range f.columns {
		if f.columns[i].bucket != nil {
			return true
		}
	}
	return false
}

// find enters the best splits of some columns of a node into found. Columns that have none as good as the best may have none there. It
// reports false if it cannot tell.
func (l *bucketing) find(nd *node, columns []int32, found []split) bool {
	if len(nd.list) <= frameRows {
		return false
	}
	l.begin(nd)
	g := l.g
	g.forColumns(len(columns), len(nd.list), func(s *scanner, i int) {
		c, of := &l.columns[i], g.store.(*framed).columns[columns[i]]
		if c.narrow = of.bucket != nil; c.narrow {
			l.count(c, of.bucket)
			return
		}
		found[i] = s.scan(nd, int(columns[i]))
		if c.worth = math.Inf(-1); found[i].found() {
			c.worth = found[i].gain * float64(l.all) / 2
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
	g.forColumns(len(columns), len(nd.list), func(s *scanner, i int) {
		if c := &l.columns[i]; c.narrow {
			found[i] = l.refine(s, c, columns[i])
		}
	})
	return !l.races(found[:len(columns)])
}

// begin turns to a node.
func (l *bucketing) begin(nd *node) {
	l.nd, l.all, l.ones = nd, int64(nd.rows), int64(nd.stats[1])
	l.tie = float64(relativeTie*nd.impurity) / 2 * float64(l.all)
	if cap(l.cells) < len(nd.list) {
		l.cells = make([]uint32, len(nd.list)+len(nd.list)/bagsDiffer)
	}
	cells, class, count := l.cells[:len(nd.list)], l.g.class8, l.g.pop.Count
	if count == nil {
		for i, row := range nd.list {
			cells[i] = 2 | uint32(class[row])
		}
		return
	}
	for i, row := range nd.list {
		cells[i] = count[row]<<1 | uint32(class[row])
	}
}

// worthOf returns what a cut is worth before which rows stand, ones of them of class 1: see criterion's scan for the Gini index.
func (l *bucketing) worthOf(rows, ones int64) float64 {
	if rows <= 0 || rows >= l.all {
		return 0
	}
	d := float64(ones*l.all - rows*l.ones)
	return d * d / (float64(rows) * float64(l.all-rows))
}

// allowed reports whether the limits allow a cut.
func (l *bucketing) allowed(rows int64) bool {
	least := int64(l.g.limits.MinLeaf)
	return rows >= least && rows <= l.all-least
}

// count counts the classes by bucket, and finds what the best cut between buckets is worth.
func (l *bucketing) count(c *bucketedColumn, bucket []uint8) {
	c.counts = [mostBuckets][2]uint32{}
	counts, list := &c.counts, l.nd.list
	cells := l.cells[:len(list)]
	for i, row := range list {
		cell := cells[i]
		counts[bucket[row]][cell&1] += cell >> 1
	}
	c.worth = math.Inf(-1)
	rows, ones := int64(0), int64(0)
	for b := range counts {
		n := &counts[b]
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

// matter returns, by bucket, 1 where a cut at its ends or within may matter, and whether there are any.
func (l *bucketing) matter(c *bucketedColumn) (which [mostBuckets]uint8, any bool) {
	rows, ones := int64(0), int64(0)
	for b := range c.counts {
		zero, one := int64(c.counts[b][0]), int64(c.counts[b][1])
		if zero|one == 0 {
			continue
		}
		most := max(l.worthOf(rows, ones), l.worthOf(rows+zero, ones), l.worthOf(rows+one, ones+one), l.worthOf(rows+zero+one, ones+one))
		rows, ones = rows+zero+one, ones+one
		if most >= l.limit {
			which[b], any = 1, true
		}
	}
	return which, any
}

// refine returns the best split of a column, if it matters.
func (l *bucketing) refine(s *scanner, c *bucketedColumn, column int32) split {
	c.race, c.cuts = false, c.cuts[:0]
	which, any := l.matter(c)
	if !any {
		return split{feature: -1}
	}
	of := &l.g.store.(*framed).columns[column]
	l.pick(s, c, of, &which)
	l.walk(c, of)
	if len(c.cuts) == 0 {
		return split{feature: -1}
	}
	best := c.cuts[0].worth
	for i := range c.cuts {
		best = max(best, c.cuts[i].worth)
	}
	var cut *bucketedCut
	for i := range c.cuts {
		switch x := &c.cuts[i]; {
		case x.worth < best-l.tie/2:
			c.race = c.race || x.worth > best-float64(5*l.tie)
		case cut == nil:
			cut = x
		}
	}
	s.forget()
	s.begin(l.nd, 0)
	s.prefix[0], s.prefix[1] = float64(cut.rows-cut.ones), float64(cut.ones)
	s.offer(s.prefix, int(cut.rows), mark{at: 1})
	s.judge()
	ranks := [2]uint32{of.ties.first(cut.low.Key), of.ties.first(cut.high.Key)}
	b := s.cutSplit(func(i int) uint32 { return ranks[i] }, 2, 0)
	b.feature, b.low, b.high = column, cut.low.Pos, cut.high.Pos
	return b
}

// pick puts the rows of some buckets in the order of their places.
func (l *bucketing) pick(s *scanner, c *bucketedColumn, of *frameColumn, which *[mostBuckets]uint8) {
	const block = 1 << 10
	var some [block]uint32
	c.sorted = c.sorted[:0]
	least, most := uint32(math.MaxUint32), uint32(0)
	for list := l.nd.list; len(list) > 0; list = list[min(block, len(list)):] {
		n := 0
		for _, row := range list[:min(block, len(list))] {
			some[n&(block-1)] = row
			n += int(which[of.bucket[row]])
		}
		for _, row := range some[:n] {
			p := of.place[row]
			least, most = min(least, p), max(most, p)
			c.sorted = append(c.sorted, entry{Key: p, Pos: row})
		}
	}
	c.sorted = s.radixSort(c.sorted, least, most)
}

// walk lists the cuts that matter.
func (l *bucketing) walk(c *bucketedColumn, of *frameColumn) {
	rows, ones, at := int64(0), int64(0), 0
	for b := range c.counts {
		if at == len(c.sorted)-1 {
			return
		}
		if of.bucket[c.sorted[at].Pos] != uint8(b) {
			rows += int64(c.counts[b][0]) + int64(c.counts[b][1])
			ones += int64(c.counts[b][1])
			continue
		}
		for ; at < len(c.sorted)-1 && of.bucket[c.sorted[at].Pos] == uint8(b); at++ {
			low, high := c.sorted[at], c.sorted[at+1]
			n := int64(l.g.pop.Multiplicity(int(low.Pos)))
			rows += n
			ones += n & -int64(l.g.class8[low.Pos])
			if of.ties.first(low.Key) == of.ties.first(high.Key) || !l.allowed(rows) {
				continue
			}
			if w := l.worthOf(rows, ones); w >= l.limit {
				c.cuts = append(c.cuts, bucketedCut{w, rows, ones, low, high})
			}
		}
	}
}

// races reports whether the best split among columns, or within one, depends on others that are nearly as good.
func (l *bucketing) races(found []split) bool {
	best := math.Inf(-1)
	for i := range found {
		if found[i].found() {
			best = max(best, found[i].gain)
		}
	}
	tie := float64(relativeTie * l.nd.impurity)
	for i := range found {
		if l.columns[i].narrow && l.columns[i].race {
			return true
		}
		if f := &found[i]; f.found() && f.gain < best-tie/2 && f.gain > best-float64(5*tie) {
			return true
		}
	}
	return false
}

package dense

import (
	"math"
	"slices"
)

// leafPoints is the number of points up to which a node is searched point by point.
const leafPoints = 16

// index finds the points that are nearest to a query, exactly: a k-d tree (Bentley 1975; Friedman,
// Bentley & Finkel 1977) whose nodes store the box around their points. Make one with NewIndex. It
// is immutable and safe for concurrent use.
//
// The points lie in the order of the tree, so that a node's are consecutive:
//
//	node      0: points 0 to 8
//	          1: points 0 to 4         2: points 4 to 8
//	          3: 0 to 2   4: 2 to 4    5: 4 to 6   6: 6 to 8
//
// The children of node i are 2i + 1 and 2i + 2, of half as many points each, so that ranges follow
// from the number alone.
type index struct {
	width  int
	levels int       // of inner nodes
	points []float64 // in the order of the tree, width numbers each
	number []int32   // of each point, as in the slice that NewIndex was given
	boxes  []float64 // of each node the least values, then the greatest
	groups *groups   // nil: there are none
}

// newIndex indexes points of width numbers each, one after the other. The numbers are finite; the
// slice is not kept. Where width is 0 all points are at distance 0 from everything; n reports how
// many there are.
func newIndex(points []float64, n, width int) *index {
	x := &index{width: width, points: make([]float64, n*width), number: make([]int32, n)}
	most, grouped := leafPoints, canGroup(points, width)
	if grouped {
		most = groupedPoints(width)
	}
	for n>>x.levels > most && width > 0 {
		x.levels++
	}
	for i := range x.number {
		x.number[i] = int32(i)
	}
	x.boxes = make([]float64, (2<<x.levels-1)*2*width)
	x.build(points, 0, 0, n)
	for i, p := range x.number {
		copy(x.points[i*width:(i+1)*width], points[int(p)*width:])
	}
	if grouped {
		x.groups = newGroups(x)
	}
	return x
}

// leaves calls f with the points of each leaf, in order.
func (x *index) leaves(f func(leaf, lo, hi int)) {
	var visit func(node, lo, hi int)
	visit = func(node, lo, hi int) {
		if x.isLeaf(node) {
			f(node-(1<<x.levels-1), lo, hi)
			return
		}
		mid := (lo + hi) / 2
		visit(2*node+1, lo, mid)
		visit(2*node+2, mid, hi)
	}
	visit(0, 0, len(x.number))
}

// isLeaf reports whether a node has no children.
func (x *index) isLeaf(node int) bool { return node >= 1<<x.levels-1 }

// box returns the least and the greatest values of a node's points.
func (x *index) box(node int) (low, high []float64) {
	b := x.boxes[node*2*x.width : (node+1)*2*x.width]
	return b[:x.width], b[x.width:]
}

// build puts the points lo to hi of number in the order of the tree.
func (x *index) build(points []float64, node, lo, hi int) {
	low, high := x.box(node)
	copy(low, points[int(x.number[lo])*x.width:])
	copy(high, low)
	for _, p := range x.number[lo:hi] {
		for k, v := range points[int(p)*x.width : (int(p)+1)*x.width] {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	if x.isLeaf(node) {
		return
	}
	widest := 0
	for k := range low {
		if high[k]-low[k] > high[widest]-low[widest] {
			widest = k
		}
	}
	mid := (lo + hi) / 2
	selectLeast(x.number[lo:hi], mid-lo, func(p int32) float64 {
		return points[int(p)*x.width+widest]
	})
	x.build(points, 2*node+1, lo, mid)
	x.build(points, 2*node+2, mid, hi)
}

// selectLeast reorders s so that none of s[:k] has a greater key than any of s[k:] (Hoare 1961).
// Keys that make it slow are sorted.
func selectLeast(s []int32, k int, key func(int32) float64) {
	for tries := 64; len(s) > leafPoints; tries-- {
		if tries == 0 {
			break
		}
		a, b, c := key(s[0]), key(s[len(s)/2]), key(s[len(s)-1])
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := 0, len(s)-1
		for i <= j {
			for key(s[i]) < pivot {
				i++
			}
			for key(s[j]) > pivot {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		switch { // s[:j+1] <= pivot, s[i:] >= pivot, what lies between equals it
		case k <= j:
			s = s[:j+1]
		case k >= i:
			s, k = s[i:], k-i
		default:
			return
		}
	}
	slices.SortFunc(s, func(p, q int32) int {
		switch a, b := key(p), key(q); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
}

// neighbour is a point that was found.
type neighbour struct {
	Number   int32   // of the point
	Distance float64 // the square of the Euclidean distance
}

// sameDistance is the relative difference up to which distances are equal: another order of the
// training rows changes the means and scales of numbers by less.
const sameDistance = 1e-12

// within returns the greatest distance that is equal to one.
func within(distance float64) float64 { return distance + float64(sameDistance*distance) }

// after reports whether a neighbour is farther, or as far with a greater number.
func (a neighbour) after(b neighbour) bool {
	return a.Distance > b.Distance || a.Distance == b.Distance && a.Number > b.Number
}

// search searches an index, for one query after the other: found is a heap with the last of the
// neighbours on top.
type search struct {
	*index
	query []float64
	k     int
	limit float64 // distance beyond which nothing is wanted
	found []neighbour
	short shortQuery
}

// start begins a search with nothing found.
func (s *search) start(query []float64, k int, limit float64) {
	s.query, s.k, s.limit, s.found = query, k, limit, s.found[:0]
	if s.groups != nil {
		s.short.set(query)
	}
}

// nearest returns the k points nearest to a query and all others that are as far as the k-th, the
// nearest first, until the next call; all points if there are no more than k. Points that are as
// far come by number. The query's numbers are finite, k is at least 1.
func (s *search) nearest(query []float64, k int) []neighbour {
	s.first(query, min(k, math.MaxInt-1)+1)
	if len(s.found) <= k {
		return s.found
	}
	limit := within(s.found[k-1].Distance)
	if s.found[k].Distance > limit {
		return s.found[:k]
	}
	s.start(query, math.MaxInt, limit)
	s.visit(0, 0, len(s.number))
	slices.SortFunc(s.found, func(a, b neighbour) int {
		if a.after(b) {
			return 1
		}
		return -1
	})
	return s.found
}

// first finds the k nearest points, the nearest first.
func (s *search) first(query []float64, k int) {
	s.start(query, min(k, len(s.number)), math.Inf(1))
	if s.k > 0 {
		s.visit(0, 0, len(s.number))
	}
	for end := len(s.found) - 1; end > 0; end-- {
		s.found[0], s.found[end] = s.found[end], s.found[0]
		sink(s.found[:end])
	}
}

// visit searches the points lo to hi of a node.
func (s *search) visit(node, lo, hi int) {
	if s.isLeaf(node) {
		if s.groups != nil && len(s.short.numbers) > 0 {
			s.visitGroups(node-(1<<s.levels-1), lo, hi)
			return
		}
		for i := lo; i < hi; i++ {
			s.measure(i)
		}
		return
	}
	mid := (lo + hi) / 2
	first, second := s.bound(2*node+1), s.bound(2*node+2)
	if second < first {
		s.visitUnless(second, 2*node+2, mid, hi)
		s.visitUnless(first, 2*node+1, lo, mid)
		return
	}
	s.visitUnless(first, 2*node+1, lo, mid)
	s.visitUnless(second, 2*node+2, mid, hi)
}

// measure offers a point.
func (s *search) measure(i int) {
	s.offer(neighbour{s.number[i],
		s.distance(s.points[i*s.width:(i+1)*s.width], s.farthest())})
}

// visitUnless searches a node unless all its points are farther than what has been found. One that
// is as far may have a lower number.
func (s *search) visitUnless(bound float64, node, lo, hi int) {
	if bound <= s.farthest() {
		s.visit(node, lo, hi)
	}
}

// farthest returns the distance beyond which nothing is of use.
func (s *search) farthest() float64 {
	if len(s.found) < s.k {
		return s.limit
	}
	return s.found[0].Distance
}

// stride is the number of terms after which a sum is compared with what is of use.
const placesAtOnce = 8

// distance returns the square of a point's distance; where that is beyond limit, any number beyond
// it.
func (s *search) distance(point []float64, limit float64) float64 {
	sum := 0.0
	query := s.query
	point = point[:len(query)]
	for len(query) > placesAtOnce {
		for k, q := range query[:placesAtOnce] {
			d := q - point[k]
			sum += float64(d * d)
		}
		if sum > limit {
			return sum
		}
		query, point = query[placesAtOnce:], point[placesAtOnce:]
	}
	for k, q := range query {
		d := q - point[k]
		sum += float64(d * d)
	}
	return sum
}

// bound returns a number that no distance of a node's points is below, rounding included: every
// term is no greater than that of any point, since subtraction and multiplication round
// monotonically, and so are their sums in the same order. A sum that is of no use any more is not
// finished: so far it is a bound, too.
func (s *search) bound(node int) float64 {
	low, high := s.box(node)
	high = high[:len(low)]
	sum, limit := 0.0, s.farthest()
	for k, q := range s.query {
		d := 0.0
		if q < low[k] {
			d = low[k] - q
		} else if q > high[k] {
			d = q - high[k]
		}
		if sum += float64(d * d); sum > limit {
			break
		}
	}
	return sum
}

// offer keeps a neighbour if it is within the limit and among the k first.
func (s *search) offer(n neighbour) {
	switch {
	case n.Distance > s.limit:
	case s.k == math.MaxInt: // all within the limit: no order is needed
		s.found = append(s.found, n)
	case len(s.found) < s.k:
		s.found = append(s.found, n)
		for i := len(s.found) - 1; i > 0; {
			up := (i - 1) / 2
			if !s.found[i].after(s.found[up]) {
				break
			}
			s.found[i], s.found[up] = s.found[up], s.found[i]
			i = up
		}
	case s.found[0].after(n):
		s.found[0] = n
		sink(s.found)
	}
}

// sink restores a heap whose top is out of order.
func sink(heap []neighbour) {
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(heap) {
			return
		}
		if down+1 < len(heap) && heap[down+1].after(heap[down]) {
			down++
		}
		if !heap[down].after(heap[i]) {
			return
		}
		heap[i], heap[down] = heap[down], heap[i]
		i = down
	}
}

// root returns the Euclidean distance of a neighbour.
func (a neighbour) root() float64 { return math.Sqrt(a.Distance) }

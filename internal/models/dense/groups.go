package dense

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// groups holds the points of an index in single precision, for a kernel that compares many points
// with a query at once. It only tells which points may be near enough. Their distances are then
// those of the numbers in double precision, so that what is found is the same without groups.
//
// A leaf's points are one group after the other, as kernel.Near takes them; what is missing of the
// last one is 0.
type groups struct {
	width   int
	stride  int       // numbers of a leaf
	numbers []float32 // of all leaves
	longest []float64 // of each leaf the greatest length of a point
}

// mostGrouped is the greatest absolute value of a number for which there are groups: squares of its
// differences are finite in single precision, for as many numbers as a vector may have.
const mostGrouped = 1e15

// leastGrouped is the least width of points in groups. Boxes leave out most points of narrower
// ones.
const leastGrouped = 3

// groupedPoints is the number of points up to which a node is searched in groups: wide points are
// seldom left out by boxes, which cost as much to look at as a point.
func groupedPoints(width int) int { return min(width, 8) * kernel.NearPoints }

// canGroup reports whether an index of these points has groups.
func canGroup(points []float64, width int) bool {
	if !kernel.VectorNear() || width < leastGrouped {
		return false
	}
	return withinGroups(points)
}

func withinGroups(numbers []float64) bool {
	for _, v := range numbers {
		if !(math.Abs(v) <= mostGrouped) {
			return false
		}
	}
	return true
}

// newGroups makes the groups of an index whose points are in order.
func newGroups(x *index) *groups {
	most := 0
	x.leaves(func(_, lo, hi int) { most = max(most, hi-lo) })
	perLeaf := (most + kernel.NearPoints - 1) / kernel.NearPoints
	g := &groups{width: x.width, stride: perLeaf * kernel.NearPoints * x.width,
		longest: make([]float64, 1<<x.levels)}
	g.numbers = make([]float32, g.stride<<x.levels)
	x.leaves(func(leaf, lo, hi int) {
		to := g.numbers[leaf*g.stride:][:g.stride]
		for i := range hi - lo {
			point := x.points[(lo+i)*x.width:][:x.width]
			group, place := i/kernel.NearPoints*x.width, i%kernel.NearPoints
			for k, v := range point {
				to[(group+k)*kernel.NearPoints+place] = float32(v)
			}
			g.longest[leaf] = max(g.longest[leaf], lengthOf(point))
		}
	})
	return g
}

// length returns the Euclidean length of a vector.
func lengthOf(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

// shortQuery is a query in single precision. It has no numbers where that is not precise enough.
type shortQuery struct {
	numbers []float32
	length  float64
}

// set takes a query.
func (s *shortQuery) set(query []float64) {
	s.numbers = s.numbers[:0]
	if !withinGroups(query) {
		return
	}
	s.length = lengthOf(query)
	for _, v := range query {
		s.numbers = append(s.numbers, float32(v))
	}
}

// limit returns the greatest square in single precision of a distance whose square is at most so
// much, of a point that is no longer than longest. With u = 2^-24, rounding both vectors moves
// their difference by at most u times their lengths; each of the width squares and sums is off by a
// factor of at most 1 + u. Twice as much is granted, and more than what is lost near 0.
func (g *groups) limit(square, queryLength, longest float64) float32 {
	const u = 1.0 / (1 << 24)
	distance := math.Sqrt(square) + float64(2*u*(queryLength+longest)) + 1e-18
	return float32(distance * distance * (1 + float64(2*u*float64(g.width+4))))
}

// visitGroups searches the points lo to hi of a leaf.
func (s *search) visitGroups(leaf, lo, hi int) {
	g := s.groups
	group := g.numbers[leaf*g.stride:][:g.stride]
	farthest, limit := math.NaN(), float32(0)
	for ; lo < hi; lo += kernel.NearPoints {
		if f := s.farthest(); f != farthest {
			farthest, limit = f, g.limit(f, s.short.length, g.longest[leaf])
		}
		near := kernel.Near(s.short.numbers, group[:g.width*kernel.NearPoints], limit)
		group = group[g.width*kernel.NearPoints:]
		if left := hi - lo; left < kernel.NearPoints {
			near &= 1<<left - 1
		}
		for ; near != 0; near &= near - 1 {
			s.measure(lo + bits.TrailingZeros32(near))
		}
	}
}

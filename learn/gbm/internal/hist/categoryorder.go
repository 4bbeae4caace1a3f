package hist

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// ranked is a category with the number that it is ordered by: its bits, such that they are ordered
// as numbers are.
type ranked struct {
	by  uint64
	bin int32
}

// rank returns a category ordered by a finite number.
func rank(x float64, bin int32) ranked {
	if x == 0 {
		x = 0 // not the negative one, which is the same number
	}
	b := math.Float64bits(x)
	return ranked{b ^ (uint64(int64(b)>>63) | 1<<63), bin}
}

// before is 1 if a is before b, else 0: of the same number as they are numbered. No branch is made
// of it, which would be guessed wrongly half of the time.
func (a ranked) before(b ranked) int {
	_, less := bits.Sub64(uint64(a.bin), uint64(b.bin), 0)
	_, less = bits.Sub64(a.by, b.by, less)
	return int(less)
}

const fewRanked = 12 // are sorted by insertion

// sortEnds puts those into order that are among the first or the last of so many; what lies between
// them is in any order. Parts between are sorted no further than the ends need.
func sortEnds(r []ranked, most int) { sortRanges(r, 0, len(r), most, 2*bits.Len(uint(len(r)))) }

// sortParts is sortEnds of the elements from lo to hi, whose places these are. More partitions than
// depth are those of an unlucky choice of pivots.
func sortRanges(r []ranked, lo, hi, most, depth int) {
	for hi-lo > fewRanked {
		if lo >= most && hi <= len(r)-most {
			return
		}
		if depth == 0 {
			slices.SortFunc(r[lo:hi], func(a, b ranked) int {
				return cmp.Or(cmp.Compare(a.by, b.by), int(a.bin-b.bin))
			})
			return
		}
		depth--
		m := lo + partition(r[lo:hi])
		sortRanges(r, lo, m, most, depth)
		lo = m + 1
	}
	for i := lo + 1; i < hi; i++ {
		e, j := r[i], i
		for ; j > lo && e.before(r[j-1]) != 0; j-- {
			r[j] = r[j-1]
		}
		r[j] = e
	}
}

// partition moves the median of three elements to its place, which it returns, and those before it
// to the front.
func partition(r []ranked) int {
	a, b, c := 0, len(r)/2, len(r)-1
	if r[b].before(r[a]) != 0 {
		a, b = b, a
	}
	if r[c].before(r[b]) != 0 {
		b = c
		if r[c].before(r[a]) != 0 {
			b = a
		}
	}
	last := len(r) - 1
	r[b], r[last] = r[last], r[b]
	pivot, m := r[last], 0
	for i, e := range r[:last] {
		r[i] = r[m]
		r[m] = e
		m += e.before(pivot)
	}
	r[m], r[last] = r[last], r[m]
	return m
}

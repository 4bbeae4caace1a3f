package bins

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

const (
	ranksFrom  = 1 << 18 // the number of keys from which ranks beat a sort of all
	rangeBits  = 12      // keys of a span are put in up to so many ranges, as a power of two
	sortedSpan = 1 << 8  // keys up to which a span is sorted at once
	peekedKeys = 1 << 10 // by which keys are passed over where one is heavy
)

// ranks finds keys by their rank. Keys are sorted only near the ranks that are requested: those
// of a span are put in ranges of equal width, and so are those of the ranges where that matters.
//
//	keys     | 3 1 2 | 4 7 5 6 | 9 8 |     ranges, in order; the keys inside them are not
//	at(5)            | 4 5 6 7 |           sorted for the rank 5
type ranks struct {
	keys, spare []uint64 // of the same length
	root        span
}

// span is keys of consecutive ranks.
type span struct {
	lo, hi int           // ranks
	sorted bool          // the keys are in order
	ends   []uint32      // of the ranges, if they are made: the rank behind the last key of each
	ranges map[int]*span // those that were looked into
}

// newRanks returns the ranks of keys, which it reorders, with memory for as many.
func newRanks(keys, spare []uint64) *ranks {
	return &ranks{keys: keys, spare: spare[:len(keys)], root: span{hi: len(keys)}}
}

// heavyAmong reports whether one of some keys that are spread over all seems to be at least as
// many as the mean of so many bins.
func heavyAmong(keys []uint64, most int) bool {
	var peek [peekedKeys]uint64
	for i := range peek {
		peek[i] = keys[i*len(keys)/peekedKeys]
	}
	slices.Sort(peek[:])
	run := 2 + peekedKeys/most
	for i := run - 1; i < len(peek); i++ {
		if peek[i] == peek[i-run+1] {
			return true
		}
	}
	return false
}

// divide sorts the keys of a span or puts them in ranges.
func (r *ranks) divide(s *span) {
	keys := r.keys[s.lo:s.hi]
	if len(keys) <= sortedSpan {
		slices.Sort(keys)
		s.sorted = true
		return
	}
	least, most := keys[0], keys[0]
	for _, k := range keys {
		least, most = min(least, k), max(most, k)
	}
	if s.sorted = least == most; s.sorted {
		return
	}
	width := min(bits.Len(uint(len(keys)))-4, rangeBits)
	shift := max(bits.Len64(most-least)-width, 0)
	s.ends = make([]uint32, (most-least)>>shift+1)
	for _, k := range keys {
		s.ends[(k-least)>>(shift&63)]++
	}
	next := uint32(s.lo)
	for i, n := range s.ends {
		s.ends[i] = next
		next += n
	}
	for _, k := range keys {
		i := (k - least) >> (shift & 63)
		r.spare[s.ends[i]] = k
		s.ends[i]++
	}
	if s == &r.root {
		r.keys, r.spare = r.spare, r.keys
		return
	}
	copy(keys, r.spare[s.lo:s.hi])
}

// within returns a range of a span.
func (s *span) within(i int) *span {
	if s.ranges == nil {
		s.ranges = map[int]*span{}
	}
	inner := s.ranges[i]
	if inner == nil {
		inner = &span{lo: s.lo, hi: int(s.ends[i])}
		if i > 0 {
			inner.lo = int(s.ends[i-1])
		}
		s.ranges[i] = inner
	}
	return inner
}

// sortedAt returns the sorted span that has a rank. Equal keys are in one.
func (r *ranks) sortedAt(rank int) *span {
	s := &r.root
	for {
		if !s.sorted && s.ends == nil {
			r.divide(s)
		}
		if s.sorted {
			return s
		}
		s = s.within(sort.Search(len(s.ends), func(i int) bool { return int(s.ends[i]) > rank }))
	}
}

// at returns the key of a rank.
func (r *ranks) at(rank int) uint64 {
	r.sortedAt(rank)
	return r.keys[rank]
}

// run returns the ranks of the keys that equal the one of a rank.
func (r *ranks) run(rank int) (lo, hi int) {
	s := r.sortedAt(rank)
	keys, key := r.keys[s.lo:s.hi], r.keys[rank]
	lo, _ = slices.BinarySearch(keys, key)
	hi = len(keys)
	if key < math.MaxUint64 {
		hi, _ = slices.BinarySearch(keys, key+1)
	}
	return s.lo + lo, s.lo + hi
}

// heavy reports whether there are so many equal keys in a span.
func (r *ranks) heavy(s *span, run int) bool {
	if s.hi-s.lo < run {
		return false
	}
	if !s.sorted && s.ends == nil {
		r.divide(s)
	}
	if s.sorted {
		for i := s.lo + run - 1; i < s.hi; i++ {
			if r.keys[i] == r.keys[i-run+1] {
				return true
			}
		}
		return false
	}
	lo := s.lo
	for i, hi := range s.ends {
		if int(hi)-lo >= run && r.heavy(s.within(i), run) {
			return true
		}
		lo = int(hi)
	}
	return false
}

// splitPoints returns what mass.splitPoints does of the same keys without weights. It reports
// false where a value is heavy.
func (r *ranks) splitPoints(most, least int) ([]float64, bool) {
	if r.heavy(&r.root, int(math.Ceil(float64(len(r.keys))/float64(most)))) {
		return nil, false
	}
	ends := joinSmallRanks(r.ends(most), least)
	splitPoints := make([]float64, 0, len(ends)-1)
	for _, e := range ends[:len(ends)-1] {
		splitPoints = appendBetween(splitPoints, r.at(e-1), r.at(e))
	}
	return splitPoints, true
}

// ends returns what mass.ends does where no value is heavy, as the rank behind the last key of
// every bin.
func (r *ranks) ends(most int) []int {
	n := len(r.keys)
	ends := make([]int, 0, most)
	rest := float64(n)
	for from, left := 0, most; from < n; left-- {
		next := n
		if left > 1 {
			next = r.fill(from, rest/float64(left))
		}
		ends = append(ends, next)
		rest -= float64(next - from)
		from = next
	}
	return ends
}

// fill is mass.fill for the bin that starts with the key of a rank.
func (r *ranks) fill(from int, want float64) (end int) {
	// the keys below this rank are no more than wanted
	rank := from + int(want)
	if rank >= len(r.keys) {
		return len(r.keys)
	}
	lo, hi := r.run(rank)
	if lo > from && float64(hi-from)-want > want-float64(lo-from) {
		return lo
	}
	return hi
}

// joinSmallRanks is joinSmall for the ranks behind bins, of which there is one at least.
func joinSmallRanks(ends []int, least int) []int {
	kept, from, last := ends[:0], 0, ends[len(ends)-1]
	for _, e := range ends {
		if e-from >= least {
			kept = append(kept, e)
			from = e
		}
	}
	if len(kept) == 0 {
		return append(kept, last)
	}
	kept[len(kept)-1] = last
	return kept
}

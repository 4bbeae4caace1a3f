package bins

import (
	"math"
	"math/bits"
)

// search finds the bins of numbers without a branch. The magnitudes of the cuts are parted into cells by their highest bits,
// on either side of zero, and a table tells how many cuts lie before a cell; only the few cuts inside it are compared.
//
//	magnitude of x     |  below lo  | lo .............. hi |  above hi
//	cell, x > 0           half         half ... half+side-1   half+side-1
//	cell, x < 0           half         half ... half-side+1   half-side+1
//	NaN                   the last cell, before which lie all cuts and one more
//
// Cells are in the order of numbers, so that whatever is in a lower cell is less.
type search struct {
	cuts   []uint64 // keys of the cuts, ascending; behind them the greatest key, as often as a search may look beyond
	start  []uint16 // per cell: cuts in lower cells
	lo, hi uint64   // least and greatest magnitude of a cut other than 0, as bits
	shift  uint8    // magnitudes that differ in lower bits only share a cell
	half   int      // the cell of 0
	width  int      // a power of two above the greatest number of cuts in a cell; 1 = no cell has any
}

// newSearch returns the search of ascending, finite cuts, 65,534 at most.
func newSearch(cuts []float64) *search {
	s := &search{lo: infinity}
	for _, c := range cuts {
		if m := math.Float64bits(math.Abs(c)); m > 0 {
			s.lo, s.hi = min(s.lo, m), max(s.hi, m)
		}
	}
	s.lo = min(s.lo, s.hi)
	side := 64
	for side < 8*len(cuts) {
		side *= 2
	}
	for (s.hi-s.lo)>>s.shift >= uint64(side) {
		s.shift++
	}
	s.half = side - 1
	cells := 2*side - 1
	s.start = make([]uint16, cells+1)
	most, n, last := 0, 0, -1
	for _, c := range cuts {
		cell := s.cell(math.Float64bits(c))
		if n++; cell != last {
			n, last = 1, cell
		}
		most = max(most, n)
		s.start[cell]++
	}
	before := uint16(0)
	for i, k := range s.start {
		s.start[i] = before
		before += k
	}
	s.start[cells] = uint16(len(cuts) + 1)
	for s.width = 1; s.width <= most; {
		s.width *= 2
	}
	s.cuts = make([]uint64, 0, len(cuts)+1+s.width)
	for _, c := range cuts {
		s.cuts = append(s.cuts, keyOf(c+0)) // of both zeros +0: x <= -0 holds for it
	}
	for range 1 + s.width {
		s.cuts = append(s.cuts, math.MaxUint64)
	}
	return s
}

// cell returns the cell of a number by its bits.
func (s *search) cell(b uint64) int {
	m := b &^ (1 << 63)
	u := int((min(max(m, s.lo), s.hi) - s.lo) >> s.shift)
	sign := int(int64(b) >> 63) // 0 or -1
	c := s.half + (u ^ sign) - sign
	if m > infinity {
		c = len(s.start) - 1
	}
	return c
}

// codes sets dst[i] to the bin of x[i]: how many cuts are less, and one more than there are cuts for NaN.
func codes[T uint8 | uint16](s *search, dst []T, x []float64) {
	dst = dst[:len(x)]
	start, cuts := s.start, s.cuts
	lo, hi, shift, half, missing := s.lo, s.hi, s.shift&63, s.half, len(s.start)-1
	for i, v := range x {
		// The body of cell, whose call would not be inlined.
		b := math.Float64bits(v)
		m := b &^ (1 << 63)
		u := int((min(max(m, lo), hi) - lo) >> shift)
		sign := int(int64(b) >> 63)
		cell := half + (u ^ sign) - sign
		if m > infinity {
			cell = missing
		}
		at := uint64(start[cell])
		key := b ^ (uint64(sign) | 1<<63)
		for w := uint64(s.width) / 2; w > 0; w /= 2 {
			_, less := bits.Sub64(cuts[at+w-1], key, 0)
			at += w & -less
		}
		dst[i] = T(at)
	}
}

package bins

import (
	"math"
	"math/bits"
)

// search finds the bins of numbers without a branch. The magnitudes of the split points are
// partitioned into cells by their highest bits, on either side of zero. A table holds the number of
// split points before each cell; only the few split points inside it are compared.
//
//	magnitude of x     |  below lo  |  lo ....... hi  |  above hi
//	cell, x > 0             top       top ... 2*top       2*top
//	cell, x < 0             top       top ... 0           0
//
// Cells are in the order of numbers, so that whatever is in a lower cell is less.
type search struct {
	// keys of the split points, ascending; behind them the greatest key, as often as a search may
	// look beyond
	splitPoints []uint64
	start       []uint16 // per cell: split points in lower cells
	lo          uint64   // least magnitude of a split point other than 0, as bits
	top         uint64   // the cell of 0, and of what is below lo; there are as many on either side
	shift       uint8    // magnitudes that differ in lower bits only are in one cell
	// a power of two above the greatest number of split points in a cell; 1 = no cell has any
	width   int
	missing int // the bin of NaN
}

// newSearch returns the search of ascending, finite split points, 65,534 at most.
func newSearch(splitPoints []float64) *search {
	lo, hi := uint64(infinity), uint64(0)
	for _, c := range splitPoints {
		if m := math.Float64bits(math.Abs(c)); m > 0 {
			lo, hi = min(lo, m), max(hi, m)
		}
	}
	s := &search{lo: min(lo, hi), missing: len(splitPoints) + 1}
	side := uint64(64)
	for side < uint64(8*len(splitPoints)) {
		side *= 2
	}
	for (hi-s.lo)>>s.shift >= side {
		s.shift++
	}
	s.top = side - 1
	s.start = make([]uint16, 2*side-1)
	most, n, last := 0, 0, -1
	for _, c := range splitPoints {
		cell := int(s.cell(c))
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
	for s.width = 1; s.width <= most; {
		s.width *= 2
	}
	s.splitPoints = make([]uint64, 0, len(splitPoints)+1+s.width)
	for _, c := range splitPoints {
		s.splitPoints = append(s.splitPoints, keyOf(c+0)) // of both zeros +0: x <= -0 holds for it
	}
	for range 1 + s.width {
		s.splitPoints = append(s.splitPoints, math.MaxUint64)
	}
	return s
}

// cell returns the cell of a number other than NaN.
func (s *search) cell(x float64) uint64 {
	b := math.Float64bits(x)
	// Magnitudes from lo on, 0 for lower ones, in cells of which the last holds all that are above.
	// Subtraction that borrows stands for comparison: the compiler would branch, and the values of
	// most columns are not to be foreseen.
	u, less := bits.Sub64(b&^(1<<63), s.lo, 0)
	scratch, more := bits.Sub64(s.top, u&^-less>>(s.shift&63), 0)
	u = s.top - scratch&^-more
	sign := uint64(int64(b) >> 63) // 0 or -1
	return s.top + (u ^ sign) - sign
}

// lookUp is how many numbers are looked up together: a short loop over them for every step needs no
// more registers than there are.
const lookUp = 256

// codes sets dst[i] to the bin of x[i]: how many split points are less, and one more than there are
// split points for NaN.
func codes[T uint8 | uint16](s *search, dst []T, x []float64) {
	if s.missing == 2 {
		codesOfTwo(s, dst, x)
		return
	}
	var at [lookUp]uint32
	for len(x) > 0 {
		n := min(len(x), lookUp)
		missing := s.begin(&at, x[:n])
		for w := s.width / 2; w > 1; w /= 2 {
			step(s.splitPoints, &at, x[:n], w)
		}
		lastStep(s.splitPoints, dst[:n], &at, x[:n])
		if missing {
			setMissing(dst[:n], x[:n], T(s.missing))
		}
		dst, x = dst[n:], x[n:]
	}
}

// codesOfTwo is codes for one split point: a comparison.
func codesOfTwo[T uint8 | uint16](s *search, dst []T, x []float64) {
	dst = dst[:len(x)]
	splitPoint, nan := s.splitPoints[0], uint64(0)
	for i, v := range x {
		nan |= infinity - math.Float64bits(v)&(1<<63-1)
		_, less := bits.Sub64(splitPoint, keyOf(v), 0)
		dst[i] = T(less)
	}
	if nan>>63 != 0 {
		setMissing(dst, x, T(s.missing))
	}
}

// begin sets at to how many split points lie before the cells of numbers. It reports whether any is
// NaN, whose place carries no information.
func (s *search) begin(at *[lookUp]uint32, x []float64) (missing bool) {
	lo, top, shift, start := s.lo, s.top, s.shift, s.start
	nan := uint64(0)
	for i, v := range x {
		b := math.Float64bits(v) // the body of cell, with the fields in registers
		m := b & (1<<63 - 1)
		nan |= infinity - m
		u, less := bits.Sub64(m, lo, 0)
		scratch, more := bits.Sub64(top, u&^-less>>(shift&63), 0)
		u = top - scratch&^-more
		sign := uint64(int64(b) >> 63)
		at[i&(lookUp-1)] = uint32(start[top+(u^sign)-sign])
	}
	return nan>>63 != 0
}

// step moves places behind the next w split points where all of these are less: one step of a
// binary search.
func step(splitPoints []uint64, at *[lookUp]uint32, x []float64, w int) {
	splitPoints = splitPoints[w-1:]
	for i, v := range x {
		a := at[i&(lookUp-1)]
		_, less := bits.Sub64(splitPoints[a], keyOf(v), 0)
		at[i&(lookUp-1)] = a + uint32(w)&-uint32(less)
	}
}

// lastStep is the step of one split point. Where no cell has a split point it changes nothing: the
// split point behind a cell is not less.
func lastStep[T uint8 | uint16](splitPoints []uint64, dst []T, at *[lookUp]uint32, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		a := at[i&(lookUp-1)]
		_, less := bits.Sub64(splitPoints[a], keyOf(v), 0)
		dst[i] = T(a + uint32(less))
	}
}

// setMissing sets the codes of NaN.
func setMissing[T uint8 | uint16](dst []T, x []float64, missing T) {
	dst = dst[:len(x)]
	for i, v := range x {
		nan := T(int64(infinity-math.Float64bits(v)&^(1<<63)) >> 63) // 0 or all bits
		dst[i] = dst[i]&^nan | missing&nan
	}
}

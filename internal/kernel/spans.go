package kernel

import "math"

// SpanColumns is the number of columns that GatherSpans reads together: a vector holds a value of
// each.
const SpanColumns = 4

// Spans is what GatherSpans finds of SpanColumns columns.
type Spans struct {
	// the least and the greatest of the values that are not NaN; +Inf and -Inf if there are none
	Least, Most [SpanColumns]float64
	Missing     [SpanColumns]uint64 // other than 0 where a value is NaN
}

// Reset makes the spans those of no rows.
func (s *Spans) Reset() {
	for k := range SpanColumns {
		s.Least[k], s.Most[k], s.Missing[k] = math.Inf(1), math.Inf(-1), 0
	}
}

// GatherSpans copies the values of some rows to dst, SpanColumns of them for each row, and extends
// spans by them. The value of a row stands in a column at stride times the row: so columns may be
// parts of a table that lies row by row. Of zeros of both signs either may be the least or the
// greatest. Every column has all of the rows: nothing is checked again.
//
//	dst   | a0 b0 c0 d0 | a1 b1 c1 d1 | ...    columns a to d, rows 0, 1, ...
func GatherSpans(
	dst []float64, columns *[SpanColumns][]float64, stride int, rows []uint32, spans *Spans,
) {
	if len(rows) == 0 {
		return
	}
	dst = dst[:SpanColumns*len(rows)]
	if !gatherSpansInVectors(dst, columns, stride, rows, spans) {
		gatherSpansPlain(dst, columns, stride, rows, spans)
	}
}

// gatherSpansPlain is the twin of the assembly, a column at a time.
func gatherSpansPlain(
	dst []float64, columns *[SpanColumns][]float64, stride int, rows []uint32, spans *Spans,
) {
	for k, column := range columns {
		var missing bool
		spans.Least[k], spans.Most[k], missing = gatherColumn(dst[k:], SpanColumns, column, stride,
			rows, spans.Least[k], spans.Most[k])
		if missing {
			spans.Missing[k] = math.MaxUint64
		}
	}
}

// gatherColumn copies the values of some rows of a column to every width-th place of dst. It
// extends the span from low to high by them, and reports whether one is NaN.
func gatherColumn[F float32 | float64](
	dst []F, width int, column []F, stride int, rows []uint32, low, high F,
) (least, most F, missing bool) {
	for i, row := range rows {
		v := column[stride*int(row)]
		dst[width*i] = v
		if v != v {
			missing = true
		}
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high, missing
}

// PairSums is the sums of two numbers of rows, for each column of two vectors of columns.
type PairSums [2][2][SpanColumns]float64 // by vector, number, column

// SumPairsUpTo adds the pairs of the rows whose value is at most the limit of a column to the sums
// of the column, in the order of the rows. a and b hold what GatherSpans copied of the columns of
// either vector; pairs are finite.
func SumPairsUpTo(
	sums *PairSums, a, b []float64, limits *[2][SpanColumns]float64, pairs [][2]float64,
) {
	if len(pairs) == 0 {
		return
	}
	a, b = a[:SpanColumns*len(pairs)], b[:SpanColumns*len(pairs)]
	if !sumPairsInVectors(sums, a, b, limits, pairs) {
		sumPairsPlain(sums, a, b, limits, pairs)
	}
}

// sumPairsPlain is the twin of the assembly. A product with 0 stands for a branch, which would be
// mispredicted.
func sumPairsPlain(
	sums *PairSums, a, b []float64, limits *[2][SpanColumns]float64, pairs [][2]float64,
) {
	for v, values := range [2][]float64{a, b} {
		for k, limit := range limits[v] {
			first, second := sums[v][0][k], sums[v][1][k]
			for i := range pairs {
				in := float64(one(values[SpanColumns*i+k] <= limit))
				first += float64(in * pairs[i][0])
				second += float64(in * pairs[i][1])
			}
			sums[v][0][k], sums[v][1][k] = first, second
		}
	}
}

// SlotSums is the sums of a slot for each column of two vectors of columns.
type SlotSums [2][SpanColumns]float64

// SumSlotsUpTo is SumPairsUpTo for rows that have one number each, which is added to the sums of
// the row's slot.
func SumSlotsUpTo(
	sums []SlotSums, a, b []float64, limits *[2][SpanColumns]float64, slots []uint32,
	numbers []float64,
) {
	if len(slots) == 0 {
		return
	}
	a, b = a[:SpanColumns*len(slots)], b[:SpanColumns*len(slots)]
	numbers = numbers[:len(slots)]
	if !sumSlotsInVectors(sums, a, b, limits, slots, numbers) {
		sumSlotsPlain(sums, a, b, limits, slots, numbers)
	}
}

// sumSlotsPlain is the twin of the assembly.
func sumSlotsPlain(
	sums []SlotSums, a, b []float64, limits *[2][SpanColumns]float64, slots []uint32,
	numbers []float64,
) {
	for v, values := range [2][]float64{a, b} {
		for k, limit := range limits[v] {
			for i, slot := range slots {
				in := float64(one(values[SpanColumns*i+k] <= limit))
				sums[slot][v][k] += float64(in * numbers[i])
			}
		}
	}
}

package kernel

import "math"

// SingleColumns is the number of columns that GatherSingles reads together: a vector holds a value
// of each in single precision.
const SingleColumns = 8

// SingleSpans is what GatherSingles finds of SingleColumns columns; see Spans.
type SingleSpans struct {
	Least, Most [SingleColumns]float32
	Missing     [SingleColumns]uint32
}

// Reset makes the spans those of no rows.
func (s *SingleSpans) Reset() {
	for k := range SingleColumns {
		s.Least[k], s.Most[k], s.Missing[k] = float32(math.Inf(1)), float32(math.Inf(-1)), 0
	}
}

// GatherSingles is GatherSpans of columns in single precision, twice as many.
func GatherSingles(
	dst []float32, columns *[SingleColumns][]float32, stride int, rows []uint32,
	spans *SingleSpans,
) {
	if len(rows) == 0 {
		return
	}
	dst = dst[:SingleColumns*len(rows)]
	if !gatherSinglesInVectors(dst, columns, stride, rows, spans) {
		gatherSinglesPlain(dst, columns, stride, rows, spans)
	}
}

// gatherSinglesPlain is the twin of the assembly, a column at a time.
func gatherSinglesPlain(
	dst []float32, columns *[SingleColumns][]float32, stride int, rows []uint32,
	spans *SingleSpans,
) {
	for k, column := range columns {
		var missing bool
		spans.Least[k], spans.Most[k], missing = gatherColumn(dst[k:], SingleColumns, column,
			stride, rows, spans.Least[k], spans.Most[k])
		if missing {
			spans.Missing[k] = math.MaxUint32
		}
	}
}

// SumSinglePairs is SumPairsUpTo of what GatherSingles copied. The first SpanColumns columns are
// the first vector of the sums.
func SumSinglePairs(
	sums *PairSums, values []float32, limits *[SingleColumns]float32, pairs [][2]float64,
) {
	if len(pairs) == 0 {
		return
	}
	values = values[:SingleColumns*len(pairs)]
	if !sumSinglePairsInVectors(sums, values, limits, pairs) {
		sumSinglePairsPlain(sums, values, limits, pairs)
	}
}

// sumSinglePairsPlain is the twin of the assembly.
func sumSinglePairsPlain(
	sums *PairSums, values []float32, limits *[SingleColumns]float32, pairs [][2]float64,
) {
	for k, limit := range limits {
		of := &sums[k/SpanColumns]
		first, second := of[0][k%SpanColumns], of[1][k%SpanColumns]
		for i := range pairs {
			in := float64(one(values[SingleColumns*i+k] <= limit))
			first += float64(in * pairs[i][0])
			second += float64(in * pairs[i][1])
		}
		of[0][k%SpanColumns], of[1][k%SpanColumns] = first, second
	}
}

// SumSingleSlots is SumSlotsUpTo of what GatherSingles copied.
func SumSingleSlots(
	sums []SlotSums, values []float32, limits *[SingleColumns]float32, slots []uint32,
	numbers []float64,
) {
	if len(slots) == 0 {
		return
	}
	values, numbers = values[:SingleColumns*len(slots)], numbers[:len(slots)]
	if !sumSingleSlotsInVectors(sums, values, limits, slots, numbers) {
		sumSingleSlotsPlain(sums, values, limits, slots, numbers)
	}
}

// sumSingleSlotsPlain is the twin of the assembly.
func sumSingleSlotsPlain(
	sums []SlotSums, values []float32, limits *[SingleColumns]float32, slots []uint32,
	numbers []float64,
) {
	for k, limit := range limits {
		for i, slot := range slots {
			in := float64(one(values[SingleColumns*i+k] <= limit))
			sums[slot][k/SpanColumns][k%SpanColumns] += float64(in * numbers[i])
		}
	}
}

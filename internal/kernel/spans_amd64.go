//go:build amd64 && !purego

package kernel

// gatherSpansInVectors is GatherSpans of one row at least, if it reports true.
func gatherSpansInVectors(
	dst []float64, columns *[SpanColumns][]float64, stride int, rows []uint32, spans *Spans,
) bool {
	if !hasAVX2 {
		return false
	}
	gatherSpans(&dst[0], columns, stride, &rows[0], len(rows), spans)
	return true
}

// sumPairsInVectors is SumPairsUpTo of one row at least, if it reports true.
func sumPairsInVectors(
	sums *PairSums, a, b []float64, limits *[2][SpanColumns]float64, pairs [][2]float64,
) bool {
	if !hasAVX2 {
		return false
	}
	sumPairs(sums, &a[0], &b[0], limits, &pairs[0], len(pairs))
	return true
}

// sumSlotsInVectors is SumSlotsUpTo of one row at least, if it reports true.
func sumSlotsInVectors(
	sums []SlotSums, a, b []float64, limits *[2][SpanColumns]float64, slots []uint32,
	numbers []float64,
) bool {
	if !hasAVX2 {
		return false
	}
	sumSlots(&sums[0], &a[0], &b[0], limits, &slots[0], &numbers[0], len(slots))
	return true
}

//go:noescape
func gatherSpans(dst *float64, columns *[SpanColumns][]float64, stride int, rows *uint32, n int,
	spans *Spans)

//go:noescape
func sumPairs(sums *PairSums, a, b *float64, limits *[2][SpanColumns]float64, pairs *[2]float64,
	n int)

//go:noescape
func sumSlots(sums *SlotSums, a, b *float64, limits *[2][SpanColumns]float64, slots *uint32,
	numbers *float64, n int)

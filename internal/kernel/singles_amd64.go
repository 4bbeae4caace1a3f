//go:build amd64 && !purego

package kernel

// gatherSinglesInVectors is GatherSingles of one row at least, if it reports true.
func gatherSinglesInVectors(
	dst []float32, columns *[SingleColumns][]float32, stride int, rows []uint32,
	spans *SingleSpans,
) bool {
	if !hasAVX2 {
		return false
	}
	gatherSingles(&dst[0], columns, stride, &rows[0], len(rows), spans)
	return true
}

// sumSinglePairsInVectors is SumSinglePairs of one row at least, if it reports true.
func sumSinglePairsInVectors(
	sums *PairSums, values []float32, limits *[SingleColumns]float32, pairs [][2]float64,
) bool {
	if !hasAVX2 {
		return false
	}
	sumSinglePairs(sums, &values[0], limits, &pairs[0], len(pairs))
	return true
}

// sumSingleSlotsInVectors is SumSingleSlots of one row at least, if it reports true.
func sumSingleSlotsInVectors(
	sums []SlotSums, values []float32, limits *[SingleColumns]float32, slots []uint32,
	numbers []float64,
) bool {
	if !hasAVX2 {
		return false
	}
	sumSingleSlots(&sums[0], &values[0], limits, &slots[0], &numbers[0], len(slots))
	return true
}

//go:noescape
func gatherSingles(dst *float32, columns *[SingleColumns][]float32, stride int, rows *uint32,
	n int, spans *SingleSpans)

//go:noescape
func sumSinglePairs(sums *PairSums, values *float32, limits *[SingleColumns]float32,
	pairs *[2]float64, n int)

//go:noescape
func sumSingleSlots(sums *SlotSums, values *float32, limits *[SingleColumns]float32,
	slots *uint32, numbers *float64, n int)

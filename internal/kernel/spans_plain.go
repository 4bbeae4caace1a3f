//go:build !amd64 || purego

package kernel

func gatherSpansInVectors(
	_ []float64, _ *[SpanColumns][]float64, _ int, _ []uint32, _ *Spans,
) bool {
	return false
}

func sumPairsInVectors(
	_ *PairSums, _, _ []float64, _ *[2][SpanColumns]float64, _ [][2]float64,
) bool {
	return false
}

func sumSlotsInVectors(
	_ []SlotSums, _, _ []float64, _ *[2][SpanColumns]float64, _ []uint32, _ []float64,
) bool {
	return false
}

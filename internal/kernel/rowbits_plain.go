//go:build !amd64 || purego

package kernel

func codeBitsInVectors(_ []RowBits, _ []int8, _ int8) bool { return false }

func scanCutsInVectors(_ []uint8, _ []CutTree, _ []CutNode, _ []RowBits, _ *Cuts) bool {
	return false
}

func scanPlacedInVectors(
	_ []uint8, _ []CutTree, _ []CutNode, _ []uint32, _ *Placed, _ *Cuts,
) bool {
	return false
}

// permutes reports whether there are vectors that hold all of a table.
const permutes = false

func addLanePairsInVectors(
	_ *[LanePairs]uint8, _, _ []LaneNodes, _ *[MaxLaneCodes]int8, _ int, _ *LaneSum,
) bool {
	return false
}

func sumTablesInVectors(_ []float64, _ []uint8, _ []uint16, _, _ int) bool { return false }

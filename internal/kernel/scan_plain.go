//go:build !amd64 || purego

package kernel

func scansVectors() bool { return false }

func scanInVectors(_ []uint8, _ []ScanNode, _ []int32, _ []int8, _ int) bool { return false }

func (c *Coder) codesInVectors(_ []int8, _ []float64) (done int, missing bool) { return 0, false }

func (c *WideCoder) codesInVectors(_ []uint16, _ []float64) (done int, missing bool) {
	return 0, false
}

func sumLeavesInEights(sum []float64, leaf []uint8, value []float64, at []uint32, rows int) int {
	return sumLeavesPlain(sum, leaf, value, at, rows)
}

func (r *RowCoder) codes(dst []int8, row []float64) (missing bool) { return r.codesPlain(dst, row) }

func scanLanes(leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, _ int) {
	scanLanesPlain(leaf, nodes, codes)
}

func scanLaneRowsInVectors(
	_ []uint8, _ []LaneNodes, _ *[LaneRows][MaxLaneCodes]int8, _ int,
) bool {
	return false
}

func scanLaneLevelRowsInVectors(
	_ []uint8, _ []LaneNodes, _ *[LaneRows][MaxLaneCodes]int8, _ int,
) bool {
	return false
}

func addLanesInVectors(
	_ *[LaneTrees]uint8, _ []LaneNodes, _ *[MaxLaneCodes]int8, _ int, _ bool, _ *LaneSum,
) bool {
	return false
}

func scanLevelsInVectors(_ []uint8, _ []ScanNode, _ []int32, _ []int8, _ int) bool { return false }

func scanLaneLevels(leaf *[LaneTrees]uint8, levels []LaneNodes, codes *[MaxLaneCodes]int8, _ int) {
	scanLaneLevelsPlain(leaf, levels, codes)
}

func sumRowInFours(_ *float64, _ []uint8, _ []float64, _ []uint32) int { return 0 }

func sideCodesInVectors(_, _ []int8, _ *SideTable) bool { return false }

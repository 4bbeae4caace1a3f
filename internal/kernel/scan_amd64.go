//go:build amd64 && !purego

package kernel

// scansVectors reports whether Scan has vectors of bytes.
func scansVectors() bool { return hasAVX2 }

// scanInVectors is Scan, if it reports true.
func scanInVectors(leaf []uint8, nodes []ScanNode, at []int32, codes []int8, rows int) bool {
	if !hasAVX2 || len(codes) == 0 || len(nodes) == 0 {
		return false
	}
	for lo := 0; lo < rows; {
		vectors, scan := 8, scan8
		switch left := (rows - lo + ScanWidth - 1) / ScanWidth; {
		case left <= 1:
			vectors, scan = 1, scan1
		case left <= 2:
			vectors, scan = 2, scan2
		case left < 8: // four take half as long as eight
			vectors, scan = 4, scan4
		}
		scan(&leaf[lo], &nodes[0], &at[0], len(at)-1, &codes[lo])
		lo += vectors * ScanWidth
	}
	return true
}

// sumLeavesInEights is SumLeaves of all rows but the last few, and returns how many it did.
func sumLeavesInEights(sum []float64, leaf []uint8, value []float64, at []uint32, rows int) int {
	if !hasAVX2 || rows == 0 || len(at) == 0 {
		return sumLeavesPlain(sum, leaf, value, at, rows)
	}
	if eights := rows / 8; eights > 0 {
		sumOfEights(&sum[0], eights, &leaf[0], &value[0], &at[0], len(at))
	}
	for lo := rows &^ 7; lo < rows; lo += 4 {
		var four [4]float64
		n := copy(four[:], sum[lo:rows])
		sumOfFour(&four, &leaf[lo], &value[0], &at[0], len(at))
		copy(sum[lo:][:n], four[:])
	}
	return rows
}

//go:noescape
func scan8(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func scan4(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func scan2(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func scan1(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func sumOfEights(sum *float64, eights int, leaf *uint8, value *float64, at *uint32, trees int)

//go:noescape
func sumOfFour(sum *[4]float64, leaf *uint8, value *float64, at *uint32, trees int)

func scanLanes(leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, columns int) {
	switch {
	case !hasAVX2:
		scanLanesPlain(leaf, nodes, codes)
	case columns <= 32:
		scanLanes32(leaf, &nodes[0], len(nodes), codes)
	case columns <= 64:
		scanLanes64(leaf, &nodes[0], len(nodes), codes)
	default:
		scanLanes128(leaf, &nodes[0], len(nodes), codes)
	}
}

//go:noescape
func scanLanes32(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)

//go:noescape
func scanLanes64(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)

//go:noescape
func scanLanes128(leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8)

// sumRowInFours is SumRow of all trees but the last few, and returns how many it did.
func sumRowInFours(sum *float64, leaf []uint8, value []float64, at []uint32) int {
	fours := len(at) / 4
	if !hasAVX2 || fours == 0 {
		return 0
	}
	_ = leaf[4*fours-1]
	sumOfRow(sum, fours, &leaf[0], &value[0], &at[0])
	return 4 * fours
}

//go:noescape
func sumOfRow(sum *float64, fours int, leaf *uint8, value *float64, at *uint32)

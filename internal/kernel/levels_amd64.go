//go:build amd64 && !purego

package kernel

// scanLevelsInVectors is ScanLevels, if it reports true.
func scanLevelsInVectors(leaf []uint8, nodes []ScanNode, at []int32, codes []int8, rows int) bool {
	if !hasAVX2 || len(codes) == 0 || len(nodes) == 0 {
		return false
	}
	for lo := 0; lo < rows; {
		vectors, scan := 8, levels8
		if left := (rows - lo + ScanWidth - 1) / ScanWidth; left < 8 {
			vectors, scan = 2, levels2
		}
		scan(&leaf[lo], &nodes[0], &at[0], len(at)-1, &codes[lo])
		lo += vectors * ScanWidth
	}
	return true
}

func scanLaneLevels(
	leaf *[LaneTrees]uint8, levels []LaneNodes, codes *[MaxLaneCodes]int8, columns int,
) {
	switch {
	case !hasAVX2:
		scanLaneLevelsPlain(leaf, levels, codes)
	case columns <= 32:
		laneLevels32(leaf, &levels[0], len(levels), codes)
	case columns <= 64:
		laneLevels64(leaf, &levels[0], len(levels), codes)
	default:
		laneLevels128(leaf, &levels[0], len(levels), codes)
	}
}

//go:noescape
func levels8(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func levels2(leaf *uint8, nodes *ScanNode, at *int32, trees int, codes *int8)

//go:noescape
func laneLevels32(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)

//go:noescape
func laneLevels64(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)

//go:noescape
func laneLevels128(leaf *[LaneTrees]uint8, levels *LaneNodes, n int, codes *[MaxLaneCodes]int8)

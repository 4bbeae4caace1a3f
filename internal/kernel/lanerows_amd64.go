//go:build amd64 && !purego

package kernel

func scanLaneRowsInVectors(
	leaf []uint8, nodes []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8, columns int,
) bool {
	switch {
	case !hasAVX2:
		return false
	case permutes && columns <= 64:
		permutedRows64(&leaf[0], &nodes[0], len(nodes), codes)
	case permutes:
		permutedRows128(&leaf[0], &nodes[0], len(nodes), codes)
	case columns <= 32:
		laneRows32(&leaf[0], &nodes[0], len(nodes), codes)
	case columns <= 64:
		laneRows64(&leaf[0], &nodes[0], len(nodes), codes)
	default:
		laneRows128(&leaf[0], &nodes[0], len(nodes), codes)
	}
	return true
}

func scanLaneLevelRowsInVectors(
	leaf []uint8, levels []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8, columns int,
) bool {
	switch {
	case !hasAVX2:
		return false
	case permutes && columns <= 64:
		permutedLevels64(&leaf[0], &levels[0], len(levels), codes)
	case permutes:
		permutedLevels128(&leaf[0], &levels[0], len(levels), codes)
	case columns <= 32:
		laneLevelRows32(&leaf[0], &levels[0], len(levels), codes)
	case columns <= 64:
		laneLevelRows64(&leaf[0], &levels[0], len(levels), codes)
	default:
		laneLevelRows128(&leaf[0], &levels[0], len(levels), codes)
	}
	return true
}

//go:noescape
func laneRows32(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func laneRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func laneRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func laneLevelRows32(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func laneLevelRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func laneLevelRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func permutedRows64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func permutedRows128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func permutedLevels64(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:noescape
func permutedLevels128(leaf *uint8, nodes *LaneNodes, n int, codes *[LaneRows][MaxLaneCodes]int8)

//go:build amd64 && !purego

package kernel

func addLanePairsInVectors(
	leaf *[LanePairs]uint8, a, b []LaneNodes, codes *[MaxLaneCodes]int8, columns int, s *LaneSum,
) bool {
	if !permutes {
		return false
	}
	switch {
	case columns <= 32:
		addPairs32(&leaf[0], &a[0], &b[0], len(a), codes, s)
	case columns <= 64:
		addPairs64(&leaf[0], &a[0], &b[0], len(a), codes, s)
	default:
		addPairs128(&leaf[0], &a[0], &b[0], len(a), codes, s)
	}
	return true
}

//go:noescape
func addPairs32(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)

//go:noescape
func addPairs64(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)

//go:noescape
func addPairs128(leaf *uint8, a, b *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum)

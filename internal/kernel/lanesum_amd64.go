//go:build amd64 && !purego

package kernel

func addLanesInVectors(
	leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, columns int, levels bool,
	s *LaneSum,
) bool {
	if !hasAVX2 {
		return false
	}
	switch { // each call by its name, so that nothing escapes
	case columns <= 32 && levels:
		addLaneLevels32(leaf, &nodes[0], len(nodes), codes, s)
	case columns <= 64 && levels:
		addLaneLevels64(leaf, &nodes[0], len(nodes), codes, s)
	case levels:
		addLaneLevels128(leaf, &nodes[0], len(nodes), codes, s)
	case columns <= 32:
		addLanes32(leaf, &nodes[0], len(nodes), codes, s)
	case columns <= 64:
		addLanes64(leaf, &nodes[0], len(nodes), codes, s)
	default:
		addLanes128(leaf, &nodes[0], len(nodes), codes, s)
	}
	return true
}

//go:noescape
func addLanes32(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

//go:noescape
func addLanes64(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

//go:noescape
func addLanes128(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

//go:noescape
func addLaneLevels32(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

//go:noescape
func addLaneLevels64(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

//go:noescape
func addLaneLevels128(
	leaf *[LaneTrees]uint8, nodes *LaneNodes, n int, codes *[MaxLaneCodes]int8, s *LaneSum,
)

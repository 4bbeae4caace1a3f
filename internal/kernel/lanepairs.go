package kernel

// LanePairs is the number of trees that AddLanePairs takes one row through at once.
const LanePairs = 2 * LaneTrees

// AddLanePairs is AddLanes for two groups of trees, whose nodes are as many and at least one. Trees
// are not oblivious.
func AddLanePairs(
	leaf *[LanePairs]uint8, a, b []LaneNodes, codes *[MaxLaneCodes]int8, columns int, s *LaneSum,
) {
	b = b[:len(a)]
	if !addLanePairsInVectors(leaf, a, b, codes, columns, s) {
		addLanePairsPlain(leaf, a, b, codes, s)
	}
}

// addLanePairsPlain is the twin of the assembly.
func addLanePairsPlain(
	leaf *[LanePairs]uint8, a, b []LaneNodes, codes *[MaxLaneCodes]int8, s *LaneSum,
) {
	s.Add()
	scanLanesPlain((*[LaneTrees]uint8)(leaf[:LaneTrees]), a, codes)
	scanLanesPlain((*[LaneTrees]uint8)(leaf[LaneTrees:]), b, codes)
}

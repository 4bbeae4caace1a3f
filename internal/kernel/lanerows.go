package kernel

// LaneRows is the number of rows that ScanLaneRows takes through LaneTrees trees at once.
const LaneRows = 4

// ScanLaneRows is ScanLanes for LaneRows rows. leaf is as that of Scan, from the first of these
// rows on: ScanRows numbers for each of LaneTrees trees, of which the rows' own are written. codes
// are those of the rows, MaxLaneCodes for each.
func ScanLaneRows(
	leaf []uint8, nodes []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8, columns int,
) {
	leaf = leaf[:(LaneTrees-1)*ScanRows+LaneRows]
	if len(nodes) == 0 || !scanLaneRowsInVectors(leaf, nodes, codes, columns) {
		scanLaneRowsPlain(leaf, nodes, codes)
	}
}

// scanLaneRowsPlain is the twin of the assembly.
func scanLaneRowsPlain(leaf []uint8, nodes []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8) {
	for r := range codes {
		var alone [LaneTrees]uint8
		scanLanesPlain(&alone, nodes, &codes[r])
		for t, number := range alone {
			leaf[t*ScanRows+r] = number
		}
	}
}

// ScanLaneLevelRows is ScanLaneRows for oblivious trees, whose nodes are as for ScanLaneLevels.
func ScanLaneLevelRows(
	leaf []uint8, levels []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8, columns int,
) {
	leaf = leaf[:(LaneTrees-1)*ScanRows+LaneRows]
	if len(levels) == 0 || !scanLaneLevelRowsInVectors(leaf, levels, codes, columns) {
		scanLaneLevelRowsPlain(leaf, levels, codes)
	}
}

// scanLaneLevelRowsPlain is the twin of the assembly.
func scanLaneLevelRowsPlain(
	leaf []uint8, levels []LaneNodes, codes *[LaneRows][MaxLaneCodes]int8,
) {
	for r := range codes {
		var alone [LaneTrees]uint8
		scanLaneLevelsPlain(&alone, levels, &codes[r])
		for t, number := range alone {
			leaf[t*ScanRows+r] = number
		}
	}
}

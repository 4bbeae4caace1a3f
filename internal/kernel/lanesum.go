package kernel

// LaneSum is the sum of one row, and what is still to be added to it: the values of the leaves that
// it reaches in up to LanePairs trees.
type LaneSum struct {
	Sum   float64
	Leaf  *[LanePairs]uint8 // by tree
	Value []float64         // of leaves; those of tree t from At[t] on
	At    []uint32          // by tree
}

// AddLanes is ScanLanes, or ScanLaneLevels where levels is true. It also adds what s holds to the
// sum of s, in the order of the trees. Each addition waits for the one before, and the lanes make
// use of the time.
func AddLanes(
	leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, columns int, levels bool,
	s *LaneSum,
) {
	if len(nodes) > 0 && len(s.At) > 0 && addLanesInVectors(leaf, nodes, codes, columns, levels, s) {
		return
	}
	s.Add()
	if levels {
		ScanLaneLevels(leaf, nodes, codes, columns)
	} else {
		ScanLanes(leaf, nodes, codes, columns)
	}
}

// Add adds what s holds to its sum.
func (s *LaneSum) Add() {
	s.Sum = SumRow(s.Sum, s.Leaf[:len(s.At)], s.Value, s.At)
}

package kernel

// LaneTrees is the number of trees that ScanLanes takes one row through at once.
const LaneTrees = 32

// MaxLaneCodes is the largest number of codes of a row for ScanLanes.
const MaxLaneCodes = 128

// LaneNodes is a node of each of LaneTrees trees, those with the same place in the preorder of
// their trees. Fields are as in ScanNode, but Column is the number of the code that a node tests.
// Where a tree has no such node First and Last are equal.
type LaneNodes struct {
	Column [LaneTrees]uint8
	Above  [LaneTrees]int8
	First  [LaneTrees]uint8
	Last   [LaneTrees]uint8
}

// ScanLanes writes the number of the leaf that one row reaches in each of LaneTrees trees. codes
// are those of the row, MaxLaneCodes of which columns are in use.
func ScanLanes(leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8, columns int) {
	if len(nodes) == 0 {
		*leaf = [LaneTrees]uint8{}
		return
	}
	scanLanes(leaf, nodes, codes, columns)
}

// scanLanesPlain is the twin of the assembly.
func scanLanesPlain(leaf *[LaneTrees]uint8, nodes []LaneNodes, codes *[MaxLaneCodes]int8) {
	*leaf = [LaneTrees]uint8{}
	for i := range nodes {
		n := &nodes[i]
		for t := range leaf {
			if leaf[t] == n.First[t] && codes[n.Column[t]] >= n.Above[t] {
				leaf[t] = n.Last[t]
			}
		}
	}
}

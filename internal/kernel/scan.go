package kernel

// ScanNode is an inner node of a tree whose leaves are numbered from the first to the last, in the
// order of a walk that visits the first child before the last. A row that reaches the node has the
// number of its first leaf. If the row goes to the last child it gets the number of that child's
// first leaf:
//
//	   node              First 4, Last 6
//	  /    \
//	4, 5   6, 7, 8
type ScanNode struct {
	At    uint32 // where the codes of the column that it tests begin
	Above int8   // the least code that goes to the last child
	First uint8
	Last  uint8
	_     uint8
}

const (
	// ScanRows is the number of rows of a tile.
	ScanRows = 256
	// ScanWidth is the number of rows that Scan rounds up to.
	ScanWidth = 32
	// MaxScanLeaves is the largest number of leaves of a tree that Scan supports.
	MaxScanLeaves = 256
	// SmallLeaves is the largest number of leaves of a tree that Scan calls small.
	SmallLeaves = 128
)

// Scan writes into leaf the number of the leaf that each row of a tile reaches in some trees, tree
// after tree, ScanRows numbers for each. nodes are those of all of them, each tree's in preorder:
// tree t has those from at[t] up to at[t+1]. codes are those of the tile, ScanRows for each column.
//
// All rows take part in every node: a tree is a sequence of comparisons without a branch. Numbers
// are written for rows rounded up to whole vectors, and codes are read for as many. small reports
// that no code is negative and no tree has more than 128 leaves.
func Scan(leaf []uint8, nodes []ScanNode, at []int32, codes []int8, rows int, small bool) {
	trees := len(at) - 1
	leaf = leaf[:trees*ScanRows]
	if rows <= 0 || trees <= 0 {
		return
	}
	if scanInVectors(leaf, nodes, at, codes, rows) {
		return
	}
	scan := scanPlain
	if small {
		scan = scanWords
	}
	for t := range trees {
		scan(leaf[t*ScanRows:][:ScanRows], nodes[at[t]:at[t+1]], codes, rows)
	}
}

// scanPlain is the twin of the assembly.
func scanPlain(leaf []uint8, nodes []ScanNode, codes []int8, rows int) {
	rows = (rows + ScanWidth - 1) / ScanWidth * ScanWidth
	clear(leaf[:rows])
	for i := range nodes {
		n := &nodes[i]
		x := codes[n.At:][:rows]
		for r := range x {
			if leaf[r] == n.First && x[r] >= n.Above {
				leaf[r] = n.Last
			}
		}
	}
}

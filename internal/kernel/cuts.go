package kernel

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// CutNode is an inner node of a tree in the form for ScanCuts. A cut is the rows that end at a leaf
// from some number on: the first one all rows, and one beyond the last leaf none. The leaves below
// a node are those between two cuts, and the node makes another one between these:
//
//	   node            Low 4, High 9, Cut 6: the rows that end at leaves from 6 on
//	  /    \
//	4, 5   6, 7, 8
//
// So a row is in the new cut if it is in High, or in Low and goes to the last child.
type CutNode struct {
	Test uint16 // which of the RowBits of a tile are the rows that go to the last child
	// which of the group's Cuts, times the size of RowBits
	Low, High, Cut uint16
}

// CutTree is a tree of a group.
type CutTree struct {
	First  uint16 // its first cut among those of the group, times the size of RowBits
	Leaves uint16
}

const (
	rowBitsSize = ScanRows / 8
	// cutBlock is the number of cuts that are added up at once.
	cutBlock = 32
	// MaxCutTrees is the largest number of trees of a group. The nodes of some small trees in turn
	// wait less for each other.
	MaxCutTrees = 4
	// MaxRowBits is the largest number of RowBits of a tile for ScanCuts.
	MaxRowBits = 1 << 16
	maxCuts    = MaxScanLeaves + MaxCutTrees + cutBlock
)

// Cuts is the memory for the cuts of a group.
type Cuts [maxCuts]RowBits

// CutGroup is trees that ScanCuts takes rows through together.
type CutGroup struct {
	Trees []CutTree
	cuts  int // of these
}

// Add appends a tree of as many leaves to a group, unless it does not fit.
func (g *CutGroup) Add(leaves int) bool {
	cuts := (leaves+cutBlock-1)/cutBlock*cutBlock + 1
	if len(g.Trees) == MaxCutTrees || g.cuts+cuts > maxCuts {
		return false
	}
	g.Trees = append(g.Trees, CutTree{First: uint16(g.cuts * rowBitsSize), Leaves: uint16(leaves)})
	g.cuts += cuts
	return true
}

// Node returns a node of a tree whose leaves have the numbers from low to before high, and those of
// its last child from cut on.
func (t CutTree) Node(test, low, cut, high int) CutNode {
	return CutNode{Test: uint16(test), Low: t.First + uint16(low*rowBitsSize),
		High: t.First + uint16(high*rowBitsSize), Cut: t.First + uint16(cut*rowBitsSize)}
}

// ScanCuts writes into leaf the number of the leaf that each row of a tile reaches in the trees of
// a group, as Scan does, for all ScanRows rows. nodes are those of all trees, parents before their
// children. bits are those of the tile.
func ScanCuts(leaf []uint8, trees []CutTree, nodes []CutNode, bits []RowBits, cuts *Cuts) {
	leaf = leaf[:len(trees)*ScanRows]
	if len(trees) > 0 && len(bits) > 0 && scanCutsInVectors(leaf, trees, nodes, bits, cuts) {
		return
	}
	scanCutsPlain(leaf, trees, nodes, bits, cuts)
}

// Placed is the bits of the nodes of a tile whose split points have places; see RowOrder.
type Placed struct {
	Bits  []RowBits
	Place []uint16 // by split point: which of Bits
	// the bits of a node are those of its split point's place plus its Test; else the Test of all
	// nodes counts as 0
	Tests bool
}

// ScanPlaced is ScanCuts of nodes whose split points, given by their numbers, have places.
func ScanPlaced(
	leaf []uint8, trees []CutTree, nodes []CutNode, points []uint32, in *Placed, cuts *Cuts,
) {
	leaf = leaf[:len(trees)*ScanRows]
	if len(nodes) > 0 && scanPlacedInVectors(leaf, trees, nodes, points, in, cuts) {
		return
	}
	scanPlacedPlain(leaf, trees, nodes, points, in, cuts)
}

// scanPlacedPlain is the twin of the assembly.
func scanPlacedPlain(
	leaf []uint8, trees []CutTree, nodes []CutNode, points []uint32, in *Placed, cuts *Cuts,
) {
	var all [maxCuts]CutNode
	placed, points := all[:len(nodes)], points[:len(nodes)]
	mask := in.mask()
	for i, n := range nodes {
		n.Test = n.Test&mask + in.Place[points[i]]
		placed[i] = n
	}
	scanCutsPlain(leaf, trees, placed, in.Bits, cuts)
}

// mask has the bits of tests that count.
func (in *Placed) mask() uint16 {
	if in.Tests {
		return math.MaxUint16
	}
	return 0
}

// scanCutsPlain is the twin of the assembly.
func scanCutsPlain(leaf []uint8, trees []CutTree, nodes []CutNode, bits []RowBits, cuts *Cuts) {
	for _, t := range trees {
		first := t.First / rowBitsSize
		cuts[first], cuts[first+t.Leaves] = allRows, RowBits{}
	}
	for i := range nodes {
		n := &nodes[i]
		low, high, last := &cuts[n.Low/rowBitsSize], &cuts[n.High/rowBitsSize], &bits[n.Test]
		cuts[n.Cut/rowBitsSize] = RowBits{last[0]&low[0] | high[0], last[1]&low[1] | high[1],
			last[2]&low[2] | high[2], last[3]&low[3] | high[3]}
	}
	for i, t := range trees {
		leavesOf(leaf[i*ScanRows:][:ScanRows], cuts[t.First/rowBitsSize:][:t.Leaves])
	}
}

var allRows = RowBits{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// leavesOf writes the leaves of rows, of the cuts of a tree. Bit b of a row's leaf is the number of
// cuts at multiples of 1<<b that the row is in, modulo 2.
func leavesOf(leaf []uint8, cuts []RowBits) {
	var all [8]RowBits
	for i := 1; i < len(cuts); i++ {
		to, cut := &all[bits.TrailingZeros(uint(i))], &cuts[i]
		to[0] ^= cut[0]
		to[1] ^= cut[1]
		to[2] ^= cut[2]
		to[3] ^= cut[3]
	}
	for w := range len(RowBits{}) {
		var planes [8]uint64
		planes[7] = all[7][w]
		for b := 6; b >= 0; b-- {
			planes[b] = planes[b+1] ^ all[b][w]
		}
		transpose(&planes)
		for k, plane := range planes {
			binary.LittleEndian.PutUint64(leaf[32*k+8*w:], plane)
		}
	}
}

//go:build amd64 && !purego

package kernel

import "unsafe"

// codeBitsInVectors is CodeBits, if it reports true.
func codeBitsInVectors(dst []RowBits, codes []int8, first int8) bool {
	if !hasAVX2 {
		return false
	}
	codeBits(&dst[0], len(dst)/CodeBitsStep, &codes[0], int(first))
	return true
}

// scanCutsInVectors is ScanCuts, if it reports true.
func scanCutsInVectors(
	leaf []uint8, trees []CutTree, nodes []CutNode, bits []RowBits, cuts *Cuts,
) bool {
	if !hasAVX2 {
		return false
	}
	scanCuts(&leaf[0], &trees[0], len(trees), unsafe.SliceData(nodes), len(nodes), &bits[0], cuts)
	return true
}

// scanPlacedInVectors is ScanPlaced, if it reports true.
func scanPlacedInVectors(
	leaf []uint8, trees []CutTree, nodes []CutNode, points []uint32, in *Placed, cuts *Cuts,
) bool {
	if !hasAVX2 {
		return false
	}
	_ = points[len(nodes)-1]
	scanPlaced(&leaf[0], &trees[0], len(trees), &nodes[0], len(nodes), &in.Bits[0], cuts, &points[0],
		&in.Place[0], int(in.mask()))
	return true
}

//go:noescape
func codeBits(dst *RowBits, steps int, codes *int8, first int)

//go:noescape
func scanCuts(leaf *uint8, trees *CutTree, n int, nodes *CutNode, m int, bits *RowBits, cuts *Cuts)

//go:noescape
func scanPlaced(
	leaf *uint8, trees *CutTree, n int, nodes *CutNode, m int, bits *RowBits, cuts *Cuts,
	points *uint32, place *uint16, mask int,
)

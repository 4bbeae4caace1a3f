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

//go:noescape
func codeBits(dst *RowBits, steps int, codes *int8, first int)

//go:noescape
func scanCuts(leaf *uint8, trees *CutTree, n int, nodes *CutNode, m int, bits *RowBits, cuts *Cuts)

//go:build !amd64 || purego

package kernel

func codeBitsInVectors(_ []RowBits, _ []int8, _ int8) bool { return false }

func scanCutsInVectors(_ []uint8, _ []CutTree, _ []CutNode, _ []RowBits, _ *Cuts) bool {
	return false
}

// permutes reports whether a Coder has what only vectors use.
const permutes = false

func sumTablesInVectors(_ []float64, _ []uint8, _ []LeafTable, _ int) bool { return false }

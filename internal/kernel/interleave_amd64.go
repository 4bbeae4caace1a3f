//go:build amd64 && !purego

package kernel

// turnRows is how many rows the assembly takes in a turn.
const turnRows = 16

// interleaveInVectors writes all rows but the last few, and returns how many it did.
func interleaveInVectors(dst []uint8, stride int, columns *[8][]uint8, rows int) int {
	turns := rows / turnRows
	if turns == 0 || !hasAVX2 {
		return 0
	}
	_ = dst[(turnRows*turns-1)*stride+7]
	var of [8]*uint8
	for j, c := range columns {
		of[j] = &c[:turnRows*turns][0]
	}
	interleaveTurns(&dst[0], stride, &of, turns)
	return turnRows * turns
}

//go:noescape
func interleaveTurns(dst *uint8, stride int, columns *[8]*uint8, turns int)

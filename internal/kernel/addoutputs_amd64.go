//go:build amd64 && !purego

package kernel

// addOutputsOfOne is AddOutputs of one column for the rows that it returns the number of.
func addOutputsOfOne(a *OutputCells, codes []uint8, words []int64) int {
	n := len(codes) &^ 1
	if n == 0 || !hasAVX2 {
		return 0
	}
	_ = words[OutputsAtOnce*n-1]
	addOutputPairs(a, &codes[0], &words[0], n)
	return n
}

// addOutputsOfTwo is addOutputsOfOne of two columns, whose codes are as many.
func addOutputsOfTwo(a, b *OutputCells, first, second []uint8, words []int64) int {
	n := len(first) &^ 1
	if n == 0 || !hasAVX2 {
		return 0
	}
	_ = words[OutputsAtOnce*n-1]
	addOutputPairsOfTwo(a, b, &first[0], &second[0], &words[0], n)
	return n
}

// addOutputPairs adds n rows, an even number above 0.
//
//go:noescape
func addOutputPairs(a *OutputCells, codes *uint8, words *int64, n int)

//go:noescape
func addOutputPairsOfTwo(a, b *OutputCells, first, second *uint8, words *int64, n int)

//go:build amd64 && !purego

package kernel

// VectorSquares reports whether CumulateSquares has vectors.
var VectorSquares = hasAVX2

func cumulateSquares(out []Squares, counts []uint16, stride int) int {
	if !hasAVX2 {
		return plainSquares(out, counts, stride)
	}
	return squaresInVectors(&out[0], &counts[0], len(counts)/stride, stride/16)
}

// squaresInVectors is CumulateSquares for so many values, each of which has so many vectors of
// sixteen counters.
//
//go:noescape
func squaresInVectors(out *Squares, counts *uint16, values, vectors int) int

//go:build !amd64 || purego

package kernel

// VectorSquares reports whether CumulateSquares has vectors.
const VectorSquares = false

func cumulateSquares(out []Squares, counts []uint16, stride int) int {
	return plainSquares(out, counts, stride)
}

//go:build amd64 && !purego

package kernel

const logLanes = 4

// log1ps does whole fours of numbers and returns how many it did. Fours of which one is not between
// 0 and 1 go one by one.
func log1ps(dst, x []float64) int {
	if !hasAVX2 {
		return 0
	}
	n := len(x) &^ (logLanes - 1)
	for i := 0; i < n; {
		i += log1pFours(&dst[i], &x[i], n-i)
		if i < n {
			for end := i + logLanes; i < end; i++ {
				dst[i] = Log1p(x[i])
			}
		}
	}
	return n
}

// log1pFours does fours of n numbers, n a multiple of four above 0, and returns how many it did. It
// stops at the first four with a number that is not between 0 and 1.
//
//go:noescape
func log1pFours(dst, x *float64, n int) int

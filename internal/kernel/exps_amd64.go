//go:build amd64 && !purego

package kernel

const expLanes = 4

// exps does whole fours of numbers and returns how many it did. Fours of which one has a power that
// is no normal number go one by one.
func exps(dst, x []float64) int {
	if !hasAVX2 {
		return 0
	}
	n := len(x) &^ (expLanes - 1)
	for i := 0; i < n; {
		i += expFours(&dst[i], &x[i], n-i)
		if i < n {
			for end := i + expLanes; i < end; i++ {
				dst[i] = Exp(x[i])
			}
		}
	}
	return n
}

// expFours does fours of n numbers, n a multiple of four above 0, and returns how many it did. It
// stops at the first four with a number that is NaN or not within 700 of 0.
//
//go:noescape
func expFours(dst, x *float64, n int) int

// logistic does whole fours of rows, by eights where vectors gather, and returns how many it did.
// Those of which one has an odd score go one by one.
func logistic(g, h, y, raw []float64) int {
	done := 0
	if gathers {
		done = logisticBy(logisticEights, vectorExpLanes, g, h, y, raw)
	}
	if hasAVX2 {
		done += logisticBy(logisticFours, expLanes, g[done:], h[done:], y[done:], raw[done:])
	}
	return done
}

// logisticBy does whole vectors of so many rows, and returns how many rows it did.
func logisticBy(
	vectors func(first, second, y, raw *float64, n int) int, lanes int, g, h, y, raw []float64,
) int {
	n := len(raw) &^ (lanes - 1)
	for i := 0; i < n; {
		i += vectors(&g[i], &h[i], &y[i], &raw[i], n-i)
		if i < n {
			for end := i + lanes; i < end; i++ {
				g[i], h[i] = logisticOf(y[i], raw[i])
			}
		}
	}
	return n
}

// logisticFours writes the first and second derivatives of fours of n rows, n a multiple of four
// above 0, and returns how many it did. It stops at the first four with a score that is NaN or not
// within 700 of 0.
//
//go:noescape
func logisticFours(first, second, y, raw *float64, n int) int

// vectorExpLanes is the number of rows of logisticEights.
const vectorExpLanes = 8

// logisticEights is logisticFours by eights, where vectors gather.
//
//go:noescape
func logisticEights(first, second, y, raw *float64, n int) int

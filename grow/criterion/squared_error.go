package criterion

// squaredError is the sum of squared distances from the mean. With weight h and weighted sum g of the values,
//
//	sum w (y - g/h)^2 = sum w y^2 - g^2 / h
//
// of which the first term is the same for all ways to split one node and is left out. It is the Newton gain of
// boosting with gradient -g and hessian h, so regression trees and boosting share their statistics.
type squaredError struct{}

func newSquaredError(int) Criterion { return squaredError{} }

func (squaredError) Impurity(dst, stats []float64) {
	for i := range dst {
		h, g := stats[2*i], stats[2*i+1]
		if h > 0 {
			dst[i] = -float64(g*g) / h
		} else {
			dst[i] = 0
		}
	}
}

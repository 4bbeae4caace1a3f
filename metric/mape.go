package metric

import "math"

// newMAPE is the weighted mean of absolute errors as a fraction of the label; labels nearer to 0
// than 2^-52 count as that, as in scikit-learn.
func newMAPE(*common) sum {
	return &pointwise{metric: "mape", result: itself,
		of: func(y, x float64) float64 { return math.Abs(y-x) / max(math.Abs(y), 0x1p-52) }}
}

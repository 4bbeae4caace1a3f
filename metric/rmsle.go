package metric

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// newRMSLE is the square root of the weighted mean of squared differences of log(1 + label) and
// log(1 + prediction). Where either is -1 or less it is undefined.
func newRMSLE(*common) sum {
	return &pointwise{metric: "rmsle", result: math.Sqrt,
		outside: func(y, x float64) string {
			if y <= -1 || x <= -1 {
				return "it needs labels and predictions above -1"
			}
			return ""
		},
		of: func(y, x float64) float64 {
			d := kernel.Log1p(y) - kernel.Log1p(x)
			return float64(d * d)
		}}
}

package metric

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// RMSLE returns the square root of the weighted mean of squared differences of log(1 + label) and
// log(1 + prediction). Where either is -1 or less it is undefined.
func RMSLE(s *Sample) (float64, error) {
	var m mean
	for i, y := range s.Y {
		if y <= -1 || s.Pred[i] <= -1 {
			return 0, &Undefined{"rmsle", "it needs labels and predictions above -1"}
		}
		d := kernel.Log1p(y) - kernel.Log1p(s.Pred[i])
		m.add(float64(d*d), s.weight(i))
	}
	v, err := m.value("rmsle")
	return math.Sqrt(v), err
}

package metric

import "math"

// MAE returns the weighted mean of absolute errors, in the unit of the label.
func MAE(s *Sample) (float64, error) {
	var m mean
	for i, y := range s.Y {
		m.add(math.Abs(y-s.Pred[i]), s.weight(i))
	}
	return m.value("mae")
}

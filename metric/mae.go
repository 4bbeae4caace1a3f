package metric

import "math"

// MAE returns the weighted mean of absolute errors, in the unit of the label.
func MAE(s *Sample) (float64, error) {
	return sized("mae", s, func(s *Sample) (m mean) {
		for i, y := range s.Y {
			m.add(math.Abs(y-s.Pred[i]), s.weight(i))
		}
		return m
	}, itself)
}

package metric

import "math"

// RMSE returns the square root of the weighted mean of squared errors, in the unit of the label.
func RMSE(s *Sample) (float64, error) {
	var m mean
	for i, y := range s.Y {
		d := y - s.Pred[i]
		m.add(float64(d*d), s.weight(i))
	}
	v, err := m.value("rmse")
	return math.Sqrt(v), err
}

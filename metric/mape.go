package metric

import "math"

// MAPE returns the weighted mean of absolute errors as a fraction of the label; labels nearer to 0
// than 2^-52 count as that, as in scikit-learn.
func MAPE(s *Sample) (float64, error) {
	var m mean
	for i, y := range s.Y {
		m.add(math.Abs(y-s.Pred[i])/max(math.Abs(y), 0x1p-52), s.weight(i))
	}
	return m.value("mape")
}

package metric

// Pinball returns the weighted mean of the pinball loss of a quantile: level (y - x) where the label y is no less than the
// prediction x, else (1 - level) (x - y).
func Pinball(level float64) func(s *Sample) (float64, error) {
	return func(s *Sample) (float64, error) {
		var m mean
		for i, y := range s.Y {
			d := y - s.Pred[i]
			m.add(max(level*d, (level-1)*d), s.weight(i))
		}
		return m.value("pinball")
	}
}

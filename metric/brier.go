package metric

// Brier returns the weighted mean of (p - y)^2, with p the probability predicted for the positive
// class and y 1 for its rows and 0 for others: scikit-learn's brier_score_loss.
func Brier(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"brier", "it needs two classes"}
	}
	var m mean
	positive := s.positive()
	for i, c := range s.Class {
		miss := s.Pred[2*i+positive]
		if int(c) == positive {
			miss = 1 - miss
		}
		m.add(float64(miss*miss), s.weight(i))
	}
	return m.value("brier")
}

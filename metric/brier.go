package metric

type brier struct {
	mean
	two bool
}

// newBrier is the weighted mean of (p - y)^2, with p the probability predicted for the positive
// class and y 1 for its rows and 0 for others: scikit-learn's brier_score_loss.
func newBrier(*common) sum { return &brier{} }

func (m *brier) add(s *Sample) {
	if m.two = s.Width == 2; !m.two {
		return
	}
	positive := s.positive()
	for i, c := range s.Class {
		miss := s.Pred[2*i+positive]
		if int(c) == positive {
			miss = 1 - miss
		}
		m.mean.add(float64(miss*miss), s.weight(i))
	}
}

func (m *brier) value() (float64, error) {
	if !m.two {
		return 0, &Undefined{"brier", "it needs two classes"}
	}
	return m.mean.value("brier")
}

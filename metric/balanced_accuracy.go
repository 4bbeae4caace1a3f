package metric

// balanced is weights by class: of rows whose label is predicted, and of all.
type balanced struct{ hits, all []float64 }

// newBalancedAccuracy is the mean, over the classes that occur, of the fraction of a class's rows
// whose label is predicted, by weight: scikit-learn's balanced_accuracy_score. Rows of one class
// have none: it would be their accuracy.
func newBalancedAccuracy(*common) sum { return &balanced{} }

func (m *balanced) add(s *Sample) {
	if m.all == nil {
		m.hits, m.all = make([]float64, s.Width), make([]float64, s.Width)
	}
	for i, c := range s.Class {
		w := s.weight(i)
		if m.all[c] += w; s.Label(i) == int(c) {
			m.hits[c] += w
		}
	}
}

func (m *balanced) value() (float64, error) {
	sum, classes := 0.0, 0
	for c, w := range m.all {
		if w > 0 {
			sum, classes = sum+m.hits[c]/w, classes+1
		}
	}
	if classes < 2 {
		return 0, &Undefined{"balanced_accuracy", "all rows are of one class"}
	}
	return finite("balanced_accuracy", sum/float64(classes))
}

package metric

// labels is a mean over rows of what a true class and a predicted label give.
type labels struct {
	mean
	metric string
	of     func(s *Sample, class, label int) float64
}

func (m *labels) add(s *Sample) {
	for i, c := range s.Class {
		m.mean.add(m.of(s, int(c), s.Label(i)), s.weight(i))
	}
}

func (m *labels) value() (float64, error) { return m.mean.value(m.metric) }

// newAccuracy is the weighted fraction of rows whose predicted label is the true one.
func newAccuracy(*common) sum {
	return &labels{metric: "accuracy", of: func(_ *Sample, class, label int) float64 {
		if class == label {
			return 1
		}
		return 0
	}}
}

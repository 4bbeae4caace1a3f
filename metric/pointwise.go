package metric

// pointwise is a mean over rows of what a label and a prediction give, and a function of the mean.
type pointwise struct {
	mean
	metric string
	of     func(y, x float64) float64
	result func(mean float64) float64
	// why a row leaves the metric undefined, "" if it does not; nil: no row does
	outside func(y, x float64) string
	none    *Undefined // by the first such row
}

func (m *pointwise) add(s *Sample) {
	if m.none == nil {
		m.none = ofOne(m.metric)(s)
	}
	for i := 0; i < len(s.Y) && m.none == nil; i++ {
		y, x := s.Y[i], s.Pred[i]
		if m.outside != nil {
			if reason := m.outside(y, x); reason != "" {
				m.none = &Undefined{m.metric, reason}
				return
			}
		}
		m.mean.add(m.of(y, x), s.weight(i))
	}
}

func (m *pointwise) value() (float64, error) {
	if m.none != nil {
		return 0, m.none
	}
	v, err := m.mean.value(m.metric)
	return m.result(v), err
}

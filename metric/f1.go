package metric

// outcomes is a metric of the outcomes of two classes.
type outcomes struct {
	Outcomes
	metric string
	two    bool
	of     func(o Outcomes) (float64, error)
}

func (m *outcomes) add(s *Sample) {
	if m.two = s.Width == 2; m.two {
		m.addSample(s)
	}
}

func (m *outcomes) value() (float64, error) {
	if !m.two {
		return 0, &Undefined{m.metric, "it needs two classes"}
	}
	v, err := m.of(m.Outcomes)
	if err != nil {
		return 0, err
	}
	return finite(m.metric, v)
}

// newF1 is the harmonic mean of precision and recall of the positive class, by weight:
// scikit-learn's f1_score. It is 0 where no positive row is found, and undefined where there is
// none to find.
func newF1(*common) sum {
	return &outcomes{metric: "f1", of: func(o Outcomes) (float64, error) {
		if o.TP+o.FN == 0 {
			return 0, &Undefined{"f1", "no row is of the positive class"}
		}
		return o.F1(), nil
	}}
}

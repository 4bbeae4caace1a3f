package metric

type cost struct {
	labels
	none bool
}

// newCost is the weighted mean cost of the predicted labels. Without costs it is undefined: it
// would be the error.
func newCost(*common) sum {
	return &cost{labels: labels{metric: "cost", of: func(s *Sample, class, label int) float64 {
		return s.Costs.Of(class, label)
	}}}
}

func (m *cost) add(s *Sample) {
	if m.none = s.Costs == nil; !m.none {
		m.labels.add(s)
	}
}

func (m *cost) value() (float64, error) {
	if m.none {
		return 0, &Undefined{"cost", "the model has no costs"}
	}
	return m.labels.value()
}

package metric

// curve is a metric of the order of the scores of two classes.
type curve struct {
	*common
	*scores  // nil: there are not two classes
	positive int
}

type auc struct{ curve }

// newAUC is the area under the ROC curve of two classes: the probability that a random row of the
// positive class has a higher probability of it than a random row of the other class, equal ones
// counting half. Rows are sampled by weight. It is the rank statistic of Mann and Whitney, and the
// area under scikit-learn's ROC curve of trapezes. Which class is the positive one does not change
// it.
func newAUC(c *common) sum { return &auc{curve{common: c}} }

func (m *auc) add(s *Sample) {
	if s.Width == 2 {
		m.scores = m.take(s, 1)
	}
}

func (m *auc) value() (float64, error) {
	if m.scores == nil {
		return 0, &Undefined{"auc", "it needs two classes"}
	}
	area, weight := m.area()
	if weight[0] == 0 || weight[1] == 0 {
		return 0, &Undefined{"auc", "all rows are of one class"}
	}
	return finite("auc", area)
}

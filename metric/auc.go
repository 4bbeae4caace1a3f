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
	// weight[c] is the weight of class c so far, that is of lower scores; area counts pairs in the
	// right order.
	var weight [2]float64
	area := 0.0
	m.eachTie(false, func(tied [2]float64) {
		area += float64(tied[1] * (weight[0] + float64(tied[0]/2)))
		weight[0] += tied[0]
		weight[1] += tied[1]
	})
	if weight[0] == 0 || weight[1] == 0 {
		return 0, &Undefined{"auc", "all rows are of one class"}
	}
	return finite("auc", area/weight[0]/weight[1])
}

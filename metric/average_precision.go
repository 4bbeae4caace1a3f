package metric

type averagePrecision struct{ curve }

// newAveragePrecision is the area under the curve of precision against recall (PR-AUC) of the
// positive class, in steps: the sum, over the thresholds from the highest down, of the precision
// times the gain in recall, by weight. It is scikit-learn's average_precision_score. The area under
// straight lines between the points, which is larger, is not it.
func newAveragePrecision(c *common) sum { return &averagePrecision{curve{common: c}} }

func (m *averagePrecision) add(s *Sample) {
	if s.Width == 2 {
		m.positive = s.positive()
		m.scores = m.take(s, m.positive)
	}
}

func (m *averagePrecision) value() (float64, error) {
	if m.scores == nil {
		return 0, &Undefined{"average_precision", "it needs two classes"}
	}
	hits, all, area := 0.0, 0.0, 0.0 // weights of the positive class and of both so far
	m.eachTie(true, func(tied [2]float64) {
		all = all + tied[0] + tied[1]
		if hits += tied[m.positive]; tied[m.positive] > 0 {
			area += float64(tied[m.positive] * (hits / all))
		}
	})
	if hits == 0 {
		return 0, &Undefined{"average_precision", "no row is of the positive class"}
	}
	return finite("average_precision", area/hits)
}

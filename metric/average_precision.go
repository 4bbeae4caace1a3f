package metric

// AveragePrecision returns the area under the curve of precision against recall (PR-AUC) of the
// positive class, in steps: the sum, over the thresholds from the highest down, of the precision
// times the gain in recall, by weight. It is scikit-learn's average_precision_score. The area under
// straight lines between the points, which is larger, is not it.
func AveragePrecision(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"average_precision", "it needs two classes"}
	}
	positive := s.positive()
	hits, all, area := 0.0, 0.0, 0.0 // weights of the positive class and of both so far
	s.eachTie(positive, true, func(tied [2]float64) {
		all = all + tied[0] + tied[1]
		if hits += tied[positive]; tied[positive] > 0 {
			area += float64(tied[positive] * (hits / all))
		}
	})
	if hits == 0 {
		return 0, &Undefined{"average_precision", "no row is of the positive class"}
	}
	return finite("average_precision", area/hits)
}

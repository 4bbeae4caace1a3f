package metric

// F1 returns the harmonic mean of precision and recall of the positive class, by weight:
// scikit-learn's f1_score. It is 0 where no positive row is found, and undefined where there is
// none to find.
func F1(s *Sample) (float64, error) {
	if s.Width != 2 {
		return 0, &Undefined{"f1", "it needs two classes"}
	}
	o := OutcomesOf(s)
	if o.TP+o.FN == 0 {
		return 0, &Undefined{"f1", "no row is of the positive class"}
	}
	return finite("f1", o.F1())
}

package metric

// R2 returns the coefficient of determination: 1 - the sum of squared errors / the sum of squared deviations of the
// label from its mean, all weighted. It is 1 for exact predictions, 0 for the mean, negative for worse than that.
// Where the label is constant it is 1 for exact predictions and else 0, as in scikit-learn; for less than two rows
// of positive weight it is undefined.
func R2(s *Sample) (float64, error) {
	var centre mean
	first, rows, constant := 0.0, 0, true
	for i, y := range s.Y {
		w := s.weight(i)
		centre.add(y, w)
		if w == 0 {
			continue
		}
		if rows == 0 {
			first = y
		}
		constant = constant && y == first
		rows++
	}
	if rows < 2 {
		return 0, &Undefined{"r2", "it needs two rows"}
	}
	c, err := centre.value("r2")
	if err != nil {
		return 0, err
	}
	var unexplained, total float64
	for i, y := range s.Y {
		w, e, d := s.weight(i), y-s.Pred[i], y-c
		unexplained += float64(w * float64(e*e))
		total += float64(w * float64(d*d))
	}
	switch {
	case unexplained == 0:
		return 1, nil
	case constant || total == 0: // the mean of equal labels may differ from them by rounding
		return 0, nil
	}
	return finite("r2", 1-unexplained/total)
}

package metric

// R2 returns the coefficient of determination: 1 - the sum of squared errors / the sum of squared
// deviations of the label from its mean, all weighted. It is 1 for exact predictions, 0 for the
// mean, and negative for worse predictions. Where the label is constant it is 1 for exact
// predictions and else 0, as in scikit-learn; for less than two rows of positive weight it is
// undefined.
func R2(s *Sample) (float64, error) {
	v, sure, err := r2(s)
	if !sure {
		small, _ := s.scaled()
		v, _, err = r2(small)
	}
	return v, err
}

// r2 also reports whether no sum has overflowed or lost digits.
func r2(s *Sample) (v float64, sure bool, err error) {
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
		return 0, true, &Undefined{"r2", "it needs two rows"}
	}
	c, err := centre.value("r2")
	if err != nil {
		return 0, false, err
	}
	var unexplained, total mean
	for i, y := range s.Y {
		w, e, d := s.weight(i), y-s.Pred[i], y-c
		unexplained.add(float64(e*e), w)
		total.add(float64(d*d), w)
	}
	sure = unexplained.sure() && total.sure()
	switch {
	case unexplained.sum == 0:
		return 1, sure, nil
	case constant || total.sum == 0: // the mean of equal labels may differ from them by rounding
		return 0, sure, nil
	}
	v, err = finite("r2", 1-unexplained.sum/total.sum)
	return v, sure, err
}

package metric

// r2 goes over the rows twice, first for the mean of the labels.
type r2 struct {
	*common
	none *Undefined
}

// newR2 is the coefficient of determination: 1 - the sum of squared errors / the sum of squared
// deviations of the label from its mean, all weighted. It is 1 for exact predictions, 0 for the
// mean, and negative for worse predictions. Where the label is constant it is 1 for exact
// predictions and else 0, as in scikit-learn; for less than two rows of positive weight it is
// undefined.
func newR2(c *common) sum { return &r2{common: c} }

func (m *r2) add(s *Sample) {
	if m.none = ofOne("r2")(s); m.none == nil {
		m.keep(s)
	}
}

func (m *r2) value() (float64, error) {
	if m.none != nil {
		return 0, m.none
	}
	v, sure, err := r2Of(m.kept.each)
	if !sure {
		small, _ := scaled(m.kept.each)
		v, _, err = r2Of(small)
	}
	return v, err
}

// r2Of also reports whether no sum has overflowed or lost digits.
func r2Of(each passes) (v float64, sure bool, err error) {
	c, rows, constant := centreOf(each)
	if rows < 2 {
		return 0, true, &Undefined{"r2", "it needs two rows"}
	}
	var unexplained, total mean
	each(func(s *Sample) {
		for i, y := range s.Y {
			w, e, d := s.weight(i), y-s.Pred[i], y-c
			unexplained.add(float64(e*e), w)
			total.add(float64(d*d), w)
		}
	})
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

// centreOf returns the mean of the labels, how many rows have a weight above 0, and whether all
// these have one label. Where the sum of the labels overflows the mean is not finite, so that the
// squares of the deviations are not either.
func centreOf(each passes) (c float64, rows int, constant bool) {
	var centre mean
	first := 0.0
	constant = true
	each(func(s *Sample) {
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
	})
	return centre.sum / centre.weight, rows, constant
}

package metric

import "math"

// newRMSE is the square root of the weighted mean of squared errors, in the unit of the label. It
// is given wherever float64 holds it, also where the squares are too large or too small for that.
func newRMSE(c *common) sum {
	return &sized{common: c, metric: "rmse", result: math.Sqrt, fits: ofOne("rmse"),
		rows: func(s *Sample, m *mean) {
			for i, y := range s.Y {
				d := y - s.Pred[i]
				m.add(float64(d*d), s.weight(i))
			}
		}}
}

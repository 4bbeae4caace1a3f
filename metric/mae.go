package metric

import "math"

// newMAE is the weighted mean of absolute errors, in the unit of the label.
func newMAE(c *common) sum {
	return &sized{common: c, metric: "mae", result: itself, fits: ofOne("mae"),
		rows: func(s *Sample, m *mean) {
			for i, y := range s.Y {
				m.add(math.Abs(y-s.Pred[i]), s.weight(i))
			}
		}}
}

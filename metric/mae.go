package metric

import "math"

// MAE returns the weighted mean of absolute errors, in the unit of the label.
func MAE(s *Sample) (float64, error) { return begin(newMAE).of(s) }

func newMAE(c *common) sum {
	return &sized{common: c, metric: "mae", result: itself, fits: ofOne("mae"),
		rows: func(s *Sample, m *mean) {
			for i, y := range s.Y {
				m.add(math.Abs(y-s.Pred[i]), s.weight(i))
			}
		}}
}

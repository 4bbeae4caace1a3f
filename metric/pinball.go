package metric

// newQuantileLoss is the mean of the pinball losses of the quantiles that are predicted: of each,
// level (y - x) where the label y is no less than the prediction x, else (1 - level) (x - y).
func newQuantileLoss(c *common) sum {
	return &sized{common: c, metric: "pinball", result: itself,
		fits: func(s *Sample) *Undefined {
			if s.Quantiles == nil {
				return &Undefined{"pinball", "no quantiles are predicted"}
			}
			return nil
		},
		rows: func(s *Sample, m *mean) {
			for i, y := range s.Y {
				sum := 0.0
				for k, level := range s.Quantiles {
					sum += pinball(level, y-s.Pred[i*s.Width+k])
				}
				m.add(sum/float64(s.Width), s.weight(i))
			}
		}}
}

func pinball(level, d float64) float64 { return max(float64(level*d), float64((level-1)*d)) }

// newPinball is the weighted mean of the pinball loss of a quantile: level (y - x) where the label
// y is no less than the prediction x, else (1 - level) (x - y).
func newPinball(level float64) begin {
	return func(c *common) sum {
		return &sized{common: c, metric: "pinball", result: itself, fits: ofOne("pinball"),
			rows: func(s *Sample, m *mean) {
				for i, y := range s.Y {
					m.add(pinball(level, y-s.Pred[i]), s.weight(i))
				}
			}}
	}
}

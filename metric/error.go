package metric

// Error returns the weighted fraction of rows whose predicted label is not the true one.
func Error(s *Sample) (float64, error) { return begin(newError).of(s) }

func newError(*common) sum {
	return &labels{metric: "error", of: func(_ *Sample, class, label int) float64 {
		if class != label {
			return 1
		}
		return 0
	}}
}

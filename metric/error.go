package metric

// newError is the weighted fraction of rows whose predicted label is not the true one.
func newError(*common) sum {
	return &labels{metric: "error", of: func(_ *Sample, class, label int) float64 {
		if class != label {
			return 1
		}
		return 0
	}}
}

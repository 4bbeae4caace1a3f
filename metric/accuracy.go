package metric

// Accuracy returns the weighted fraction of rows whose predicted label is the true one.
func Accuracy(s *Sample) (float64, error) {
	var m mean
	for i, c := range s.Class {
		hit := 0.0
		if s.Label(i) == int(c) {
			hit = 1
		}
		m.add(hit, s.weight(i))
	}
	return m.value("accuracy")
}

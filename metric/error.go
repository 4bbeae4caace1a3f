package metric

// Error returns the weighted fraction of rows whose predicted label is not the true one.
func Error(s *Sample) (float64, error) {
	var m mean
	for i, c := range s.Class {
		miss := 0.0
		if s.Label(i) != int(c) {
			miss = 1
		}
		m.add(miss, s.weight(i))
	}
	return m.value("error")
}

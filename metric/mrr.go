package metric

// MRR returns the mean over groups of 1 / the place of the first relevant row, which is one of a
// grade above 0. Of rows of equal predictions those that are not relevant come first.
func MRR(s *Sample) (float64, error) { return mrr.of(s) }

var mrr = &groupMetric{name: "mrr", worst: true, group: func(l *list) float64 {
	for i, y := range l.grade {
		if y > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}}

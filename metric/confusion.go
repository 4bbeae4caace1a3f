package metric

// Confusion counts rows by class: the entry [t][p] is the number of rows of true class t whose
// predicted label is p. Weights do not enter: the entries sum to the number of rows.
func Confusion(s *Sample) [][]int64 {
	counts := newCounts(s.Width)
	countLabels(counts, s)
	return counts
}

func newCounts(classes int) [][]int64 {
	counts := make([][]int64, classes)
	for t := range counts {
		counts[t] = make([]int64, classes)
	}
	return counts
}

// countLabels adds the rows of a sample.
func countLabels(counts [][]int64, s *Sample) {
	for i, t := range s.Class {
		counts[t][s.Label(i)]++
	}
}

package metric

// Confusion counts rows by class: the entry [t][p] is the number of rows of true class t whose
// predicted label is p. Weights do not enter: the entries sum to the number of rows.
func Confusion(s *Sample) [][]int64 {
	counts := make([][]int64, s.Width)
	for t := range counts {
		counts[t] = make([]int64, s.Width)
	}
	for i, t := range s.Class {
		counts[t][s.Label(i)]++
	}
	return counts
}

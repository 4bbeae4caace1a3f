package tree

// Gains returns the total impurity decrease by a tree's splits on each of so many columns. A split
// on several counts for all of them equally. The tree must have its Stats.
func Gains(t *Tree, columns int) []float64 {
	gain := make([]float64, columns)
	for n := range int32(t.Len()) {
		looks := t.Looks(n)
		for _, f := range looks {
			gain[f] += t.Stats.Gain[n] / float64(len(looks))
		}
	}
	return gain
}

//go:build amd64 && !purego

package kernel

// addInVectors is AddTo of all bins but the last few. It returns what the first child has after
// them, and how many they are.
func (c *SplitPointGains) addInVectors(sums []float64) (first int64, done int) {
	fours := len(c.Words) / searchLanes
	if !hasAVX2 || fours == 0 {
		return c.Start, 0
	}
	return addSplitPointGains(c, &sums[0], fours), fours * searchLanes
}

//go:noescape
func addSplitPointGains(c *SplitPointGains, sums *float64, fours int) (first int64)

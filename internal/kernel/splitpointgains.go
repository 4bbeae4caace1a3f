package kernel

// SplitPointGains requests what each split point of a column gains at a leaf, as levels of trees
// add it up that split all their leaves alike. Words, Start and Total are as those of SplitPoints.
// The split point after bin b gains
//
//	(g1^2 / (h1 + L2) + g2^2 / (h2 + L2) - Base) * Scale * Weight
//
// where both denominators are above 0. Sums of words must not overflow their halves.
type SplitPointGains struct {
	Words  []int64
	Start  int64
	Total  int64
	L2     float64
	Base   float64 // score of the leaf
	Scale  float64 // what a unit of scores is worth
	Weight float64 // of the column
}

// AddTo adds the gain of the split point after each bin to the number at its place. There are no
// fewer numbers than bins.
func (c *SplitPointGains) AddTo(sums []float64) {
	sums = sums[:len(c.Words)]
	first, done := c.addInVectors(sums)
	for b, w := range c.Words[done:] {
		first += w
		rest := c.Total - first
		g1, h1 := float64(first>>32), float64(uint32(first))
		g2, h2 := float64(rest>>32), float64(uint32(rest))
		gain := float64(g1*g1)/(h1+c.L2) + float64(g2*g2)/(h2+c.L2) - c.Base
		sums[done+b] += float64(float64(gain*c.Scale) * c.Weight)
	}
}

// First returns what the first child of the split point after a bin has.
func (c *SplitPointGains) First(bin int) int64 {
	sum := c.Start
	for _, w := range c.Words[:bin+1] {
		sum += w
	}
	return sum
}

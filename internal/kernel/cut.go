package kernel

// Cuts asks for the best cut of a column whose bins have sums in words: g in the high half, signed, h in the low half; see
// Fix. The cut after bin b gives to the first child
//
//	Start + Words[0] + ... + Words[b]
//
// and the rest of Total to the last. It is allowed where both have an h of at least Lowest, and its score is
//
//	g1^2 / (h1 + L2) + g2^2 / (h2 + L2)
//
// computed with one division. Sums of words must not overflow their halves.
type Cuts struct {
	Words        []int64
	Start, Total int64
	L2, Lowest   float64 // Lowest above 0, or L2
}

// cutState is how far the search has come.
type cutState struct {
	sum  int64 // what the first child has
	next int   // bin
	best float64
	bin  int
}

// tail looks at the bins from state.next on. Of equal scores that of the lower bin is kept.
func (c *Cuts) tail(s cutState) (score float64, bin int) {
	for b, w := range c.Words[s.next:] {
		s.sum += w
		rest := c.Total - s.sum
		g1, h1 := float64(s.sum>>32), float64(uint32(s.sum))
		g2, h2 := float64(rest>>32), float64(uint32(rest))
		if h1 < c.Lowest || h2 < c.Lowest {
			continue
		}
		d1, d2 := h1+c.L2, h2+c.L2
		score := (float64(float64(g1*g1)*d2) + float64(float64(g2*g2)*d1)) / float64(d1*d2)
		if score > s.best {
			s.best, s.bin = score, s.next+b
		}
	}
	return s.best, s.bin
}

// start is the state before the first bin.
func (c *Cuts) start() cutState { return cutState{sum: c.Start, best: -1, bin: -1} }

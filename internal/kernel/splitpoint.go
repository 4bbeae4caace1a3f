package kernel

// SplitPoints requests the best split point of a column whose bins have sums in words: g in the
// high half, signed, h in the low half; see Fix. The split point after bin b gives to the first
// child
//
//	Start + Words[0] + ... + Words[b]
//
// and the rest of Total to the last. It is allowed where both have an h of at least Lowest, and its
// score is
//
//	g1^2 / (h1 + L2) + g2^2 / (h2 + L2)
//
// computed with one division. Sums of words must not overflow their halves.
type SplitPoints struct {
	Words        []int64
	Start, Total int64
	L2, Lowest   float64 // Lowest above 0, or L2
	Above        float64 // scores up to this one, 0 or more, do not count
}

// SplitPoint is a split point that was found.
type SplitPoint struct {
	Score float64
	Bin   int   // the last one before the split point; -1: there is no split point
	First int64 // what the first child has
}

// splitState is how far the search has come.
type splitState struct {
	sum  int64 // what the first child has
	next int   // bin
	best SplitPoint
}

// tail scans the bins from state.next on. Of equal scores that of the lower bin is kept.
func (c *SplitPoints) tail(s splitState) SplitPoint {
	for b, w := range c.Words[s.next:] {
		s.sum += w
		rest := c.Total - s.sum
		g1, h1 := float64(s.sum>>32), float64(uint32(s.sum))
		g2, h2 := float64(rest>>32), float64(uint32(rest))
		if h2 < c.Lowest {
			break // and less after later bins
		}
		if h1 < c.Lowest {
			continue
		}
		d1, d2 := h1+c.L2, h2+c.L2
		over, under := float64(float64(g1*g1)*d2)+float64(float64(g2*g2)*d1), float64(d1*d2)
		if over < s.best.Score*under {
			continue // no division needed: rounding keeps the order
		}
		if score := over / under; score > s.best.Score {
			s.best = SplitPoint{score, s.next + b, s.sum}
		}
	}
	return s.best
}

// start is the state before the first bin.
func (c *SplitPoints) start() splitState {
	return splitState{sum: c.Start, best: SplitPoint{Score: c.Above, Bin: -1}}
}

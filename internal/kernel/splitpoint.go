package kernel

// SplitPoints requests the best split point of a column whose bins have sums in words: g in the
// high half, signed, h in the low half; see Fix. The split point after bin b gives to the first
// child
//
//	Start + Words[0] + ... + Words[b]
//
// and the rest of the total to the last. It is allowed where both have an h of at least lowest, and
// its score is
//
//	g1^2 / (h1 + l2) + g2^2 / (h2 + l2)
//
// computed with one division. Sums of words must not overflow their halves.
type SplitPoints struct {
	Words  []int64
	Start  int64
	Above  float64 // scores up to this one, 0 or more, do not count
	total  int64
	l2     float64
	lowest float64
	sieve  sieve
}

// NewSplitPoints prepares for the columns of a leaf: lowest is above 0, or l2 is.
func NewSplitPoints(total int64, l2, lowest float64) SplitPoints {
	return SplitPoints{total: total, l2: l2, lowest: lowest, sieve: newSieve(total, l2)}
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
		rest := c.total - s.sum
		g1, h1 := float64(s.sum>>32), float64(uint32(s.sum))
		g2, h2 := float64(rest>>32), float64(uint32(rest))
		if h2 < c.lowest {
			break // and less after later bins
		}
		if h1 < c.lowest {
			continue
		}
		d1, d2 := h1+c.l2, h2+c.l2
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

// sieve is what the test of vectors needs of a leaf, which spares most bins their score. With x =
// g1, y = h1 + L2, both children's g as G and their denominators as D, a score is above a best one
// B where
//
//	x^2 (D - y) + (G - x)^2 y > B y (D - y)
//
// which, divided by D, is
//
//	x^2 + y (B/D y - 2 G/D x - (B - G^2/D)) > 0
//
// Neither side's terms are greater than (|x| + |G|)^2 + 2 B D, with |x| and |G| up to 2^31. What
// rounding can change is less than 1e-14 of that: so much less than 0 must the left side be for the
// bin to be passed over.
type sieve struct {
	twice   float64 // 2 G/D
	perBest float64 // 1/D
	base    float64 // G^2/D
	fixed   float64 // what rounding may change, negative, and
	slack   float64 // its fraction that is for each unit of the best score
}

func newSieve(total int64, l2 float64) sieve {
	g, d := float64(total>>32), float64(uint32(total))+l2+l2
	return sieve{twice: 2 * g / d, perBest: 1 / d, base: float64(g*g) / d, fixed: -1e-14 * (1 << 64),
		slack: -2e-14 * d}
}

package kernel

import "math"

// Screen tests whether the split points of a column with a bin that has no sum of its own may have
// a score above a limit, as SplitPoints defines it. That bin has what the others leave of the
// total. The test is a cheap one that is right where it reports false.
type Screen struct {
	total       int64
	l2, twice   float64
	perBest     float64
	base        float64
	factor      float64 // of the limit: B/D, see splitSearch.sieve
	rest        float64 // B - G^2/D
	slack       float64
	least, most [4]float64 // hessians of the first child that leave both enough
}

// NewScreen prepares for the columns of a leaf. The arguments are those of SplitPoints.
func NewScreen(total int64, l2, lowest float64) Screen {
	all, least := float64(uint32(total)), math.Ceil(lowest)
	s := Screen{total: total, l2: l2}
	g, d := float64(total>>32), all+l2+l2
	s.twice, s.base, s.perBest = 2*g/d, g*g/d, 1/d
	for i := range s.least {
		s.least[i], s.most[i] = least, all-least
	}
	return s
}

// Above sets the limit.
func (s *Screen) Above(limit float64) {
	d := float64(uint32(s.total)) + s.l2 + s.l2
	s.factor, s.rest = limit*s.perBest, limit-s.base
	s.slack = -1e-14*(1<<64) - float64(2e-14*d*limit)
}

// May reports whether a split point may score above the limit. words are the sums of the bins,
// with 0 for bin usual, which has the rest. They continue with zeros up to a multiple of four.
// start is what the first child has before the first bin.
func (s *Screen) May(words []int64, usual int, start int64) bool {
	return len(words) > 0 && (!screens() || s.may(words, usual, start))
}

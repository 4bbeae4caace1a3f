package hist

import "math"

// levelScore is how the splits of a level of a symmetric tree are compared.
type levelScore interface {
	// begin prepares for the leaves of a level.
	begin(in *inputs, leaves []*open)
	// best returns the split by a column that raises the score of all these leaves most, and by
	// how much; nothing where none does. Of equal splits that of the lower bin is best, and then
	// that with missing values in the last child.
	best(points *pointScores) (bin, side int, raise float64)
}

// sumOfGains scores a level by what its leaves gain together.
type sumOfGains struct{}

func (sumOfGains) begin(*inputs, []*open) {}

func (sumOfGains) best(points *pointScores) (bin, side int, raise float64) {
	last, first := points.gain[0], points.gain[1]
	for b, gain := range last {
		if gain > raise {
			bin, raise = b, gain
		}
	}
	for b, gain := range first {
		if gain > raise || gain == raise && b < bin {
			bin, side, raise = b, 1, gain
		}
	}
	return bin, side, raise
}

// cosineScore scores a level by how near the values w of its leaves are in direction to the
// negative gradients, as CatBoost does (Prokhorenkova et al. 2018, section 5):
//
//	sum of -G w / sqrt(sum of H w^2),    w = -G / (H + L2)
//
// over the leaves below the split, where H is the weight of rows. The numerator is the sum of the
// scores of leaves, which a split changes by its gain.
type cosineScore struct {
	above  placeScore // sums over the leaves as they are
	before float64    // their score
}

func (c *cosineScore) begin(in *inputs, leaves []*open) {
	c.above = placeScore{}
	for _, l := range leaves {
		s := scoreOf(l, &in.c, &in.sums[0])
		c.above.gain += float64(s.base * s.scale)
		c.above.norm += float64(s.square(s.sum) * s.scale)
	}
	c.before = c.above.cosine()
}

func (c *cosineScore) best(points *pointScores) (bin, side int, raise float64) {
	for b := range points.gain[0] {
		for k := range points.gain {
			if b >= len(points.gain[k]) {
				continue
			}
			if of := c.of(points.of(b, k)); of > raise {
				bin, side, raise = b, k, of
			}
		}
	}
	return bin, side, raise
}

// of returns by how much a split of all leaves raises their score.
func (c *cosineScore) of(p placeScore) float64 {
	below := placeScore{c.above.gain + p.gain, c.above.norm + p.norm}
	return below.cosine() - c.before
}

// cosine returns the score of sums over the leaves of a level, 0 where all values are 0.
func (p placeScore) cosine() float64 {
	if !(p.norm > 0) {
		return 0
	}
	return p.gain / math.Sqrt(p.norm)
}

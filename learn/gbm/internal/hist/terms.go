package hist

import "math"

// terms holds the terms of the regularised loss of a leaf, in the caller's units. A leaf of value w
// over rows with sums G and H changes the loss by
//
//	G w + 1/2 (H + L2) w^2 + L1 |w|
//
// whose least value, times -2, is its score. The gain of a split is the children's scores minus
// their parent's (Chen and Guestrin 2016, equations 5 to 7, but for the factor 1/2). Limits bound
// w.
type terms struct {
	l1, l2, step float64
	smooth       float64
	soft         bool // the score of LightGBM: that of a gradient which L1 has shrunk
}

// terms returns those of a leaf of which l2 is added to L2.
func (c *Config) terms(l2 float64) terms {
	return terms{l1: c.L1, l2: c.L2 + l2, step: c.MaxDeltaStep, smooth: c.PathSmooth,
		soft: c.Conventions == LightGBM}
}

// inUnits returns the terms in units of gradients and of hessians.
func (t terms) inUnits(unitG, unitH float64) terms {
	t.l1, t.l2, t.step = t.l1/unitG, t.l2/unitH, t.step*unitH/unitG
	return t
}

// limits are the least and the greatest value that a node's leaves may have; see Columns.Monotone.
type limits struct{ lower, upper float64 }

func free() limits { return limits{math.Inf(-1), math.Inf(1)} }

func (l limits) clamp(w float64) float64 {
	if l.lower < w && w < l.upper {
		return w
	}
	return min(max(w, l.lower), l.upper)
}

// plain reports whether the score is G^2 / (H + L2) for all values.
func (t *terms) plain() bool { return t.l1 == 0 && t.step == 0 && t.smooth == 0 }

// value returns the best value of a leaf over rows with sums of s. rows and parent, the parent's
// value, are used if values are smoothed along the path.
func (t *terms) value(s pair, l limits, rows, parent float64) float64 {
	if !(s.h+t.l2 > 0) {
		return l.clamp(0)
	}
	w := -soft(s.g, t.l1) / (s.h + t.l2)
	if t.step > 0 {
		w = min(max(w, -t.step), t.step)
	}
	if t.smooth > 0 {
		k := rows / t.smooth
		w = float64(w*(k/(k+1))) + parent/(k+1)
	}
	return l.clamp(w)
}

// score returns -2 times what a leaf of value w changes the loss by.
func (t *terms) score(s pair, w float64) float64 {
	if t.soft {
		return -(float64(2*soft(s.g, t.l1)*w) + float64((s.h+t.l2)*w*w))
	}
	return -(float64(2*s.g*w) + float64((s.h+t.l2)*w*w) + float64(2*t.l1*math.Abs(w)))
}

// best returns the score of the best value.
func (t *terms) best(s pair, l limits, rows, parent float64) float64 {
	if t.step == 0 && t.smooth == 0 && math.IsInf(l.lower, -1) && math.IsInf(l.upper, 1) {
		if !(s.h+t.l2 > 0) {
			return 0
		}
		g := soft(s.g, t.l1)
		return float64(g*g) / (s.h + t.l2)
	}
	return t.score(s, t.value(s, l, rows, parent))
}

// soft is the soft threshold.
func soft(g, l1 float64) float64 {
	switch {
	case g > l1:
		return g - l1
	case g < -l1:
		return g + l1
	}
	return 0
}

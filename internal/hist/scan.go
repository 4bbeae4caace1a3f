package hist

import (
	"math"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// scanner finds the best split of a leaf by one column after the other. Each worker has its own.
type scanner struct {
	r    *Grower
	g, h []float64 // sums by bin of the column that is looked at
	n    []int32   // rows by bin, where they are counted
	sort nominal

	l      *open
	terms  terms // in units of the sums
	scale  float64
	base   float64 // score of the leaf itself, in units
	lowest float64 // least sum of hessians of a child, in units
	fast   bool    // whether the sums are words, and scores those of kernel.Cuts
	record float64 // no column with a fast score up to this one is better than those before it
}

// begin prepares for a leaf. Scores in units are worth scale: with g' = g/u and h' = h/v, g^2/(h +
// L2) is u^2/v * g'^2/(h' + L2/v), a value w is v/u w' and L1 is u times as many units.
func (s *scanner) begin(l *open) {
	c, u := &s.r.c, &s.r.sums
	s.l = l
	s.scale = u.unitG * u.unitG / u.unitH
	s.terms = terms{l1: c.L1 / u.unitG, l2: c.L2 / u.unitH, step: c.MaxDeltaStep * u.unitH / u.unitG, smooth: c.PathSmooth, soft: c.Conventions == LightGBM}
	bounds := s.limits()
	if c.Conventions == LightGBM {
		bounds = free()
	}
	s.base = s.terms.best(l.sum, bounds, float64(l.len()), s.parent())
	s.lowest = max(c.MinChildWeight/u.unitH, u.floor())
	s.fast = !u.double && s.terms.plain() && c.Monotone == nil && !c.ExtraRandom
	s.record = max(0, s.base) // what scores no more gains nothing
}

// scanWords is scanOrdered for a column that is alone in its group, whose rows need not be counted.
// It returns the score too, and no split where that is not above the record.
func (s *scanner) scanWords(column int, c *bins.Column) (split, float64) {
	at := int(s.r.lay.at[c.Group])
	words := s.l.hist.packed[at : at+c.Bins()]
	values := c.Values
	lost := words[values]
	has := lost != 0
	splitPoints := kernel.Cuts{Words: words[:values-1], Total: s.l.sum.word(), L2: s.terms.l2, Lowest: max(s.lowest, s.enough()), Above: s.record}
	if has {
		splitPoints.Words = words[:values] // also known against missing
	}
	found, missing := splitPoints.Best(), false
	if has {
		splitPoints.Words, splitPoints.Start, splitPoints.Above = words[:values-1], lost, found.Score
		if splitPoint := splitPoints.Best(); splitPoint.Bin >= 0 && (found.Bin < 0 || splitPoint.Score-s.base > found.Score-s.base) {
			found, missing = splitPoint, true
		}
	}
	if found.Bin < 0 {
		return none(), 0
	}
	best := split{column: column, bin: found.Bin, missing: missing, gain: found.Score - s.base, first: pairOf(found.First)}
	if !has {
		best.missing = best.first.h > s.l.sum.h-best.first.h
	}
	s.finish(&best)
	return best, found.Score
}

// enough is the least sum of hessians that MinRows rows may have, so that less is too few of them.
func (s *scanner) enough() float64 {
	if few := s.r.c.MinLeaf; few > 1 {
		return float64(few) * s.r.sums.least * (1 - 1e-9)
	}
	return 0
}

// word returns a sum of words as one.
func (a pair) word() int64 { return int64(a.g)<<32 + int64(a.h) }

// pairOf is the other way round.
func pairOf(word int64) pair { return pair{float64(word >> 32), float64(uint32(word))} }

// floor is the least sum of hessians that is not none at all: differences of float64 leave some
// dust.
func (u *sums) floor() float64 {
	if u.double {
		return max(u.least/2, 1e-12*u.total.h)
	}
	return 1
}

// toUnits turns values of leaves into units.
func (s *scanner) toUnits() float64 { return s.r.sums.unitH / s.r.sums.unitG }

func (s *scanner) limits() limits {
	k := s.toUnits()
	return limits{s.l.limits.lower * k, s.l.limits.upper * k}
}

func (s *scanner) parent() float64 { return s.l.value * s.toUnits() }

// scan returns the best split by a column, if one gains more than so far.
func (s *scanner) scan(column int, sofar *split) split {
	c := &s.r.m.Columns[column]
	switch {
	case s.r.c.Conventions == LightGBM:
		return s.scanEstimated(column, c)
	case s.r.c.Conventions == XGBoostExact && !c.Nominal():
		return s.scanExact(column, c)
	}
	if s.fast && !c.Nominal() && c.Default < 0 {
		found, score := s.scanWords(column, c)
		if found.column < 0 || !found.better(sofar) {
			return found
		}
		if !s.doubtful(&found) {
			if s.r.c.ColumnWeight == nil {
				s.record = score
			}
			return found
		}
	}
	n := c.Bins()
	if len(s.g) < n {
		s.g, s.h = make([]float64, n), make([]float64, n)
	}
	g, h := s.g[:n], s.h[:n]
	s.l.hist.column(c, s.r.lay.at[c.Group], s.l.sum, g, h)
	found := s.scanSums(column, c, nil)
	if found.column < 0 || !found.better(sofar) || !s.doubtful(&found) && !(c.Nominal() && s.r.c.MinGroup > 1) {
		return found
	}
	s.count(c)
	return s.scanSums(column, c, s.n[:n])
}

// doubtful reports whether a child of the split may have fewer rows than MinRows. As many rows as a
// sum of hessians must have are those that would have the greatest; where all have the same, they
// are counted.
func (s *scanner) doubtful(found *split) bool {
	few := s.r.c.MinLeaf
	u := &s.r.sums
	if few <= 1 {
		return false
	}
	least := min(found.first.h, s.l.sum.h-found.first.h)
	return least <= float64(few-1)*u.most*(1+1e-9)
}

// count counts the rows of the leaf in each bin of a column.
func (s *scanner) count(c *bins.Column) {
	n := c.Bins()
	if len(s.n) < n {
		s.n = make([]int32, n)
	}
	clear(s.n[:n])
	group := &s.r.m.Groups[c.Group]
	for _, r := range s.r.order[s.l.begin:s.l.end] {
		s.n[c.Bin(group.Code(r))]++
	}
}

// scanSums finds the best split by a column whose sums are known, and the numbers of rows if n is
// not nil.
func (s *scanner) scanSums(column int, c *bins.Column, n []int32) split {
	var found split
	if c.Nominal() {
		found = s.scanNominal(column, c, n)
	} else {
		found = s.scanOrdered(column, c, n)
	}
	return found
}

// scanOrdered tries every split point between the bins of a numeric column, with missing values on
// either side.
func (s *scanner) scanOrdered(column int, c *bins.Column, n []int32) split {
	best := none()
	values := c.Values
	lost := pair{s.g[values], s.h[values]}
	has := lost.h >= s.r.sums.floor()
	from, to := 0, values-1 // split points after bins from ... to-1
	if has {
		to = values // also known against missing
	}
	if s.r.c.ExtraRandom {
		from, to = s.draw(column, values, to)
	}
	lastKnown := values - 1
	t := trial{s: s, column: column, best: &best, sign: s.r.sign(column)}
	left, rows := pair{}, int32(0)
	for b := 0; b < to; b++ {
		left = left.plus(pair{s.g[b], s.h[b]})
		if n != nil {
			rows += n[b]
		}
		if b >= from {
			t.try(b, left, rows, false, n != nil)
		}
	}
	if has {
		left, rows = lost, 0
		if n != nil {
			rows = n[values]
		}
		for b := 0; b < min(to, lastKnown); b++ {
			left = left.plus(pair{s.g[b], s.h[b]})
			if n != nil {
				rows += n[b]
			}
			if b >= from {
				t.try(b, left, rows, true, n != nil)
			}
		}
	} else if best.column >= 0 {
		best.missing = best.first.h > s.l.sum.h-best.first.h
	}
	s.finish(&best)
	return best
}

// finish turns the gain of a split that was found into the caller's units.
func (s *scanner) finish(best *split) {
	if best.column < 0 {
		return
	}
	dust := math.Abs(s.base) * 1e-12 // of rounding, where scores are subtracted
	if !(best.gain > dust) {
		*best = none()
		return
	}
	best.gain *= s.scale
	if w := s.r.c.ColumnWeight; w != nil {
		best.gain *= w[best.column]
	}
	if !(best.gain > 0) || best.gain < s.r.least {
		*best = none()
	}
}

// trial keeps the best of the splits by one column.
type trial struct {
	s      *scanner
	column int
	best   *split
	sign   int8 // of the monotone constraint
}

// try compares the split that gives left to the first child with the best so far.
func (t *trial) try(b int, left pair, rows int32, missing, counted bool) {
	s := t.s
	right := s.l.sum.minus(left)
	if left.h < s.lowest || right.h < s.lowest {
		return
	}
	if counted {
		if few := int32(s.r.c.MinLeaf); rows < few || int32(s.l.len())-rows < few {
			return
		}
	} else if min(left.h, right.h) < s.enough() {
		return
	}
	gain := s.gain(left, right, t.sign)
	if gain > t.best.gain {
		*t.best = split{column: t.column, bin: b, missing: missing, gain: gain, first: left}
	}
}

// gain returns what a split gains, in units; -Inf where a monotone constraint forbids it.
func (s *scanner) gain(left, right pair, sign int8) float64 {
	return s.gainBy(&s.terms, left, right, sign)
}

func (s *scanner) gainBy(t *terms, left, right pair, sign int8) float64 {
	if t.plain() && s.r.c.Monotone == nil {
		return t.best(left, free(), 0, 0) + t.best(right, free(), 0, 0) - s.base
	}
	lim, parent := s.limits(), s.parent()
	all := float64(s.l.len())
	fraction := left.h / s.l.sum.h
	a := t.value(left, lim, all*fraction, parent)
	b := t.value(right, lim, all*(1-fraction), parent)
	if sign > 0 && a > b || sign < 0 && a < b {
		return none().gain
	}
	return t.score(left, a) + t.score(right, b) - s.base
}

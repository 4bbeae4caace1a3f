package hist

// leafScore is what the splits of a leaf of one output are scored by, in units of the sums. With
// g' = g/u and h' = h/v
//
//	g^2 / (h + L2) = u^2/v * g'^2 / (h' + L2/v)
//
// so a unit of scores is worth u^2/v, a value w is v/u w' and L1 is u times as many units.
type leafScore struct {
	c      *Config
	sum    pair
	rows   int32
	terms  terms
	scale  float64 // what a unit of scores is worth
	base   float64 // score of the leaf itself
	lowest float64 // least sum of hessians of a child
	enough float64 // least sum of hessians of MinLeaf rows
	limits limits
	value  float64
	plain  bool // scores are G^2 / (H + L2), and no column is monotone
}

// scoreOf prepares for a leaf.
func scoreOf(l *open, c *Config, u *sums) leafScore {
	toUnits := u.unitH / u.unitG
	out := &l.outputs[0]
	s := leafScore{
		c: c, sum: out.sum, rows: int32(l.len()),
		terms:  c.terms(0).inUnits(u.unitG, u.unitH),
		scale:  u.unitG * u.unitG / u.unitH,
		lowest: max(c.MinChildWeight/u.unitH, u.floor()),
		enough: c.enough(u.least),
		limits: limits{l.limits.lower * toUnits, l.limits.upper * toUnits},
		value:  out.value * toUnits,
	}
	s.plain = s.terms.plain() && c.Monotone == nil
	bounds := s.limits
	if s.terms.soft {
		bounds = free()
	}
	s.base = s.terms.best(s.sum, bounds, float64(s.rows), s.value)
	return s
}

// gain returns what a split gains; -Inf where a monotone constraint, sign, forbids it.
func (s *leafScore) gain(left, right pair, sign int8) float64 {
	if s.plain {
		return s.terms.plainScore(left) + s.terms.plainScore(right) - s.base
	}
	all, fraction := float64(s.rows), left.h/s.sum.h
	a := s.terms.value(left, s.limits, all*fraction, s.value)
	b := s.terms.value(right, s.limits, all*(1-fraction), s.value)
	if sign > 0 && a > b || sign < 0 && a < b {
		return none().gain
	}
	return s.terms.score(left, a) + s.terms.score(right, b) - s.base
}

// plainScore is best where terms are plain and values have no limits.
func (t *terms) plainScore(s pair) float64 {
	if h := s.h + t.l2; h > 0 {
		return float64(s.g*s.g) / h
	}
	return 0
}

// square returns H w^2 of a leaf with some sums, w being its value.
func (s *leafScore) square(of pair) float64 {
	w := s.terms.value(of, s.limits, float64(s.rows), s.value)
	return float64(of.h * float64(w*w))
}

// norm returns by what a split changes the sum of squares, in the caller's units, given the sums of
// its first child.
func (s *leafScore) norm(first pair) float64 {
	return float64((s.square(first) + s.square(s.sum.minus(first)) - s.square(s.sum)) * s.scale)
}

// scalarSide is the side of a leaf of one output.
type scalarSide struct {
	leaf   *leafScore
	column int
	sign   int8      // the monotone constraint of the column
	g, h   []float64 // sums by bin
	counts []int32   // rows by bin; nil: they are not counted

	left pair // of the bins so far
	rows int32
	best split
}

func (s *scalarSide) found() *split { return &s.best }

func (s *scalarSide) clear() { s.left, s.rows = pair{}, 0 }

func (s *scalarSide) add(b int) {
	s.left.g += s.g[b]
	s.left.h += s.h[b]
	if s.counts != nil {
		s.rows += s.counts[b]
	}
}

func (s *scalarSide) try(at int, missing bool) bool {
	return s.tryWith(at, s.left, s.rows, missing)
}

// tryWith is try for sums and rows of the first child that were not added up here.
func (s *scalarSide) tryWith(at int, left pair, rows int32, missing bool) bool {
	f := s.leaf
	right := f.sum.minus(left)
	if left.h < f.lowest || right.h < f.lowest {
		return false
	}
	if s.counts != nil {
		if few := int32(f.c.MinLeaf); rows < few || f.rows-rows < few {
			return false
		}
	} else if min(left.h, right.h) < f.enough {
		return false
	}
	gain := f.gain(left, right, s.sign)
	if !(gain > s.best.gain) {
		return false
	}
	s.best = split{column: s.column, bin: at, missing: missing, gain: gain, first: left}
	return true
}

func (s *scalarSide) mayBeGroup(before *int32) bool {
	return s.counts == nil || !(s.left.h < s.leaf.lowest) &&
		s.leaf.c.tryGroup(s.rows, before, s.leaf.rows)
}

package hist

import "github.com/coppice-ml/coppice/internal/kernel"

// wordPoints is the split points of a leaf by a column of numbers whose words hold plain scores,
// all of which are looked at. Those that the leaf allows are consecutive, as the hessians and the
// rows of the first child only grow:
//
//	bin     0  1  2  3  4  5  6
//	rows    1  0  1  0  7  0  1     MinLeaf 2 allows those after bins 2 and 3
//
// Rows are counted only where it is in doubt how many a child has: no fewer than the bins that have
// any, and than follow from its sum of hessians.
type wordPoints struct {
	s     *scanner
	words []int64 // by bin
}

// hasPoints reports whether the column that is looked at has split points by words.
func (s *scanner) hasPoints() bool { return s.fast && !s.bins.Nominal() }

// openPoints returns those of the column, until close.
func (s *scanner) openPoints() wordPoints {
	h, at, n := s.leaf.hist, int(s.leaf.hist.at(&s.tables.lay, s.bins)), s.bins.Bins()
	s.side.counts = nil
	switch usual := int(s.bins.Default); {
	case s.bins.Listed:
		h.fillDefault(s.bins, 0, uint32(at), s.score.sum)
	case usual >= 0: // a bundle has no cell for it
		own := h.packed[at+int(s.bins.First):][:n-1]
		rest := s.score.sum.word()
		for _, w := range own {
			rest -= w
		}
		s.words = append(append(append(s.words[:0], own[:usual]...), rest), own[usual:]...)
		return wordPoints{s: s, words: s.words}
	}
	return wordPoints{s: s, words: h.packed[at:][:n]}
}

func (p wordPoints) close() {
	if s := p.s; s.bins.Listed {
		s.leaf.hist.clearDefault(s.bins, 0, s.leaf.hist.at(&s.tables.lay, s.bins))
	}
}

// gains requests the gains of the allowed split points, in units of scores, with missing values on
// a side; see sideOf. The first of them is after the bin at.
func (p wordPoints) gains(side int) (at int, g kernel.SplitPointGains) {
	s := p.s
	first, last, sure := 0, 0, false
	for !sure {
		var also bool
		first, sure = p.reach(side == 1, false)
		last, also = p.reach(side == 0, true)
		if sure = sure && also; !sure {
			s.side.counts = s.count(s.side.column)
		}
	}
	return p.between(first, last, side)
}

// anyRow reports whether any row makes a child. A split point that is not allowed then has a child
// without rows: it gains 0, to the bit, so that it need not be left out of sums.
func (p wordPoints) anyRow() bool {
	s := p.s
	return s.c.MinLeaf <= 1 && s.score.terms.l2 > 0 && max(s.score.lowest, 1) <= s.sums[0].least
}

// between is gains of the split points that leave at least so many bins to either child.
func (p wordPoints) between(first, last, side int) (at int, g kernel.SplitPointGains) {
	s, values := p.s, p.s.bins.Values
	at = max(0, first-1)
	g = kernel.SplitPointGains{Total: s.score.sum.word(), L2: s.score.terms.l2, Base: s.score.base,
		Scale: 1, Weight: 1}
	if end := values - last; at < end {
		if side == 1 {
			g.Start = p.words[values]
		}
		for _, w := range p.words[:at] {
			g.Start += w
		}
		g.Words = p.words[at:end]
	}
	return at, g
}

// reach returns how many bins a child needs, from the first on or from the last on, that may have
// the missing values too; more than there are where these are not enough. It is not sure where rows
// must be counted and were not.
func (p wordPoints) reach(missing, fromLast bool) (bins int, sure bool) {
	s, values, counted := p.s, p.s.bins.Values, p.s.side.counts != nil
	lowest, few := max(s.score.lowest, s.score.enough), int32(s.c.MinLeaf)
	sum, rows := int64(0), int32(0)
	if missing {
		sum, rows = p.words[values], p.rowsIn(values)
	}
	for ; ; bins++ {
		if h := float64(uint32(sum)); h >= lowest {
			switch {
			case rows >= few || !counted && !p.doubtful(h):
				return bins, true
			case !counted:
				return bins, false
			}
		}
		b := bins
		for ; bins < values; bins++ { // those without rows are the most, of a small leaf
			if b = bins; fromLast {
				b = values - 1 - bins
			}
			if p.words[b] != 0 || counted {
				break
			}
		}
		if bins == values {
			return values + 1, true
		}
		sum += p.words[b]
		rows += p.rowsIn(b)
	}
}

// doubtful reports whether a child of a sum of hessians may have fewer rows than MinLeaf, given
// those of the leaf's own rows where all of them can be looked at.
func (p wordPoints) doubtful(h float64) bool {
	s := p.s
	if !s.c.doubtful(h, s.sums[0].most) {
		return false
	}
	if s.most == 0 {
		s.most = s.counter.most(s.leaf)
	}
	return s.c.doubtful(h, s.most)
}

// rowsIn returns the rows of the leaf in a bin; before they are counted, no more than these.
func (p wordPoints) rowsIn(bin int) int32 {
	switch {
	case p.s.side.counts != nil:
		return p.s.side.counts[bin]
	case p.words[bin] != 0:
		return 1
	}
	return 0
}

func (s *scanner) addPoints(column int, to *pointScores) {
	s.look(column)
	if s.c.Cosine || !s.hasPoints() {
		s.eachSplitPoint(to.add)
		return
	}
	p := s.openPoints()
	defer p.close()
	for side, sums := range to.gain {
		if len(sums) == 0 {
			break // no row has a missing value
		}
		at, g := p.between(0, 0, side)
		if !p.anyRow() {
			at, g = p.gains(side)
		}
		g.Scale, g.Weight = s.score.scale, s.c.weight(column)
		g.AddTo(sums[at:])
	}
}

func (s *scanner) splitAt(column, bin int, missing bool) split {
	s.look(column)
	if s.c.Cosine || !s.hasPoints() {
		return splitAt(bin, missing, s.eachSplitPoint)
	}
	p := s.openPoints()
	defer p.close()
	at, g := p.gains(sideOf(missing))
	if bin < at || bin >= at+len(g.Words) {
		return none()
	}
	first := pairOf(g.First(bin - at))
	found := split{column: column, bin: bin, missing: missing, first: first,
		gain: s.score.gain(first, s.score.sum.minus(first), 0) * s.score.scale}
	s.c.weigh(&found)
	return found
}

// scanCounted is scanSums for a column that scanWords takes, whose best split point may be none for
// want of rows: with the bits of the loop over floats.
func (s *scanner) scanCounted() {
	p := s.openPoints()
	defer p.close()
	p.scan()
}

// scan makes the best of the points that of the scanner's side.
func (p wordPoints) scan() {
	s := p.s
	best, missing := &s.side.best, uint32(p.words[s.bins.Values]) != 0
	*best = none()
	for side := range 2 {
		if side == 1 && !missing {
			break
		}
		at, g := p.gains(side)
		s.gains = zeros(s.gains, len(g.Words))
		g.AddTo(s.gains)
		for i, gain := range s.gains {
			if gain > best.gain {
				*best = split{column: s.side.column, bin: at + i, missing: side == 1, gain: gain}
			}
		}
		if best.column >= 0 && best.missing == (side == 1) {
			best.first = pairOf(g.First(best.bin - at))
		}
	}
	if best.column >= 0 && !missing {
		best.missing = best.first.h > s.score.sum.h-best.first.h
	}
	s.finish()
}

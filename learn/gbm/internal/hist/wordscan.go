package hist

// scanWords is scanOrdered for a column whose rows need not be counted. It returns the score. There
// is no split where that is not above the record. A column has the same bits alone in its group as
// in a bundle, which blocks of rows do not have: else they would break ties in another way.
func (s *scanner) scanWords() float64 {
	p := s.openPoints()
	defer p.close()
	words, best := p.words, &s.side.best
	best.column = -1
	values := s.bins.Values
	missing := words[values]
	points := &s.points
	points.Words, points.Start, points.Above = words[:values-1], 0, s.record
	if missing != 0 {
		points.Words = words[:values] // also known against missing
	}
	found, first := points.Best(), false
	if missing != 0 {
		points.Words, points.Start, points.Above = words[:values-1], missing, found.Score
		with := points.Best()
		if with.Bin >= 0 && (found.Bin < 0 || with.Score-s.score.base > found.Score-s.score.base) {
			found, first = with, true
		}
	}
	if found.Bin < 0 {
		return 0
	}
	*best = split{column: s.side.column, bin: found.Bin, missing: first,
		gain: found.Score - s.score.base, first: pairOf(found.First)}
	if missing == 0 {
		best.missing = best.first.h > s.score.sum.h-best.first.h
	}
	s.finish()
	return found.Score
}

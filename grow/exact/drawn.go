package exact

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Extremely randomised trees (Geurts, Ernst & Wehenkel 2006) draw the cuts that they judge:
//
//	numbers     uniform between the least and the greatest value of the node
//	categories  of those that occur a random number, any so many alike, goes first; in columns of more than Config.Levels those
//	            up to a code drawn as for numbers
//
// Nothing is put in order, so a column costs two passes over the rows of the node.

// scanColumn returns the best of the splits drawn for a column of a node. A column with one value
// and missing ones has one split, which parts these.
func (r *random) scanColumn(s *scanner, nd *node, feature int) split {
	d := &r.drawings[s.worker]
	d.draws.Reset(nd.key, splitDraws, uint64(feature))
	var b split
	if c := r.codes[feature]; c != nil {
		b = r.drawSets(s, d, nd, c)
	} else {
		b = r.drawCuts(s, d, nd, feature)
	}
	if b.found() && s.t.unlabeled {
		b.gain = 0
	}
	return b
}

// drawCuts judges cuts of a numeric column.
func (r *random) drawCuts(s *scanner, d *drawing, nd *node, feature int) split {
	x := r.columns[feature]
	least, most, missingRows := span(s, nd, x)
	if least > most || least == most && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	missingRows = s.begin(nd, missingRows)
	r.drawBetween(d, nd, x, least, most)
	if missingRows > 0 && (!s.t.unlabeled || len(d.cuts) == 0) {
		d.cuts = append(d.cuts, math.Inf(1)) // parts the known from the missing
	}
	if s.t.values != nil {
		r.lineCutsUp(s, d.cuts, nd, x, missingRows)
	} else {
		for i, cut := range d.cuts {
			rows := sumUpTo(s, nd, x, cut)
			offerDrawn(s, d, rows, missingRows, i, cut == math.Inf(1))
		}
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, feature: int32(feature), kind: tree.Cut, cut: d.cuts[s.best.at], missing: s.best.missing}
	s.place(&b, missingRows)
	return b
}

// span returns the least and the greatest value of a node, and sums the rows without one in
// missing. If all are without one, least > most.
func span(s *scanner, nd *node, x []float64) (least, most float64, missingRows int) {
	s.forget()
	low, high := inOrder(x[nd.list[0]]), int64(math.MinInt64)
	for _, pos := range nd.list {
		v := inOrder(x[pos])
		low, high = min(low, v), max(high, v)
	}
	least, most = outOfOrder(low), outOfOrder(high)
	if least == least && most == most {
		return least, most, 0
	}
	s.stale = true
	known := false
	for _, pos := range nd.list {
		switch v := x[pos]; {
		case v != v:
			missingRows += s.t.add(s.missing, pos, nd.origin)
		case known:
			least, most = min(least, v), max(most, v)
		default:
			least, most, known = v, v, true
		}
	}
	if !known {
		return 1, 0, missingRows
	}
	return least, most, missingRows
}

// inOrder returns an integer that orders numbers as they are ordered, NaN before or behind all
// others: the processor finds the least of integers without a branch, and that of floats, which Go
// wants to know NaN of, in many steps.
func inOrder(x float64) int64 {
	i := int64(math.Float64bits(x))
	return i ^ i>>63&math.MaxInt64
}

// outOfOrder is the inverse of inOrder.
func outOfOrder(i int64) float64 { return math.Float64frombits(uint64(i ^ i>>63&math.MaxInt64)) }

// drawBetween draws cuts uniformly from least to below most and keeps them in ascending order, each
// once. Where an end is infinite there is no uniform number, and a cut is the value of a random row
// below the greatest.
func (r *random) drawBetween(d *drawing, nd *node, x []float64, least, most float64) {
	d.cuts = d.cuts[:0]
	if least == most {
		return
	}
	for range r.thresholds {
		u := d.draws.Float64()
		// Half of each, because their difference may overflow.
		cut := 2 * (float64(least/2) + float64(u*(float64(most/2)-float64(least/2))))
		if math.IsInf(least, 0) || math.IsInf(most, 0) {
			for cut = math.NaN(); !(cut < most); {
				cut = x[nd.list[d.draws.Intn(len(nd.list))]]
			}
		}
		if !(least <= cut && cut < most) {
			cut = least
		}
		d.cuts = append(d.cuts, cut)
	}
	if len(d.cuts) > 1 {
		slices.Sort(d.cuts)
		d.cuts = slices.Compact(d.cuts)
	}
}

// sumUpTo sums the rows of values up to a cut in prefix and returns their number.
func sumUpTo(s *scanner, nd *node, x []float64, cut float64) (rows int) {
	t := s.t
	clear(s.prefix)
	if !t.counts {
		for _, pos := range nd.list {
			if x[pos] <= cut {
				rows += t.add(s.prefix, pos, nd.origin)
			}
		}
		return rows
	}
	counts, class, count := s.Counts(t.width), t.pop.Class, t.pop.Count
	for _, pos := range nd.list {
		n := uint32(0)
		if x[pos] <= cut {
			n = 1
		}
		if count != nil {
			n *= count[pos]
		}
		counts[class[pos]] += n
	}
	for i, n := range counts {
		s.prefix[i] = float64(n)
		rows += int(n)
	}
	return rows
}

// lineCutsUp judges the drawn cuts in a lineup whose rows are ordered as far as the cuts tell them
// apart.
func (r *random) lineCutsUp(s *scanner, cuts []float64, nd *node, x []float64, missingRows int) {
	l, place := &s.lineup, s.t.values.place
	l.reset()
	above := func(float64) bool { return false } // values that have their place
	for i, cut := range append(cuts, math.NaN()) {
		last := cut != cut
		for _, pos := range nd.list {
			v := x[pos]
			switch {
			case v != v && last && missingRows > 0:
				l.missing = append(l.missing, place[pos])
			case v == v && !above(v) && (last || v <= cut):
				l.places = append(l.places, place[pos])
			}
		}
		if !last {
			l.ends = append(l.ends, end{len(l.places), i})
		}
		above = func(v float64) bool { return v <= cut }
	}
	s.judgeLineup(nd)
}

// offerDrawn adds the split whose first side is in prefix; known tells that these are all rows with
// a value. Where labels are not looked at, missing values follow one side at random, by the share
// of known rows that it has.
func offerDrawn(s *scanner, d *drawing, rows, missingRows, at int, known bool) {
	if known {
		s.offer(s.prefix, rows, mark{at, tree.MissingLast})
		return
	}
	if !s.t.unlabeled || missingRows == 0 {
		s.offerBoth(s.prefix, rows, missingRows, at)
		return
	}
	m := mark{at, tree.MissingLast}
	if d.draws.Intn(s.rows-missingRows) < rows {
		m.missing = tree.MissingFirst
		for i, v := range s.missing {
			s.prefix[i] += v
		}
		rows += missingRows
	}
	s.offer(s.prefix, rows, m)
}

// drawSets judges sets of categories.
func (r *random) drawSets(s *scanner, d *drawing, nd *node, c *codes) split {
	missingRows := s.begin(nd, s.collect(nd, c))
	defer s.release()
	k := &s.groups
	if len(k.present) == 0 || len(k.present) == 1 && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	slices.Sort(k.present)
	sets := r.drawnSides(s, d, s.t.byCode(c.levels))
	for i, first := range sets {
		if s.t.values != nil {
			lineSetUp(s, nd, c, i, first, missingRows)
			continue
		}
		clear(s.prefix)
		rows, known := 0, true
		for j, in := range first {
			if known = known && in; !in {
				continue
			}
			stats, n := s.group(j)
			for k, v := range stats {
				s.prefix[k] += v
			}
			rows += n
		}
		offerDrawn(s, d, rows, missingRows, i, known)
	}
	if s.t.values == nil {
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	var sides [2][]uint32
	for j, in := range sets[s.best.at] {
		side := 1
		if in {
			side = 0
		}
		sides[side] = append(sides[side], k.present[j])
	}
	return s.categorySplit(c.feature, sides, missingRows)
}

// lineSetUp judges a set of categories in a lineup of its two sides.
func lineSetUp(s *scanner, nd *node, c *codes, at int, first []bool, missingRows int) {
	l, place, code := &s.lineup, s.t.values.place, c.code
	l.reset()
	for _, wanted := range []bool{true, false} {
		for _, pos := range nd.list {
			j, known := slices.BinarySearch(s.groups.present, code[pos])
			switch {
			case known && first[j] == wanted:
				l.places = append(l.places, place[pos])
			case !known && !wanted && missingRows > 0:
				l.missing = append(l.missing, place[pos])
			}
		}
		if wanted {
			l.ends = append(l.ends, end{len(l.places), at})
		}
	}
	s.judgeLineup(nd)
}

// drawnSides draws which of the node's categories go first, once for each split to be judged: any,
// or those up to a code.
func (r *random) drawnSides(s *scanner, d *drawing, byCode bool) [][]bool {
	present := s.groups.present
	n := len(present)
	var sets [][]bool
	if n == 1 {
		return append(sets, []bool{true})
	}
	for i := range r.thresholds {
		sets = append(sets, make([]bool, n))
		if byCode {
			cut := present[0] + uint32(d.draws.Intn(int(present[n-1]-present[0])))
			for j, code := range present {
				sets[i][j] = code <= cut
			}
			continue
		}
		d.drawSet(sets[i], s.t.unlabeled)
	}
	return sets
}

// drawSet draws which categories go first: a random number of them, any so many alike, as if they
// were put in random order and cut like numbers. Coins for each would part a few from many too
// seldom; where labels are not looked at they decide all the same.
func (d *drawing) drawSet(first []bool, coins bool) {
	if coins {
		d.tossCoins(first)
		return
	}
	n := len(first)
	wanted := 1 + d.draws.Intn(n-1)
	for j := range first {
		if d.draws.Intn(n-j) < wanted {
			first[j] = true
			wanted--
		}
	}
}

// tossCoins draws each category with probability 1/2, again until both sides have one.
func (d *drawing) tossCoins(first []bool) {
	for n := 0; n == 0 || n == len(first); {
		n = 0
		for j := range first {
			if first[j] = d.draws.Uint64()>>63 == 1; first[j] {
				n++
			}
		}
	}
}

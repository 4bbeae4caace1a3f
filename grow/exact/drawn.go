package exact

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// Extremely randomised trees (Geurts, Ernst & Wehenkel 2006) draw the cuts that they judge:
//
//	numbers     uniform between the least and the greatest value of the node
//	categories  of those that occur a random number, any so many alike, goes first; in columns of more than Config.Levels those
//	            up to a code drawn as for numbers
//
// Nothing is put in order, so a column costs two passes over the rows of the node.

// scanDrawn returns the best of the splits drawn for a column of a node. A column with one value and missing ones has
// one split, which parts these.
func (s *scanner) scanDrawn(nd *node, feature int) split {
	s.draws.Reset(nd.key, splitDraws, uint64(feature))
	var b split
	if s.g.columns[feature].code != nil {
		b = s.drawSets(nd, feature)
	} else {
		b = s.drawCuts(nd, feature)
	}
	if b.found() && s.g.blind {
		b.gain = 0
	}
	return b
}

// drawCuts judges cuts of a numeric column.
func (s *scanner) drawCuts(nd *node, feature int) split {
	g := s.g
	x := g.store.(*numbers).columns[feature]
	least, most, missingRows := s.span(nd, x)
	if least > most || least == most && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	missingRows = s.begin(nd, missingRows)
	s.drawBetween(nd, x, least, most)
	if missingRows > 0 && (!g.blind || len(s.drawn) == 0) {
		s.drawn = append(s.drawn, math.Inf(1)) // parts the known from the missing
	}
	if g.values != nil {
		s.lineCutsUp(nd, x, missingRows)
	} else {
		for i, cut := range s.drawn {
			rows := s.sumUpTo(nd, x, cut)
			s.offerDrawn(rows, missingRows, i, cut == math.Inf(1))
		}
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, feature: int32(feature), kind: tree.Cut, cut: s.drawn[s.best.at], missing: s.best.missing}
	s.place(&b, missingRows)
	return b
}

// span returns the least and the greatest value of a node, and sums the rows without one in missing. If all are without one,
// least > most.
func (s *scanner) span(nd *node, x []float64) (least, most float64, missingRows int) {
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
			missingRows += s.g.add(s.missing, pos, nd.origin)
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

// inOrder returns an integer that orders numbers as they are ordered, NaN before or behind all others: the processor finds the
// least of integers without a branch, and that of floats, which Go wants to know NaN of, in many steps.
func inOrder(x float64) int64 {
	i := int64(math.Float64bits(x))
	return i ^ i>>63&math.MaxInt64
}

// outOfOrder is the inverse of inOrder.
func outOfOrder(i int64) float64 { return math.Float64frombits(uint64(i ^ i>>63&math.MaxInt64)) }

// drawBetween draws cuts uniformly from least to below most and keeps them in ascending order, each once. Where an end is infinite
// there is no uniform number, and a cut is the value of a random row below the greatest.
func (s *scanner) drawBetween(nd *node, x []float64, least, most float64) {
	s.drawn = s.drawn[:0]
	if least == most {
		return
	}
	for range s.g.drawn {
		u := s.draws.Float64()
		// Half of each, because their difference may overflow.
		cut := 2 * (float64(least/2) + float64(u*(float64(most/2)-float64(least/2))))
		if math.IsInf(least, 0) || math.IsInf(most, 0) {
			for cut = math.NaN(); !(cut < most); {
				cut = x[nd.list[s.draws.Intn(len(nd.list))]]
			}
		}
		if !(least <= cut && cut < most) {
			cut = least
		}
		s.drawn = append(s.drawn, cut)
	}
	if len(s.drawn) > 1 {
		slices.Sort(s.drawn)
		s.drawn = slices.Compact(s.drawn)
	}
}

// sumUpTo sums the rows of values up to a cut in prefix and returns their number.
func (s *scanner) sumUpTo(nd *node, x []float64, cut float64) (rows int) {
	g := s.g
	clear(s.prefix)
	if !g.counts {
		for _, pos := range nd.list {
			if x[pos] <= cut {
				rows += g.add(s.prefix, pos, nd.origin)
			}
		}
		return rows
	}
	counts, class, count := s.table(g.width), g.pop.Class, g.pop.Count
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

// table returns zeros to count in.
func (s *scanner) table(n int) []uint32 {
	if cap(s.counts) < n {
		s.counts = make([]uint32, n)
	}
	counts := s.counts[:n]
	clear(counts)
	return counts
}

// lineCutsUp judges the drawn cuts in a lineup whose rows are ordered as far as the cuts tell them apart.
func (s *scanner) lineCutsUp(nd *node, x []float64, missingRows int) {
	l, place := &s.lineup, s.g.values.place
	l.reset()
	above := func(float64) bool { return false } // values that have their place
	for i, cut := range append(s.drawn, math.NaN()) {
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

// offerDrawn adds the split whose first side is in prefix; known tells that these are all rows with a value. Where labels are not looked at, missing values follow one
// side at random, by the share of known rows that it has.
func (s *scanner) offerDrawn(rows, missingRows, at int, known bool) {
	if known {
		s.offer(s.prefix, rows, mark{at, tree.MissingLast})
		return
	}
	if !s.g.blind || missingRows == 0 {
		s.offerBoth(s.prefix, rows, missingRows, at)
		return
	}
	m := mark{at, tree.MissingLast}
	if s.draws.Intn(s.rows-missingRows) < rows {
		m.missing = tree.MissingFirst
		for i, v := range s.missing {
			s.prefix[i] += v
		}
		rows += missingRows
	}
	s.offer(s.prefix, rows, m)
}

// drawSets judges sets of categories.
func (s *scanner) drawSets(nd *node, feature int) split {
	missingRows := s.begin(nd, s.collect(nd, feature))
	defer s.release()
	k := &s.groups
	if len(k.present) == 0 || len(k.present) == 1 && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	slices.Sort(k.present)
	sets := s.drawnSides(s.g.byCode(feature))
	for i, first := range sets {
		if s.g.values != nil {
			s.lineSetUp(nd, feature, i, first, missingRows)
			continue
		}
		clear(s.prefix)
		rows, known := 0, true
		for j, in := range first {
			if known = known && in; !in {
				continue
			}
			stats, n := s.group(j)
			for c, v := range stats {
				s.prefix[c] += v
			}
			rows += n
		}
		s.offerDrawn(rows, missingRows, i, known)
	}
	if s.g.values == nil {
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
	return s.categorySplit(feature, sides, missingRows)
}

// lineSetUp judges a set of categories in a lineup of its two sides.
func (s *scanner) lineSetUp(nd *node, feature, at int, first []bool, missingRows int) {
	l, place, code := &s.lineup, s.g.values.place, s.g.columns[feature].code
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

// drawnSides draws which of the node's categories go first, once for each split to be judged: any, or those up to a code.
func (s *scanner) drawnSides(byCode bool) [][]bool {
	present := s.groups.present
	n := len(present)
	var sets [][]bool
	if n == 1 {
		return append(sets, []bool{true})
	}
	for i := range s.g.drawn {
		sets = append(sets, make([]bool, n))
		if byCode {
			cut := present[0] + uint32(s.draws.Intn(int(present[n-1]-present[0])))
			for j, code := range present {
				sets[i][j] = code <= cut
			}
			continue
		}
		s.drawSet(sets[i])
	}
	return sets
}

// drawSet draws which categories go first: a random number of them, any so many alike, as if they were put in random order and
// cut like numbers. Coins for each would part a few from many too seldom; where labels are not looked at they decide all the same.
func (s *scanner) drawSet(first []bool) {
	if s.g.blind {
		s.tossCoins(first)
		return
	}
	n := len(first)
	wanted := 1 + s.draws.Intn(n-1)
	for j := range first {
		if s.draws.Intn(n-j) < wanted {
			first[j] = true
			wanted--
		}
	}
}

// tossCoins draws each category with probability 1/2, again until both sides have one.
func (s *scanner) tossCoins(first []bool) {
	for n := 0; n == 0 || n == len(first); {
		n = 0
		for j := range first {
			if first[j] = s.draws.Uint64()>>63 == 1; first[j] {
				n++
			}
		}
	}
}

// blindCriterion finds all splits alike: a set of rows is nothing but its weight.
var blindCriterion = criterion.Definition{Name: "blind", Family: criterion.Values, New: func(int) criterion.Criterion { return indifferent{} }}

type indifferent struct{}

func (indifferent) Impurity(dst, _, _ []float64) { clear(dst) }

package exact

import (
	"math"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// Extremely randomised trees (Geurts, Ernst & Wehenkel 2006) draw the cuts that they judge:
//
//	numbers     uniform between the least and the greatest value of the node
//	categories  each that occurs goes first with probability 1/2, drawn again until both sides have one
//
// Nothing is put in order, so a column costs two passes over the rows of the node.

// scanDrawn returns the best of the splits drawn for a column of a node. A column with one value and missing ones has
// one split, which parts these.
func (s *scanner) scanDrawn(nd *node, feature int) split {
	draws := rng.New(nd.key, splitDraws, uint64(feature))
	var b split
	if s.g.columns[feature].code != nil {
		b = s.drawSets(nd, feature, draws)
	} else {
		b = s.drawCuts(nd, feature, draws)
	}
	if b.found() && s.g.blind {
		b.gain = 0
	}
	return b
}

// drawCuts judges cuts of a numeric column.
func (s *scanner) drawCuts(nd *node, feature int, draws *rng.Stream) split {
	g := s.g
	place, all := g.store.(*framed).raw(feature)
	least, most, missingRows := s.span(nd, place, all.known)
	if least > most || least == most && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	missingRows = s.begin(nd, missingRows)
	values := g.prepared.columns[feature].values
	low, high := all.ties.rank(least), all.ties.rank(most)
	cuts := drawBetween(values[low:high+1], g.drawn, draws)
	if missingRows > 0 && (!g.blind || len(cuts) == 0) {
		cuts = append(cuts, math.Inf(1)) // parts the known from the missing
	}
	bound := make([]uint32, len(cuts)) // of the places that go first
	for i, cut := range cuts {
		bound[i] = all.after(low+uint32(countUpTo(values[low:high+1], cut))-1, least, most)
	}
	if g.values != nil {
		s.lineCutsUp(nd, place, all.known, bound, missingRows)
	} else {
		for i := range cuts {
			rows := s.sumBelow(nd, place, bound[i])
			s.offerDrawn(rows, missingRows, i, cuts[i] == math.Inf(1), draws)
		}
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, feature: int32(feature), kind: tree.Cut, cut: cuts[s.best.at], missing: s.best.missing, rank: bound[s.best.at] - 1}
	s.place(&b, missingRows)
	return b
}

// span returns the least and the greatest place of a node's rows with a value, in terms of the first of equal values, and sums
// the others in missing.
func (s *scanner) span(nd *node, place []uint32, known uint32) (least, most uint32, missingRows int) {
	least, most = math.MaxUint32, 0
	s.forget()
	for _, pos := range nd.list {
		p := place[pos]
		if p >= known {
			s.stale = true
			missingRows += s.g.add(s.missing, pos, nd.origin)
			continue
		}
		least, most = min(least, p), max(most, p)
	}
	return least, most, missingRows
}

// after returns the place behind those of a rank, which stands between two places.
func (c *frameColumn) after(rank, least, most uint32) uint32 {
	return least + uint32(sort.Search(int(most-least)+1, func(i int) bool { return c.ties.rank(least+uint32(i)) > rank }))
}

// sumBelow sums the rows of places below a bound in prefix and returns their number.
func (s *scanner) sumBelow(nd *node, place []uint32, bound uint32) (rows int) {
	g := s.g
	clear(s.prefix)
	if g.pop.Class == nil || g.pop.Weight != nil {
		for _, pos := range nd.list {
			if place[pos] < bound {
				rows += g.add(s.prefix, pos, nd.origin)
			}
		}
		return rows
	}
	counts := s.table(g.width)
	for _, pos := range nd.list {
		n := uint32(1)
		if g.pop.Count != nil {
			n = g.pop.Count[pos]
		}
		counts[g.pop.Class[pos]] += n & -((place[pos] - bound) >> 31) // the difference wraps where the place is below
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

// lineCutsUp judges cuts in a lineup whose rows are ordered as far as the cuts tell them apart.
func (s *scanner) lineCutsUp(nd *node, place []uint32, known uint32, bound []uint32, missingRows int) {
	l, at := &s.lineup, s.g.values.place
	l.reset()
	between := func(from, to uint32, dst []uint32) []uint32 {
		for _, pos := range nd.list {
			if p := place[pos]; from <= p && p < to {
				dst = append(dst, at[pos])
			}
		}
		return dst
	}
	from := uint32(0)
	for i, to := range bound {
		l.places = between(from, to, l.places)
		l.ends = append(l.ends, end{len(l.places), i})
		from = to
	}
	l.places = between(from, known, l.places)
	if missingRows > 0 {
		l.missing = between(known, math.MaxUint32, l.missing)
	}
	s.judgeLineup(nd)
}

// drawBetween draws cuts uniformly between the ends of an ascending range of values, and returns them in ascending order.
// Ends that are infinite or too far apart for a float are replaced by their neighbours, or halved.
func drawBetween(values []float64, n int, draws *rng.Stream) []float64 {
	if len(values) < 2 {
		return nil
	}
	a, b := values[0], values[len(values)-1]
	cuts := make([]float64, 0, n)
	for range n {
		u := draws.Float64()
		// Half of each, because b - a may overflow.
		cut := 2 * (float64(a/2) + float64(u*(float64(b/2)-float64(a/2))))
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			k := int(u * float64(len(values)-1)) // there is no uniform number: one of the gaps
			cut = cutBetween(values[k], values[k+1])
		}
		if !(a <= cut && cut < b) {
			cut = a
		}
		cuts = append(cuts, cut)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// countUpTo returns how many of ascending values are at most cut.
func countUpTo(values []float64, cut float64) int {
	return sort.Search(len(values), func(i int) bool { return values[i] > cut })
}

// offerDrawn adds the split whose first side is in prefix; known tells that these are all rows with a value. Where labels are not looked at, missing values follow one
// side at random, by the share of known rows that it has.
func (s *scanner) offerDrawn(rows, missingRows, at int, known bool, draws *rng.Stream) {
	if known {
		s.offer(s.prefix, rows, mark{at, tree.MissingLast})
		return
	}
	if !s.g.blind || missingRows == 0 {
		s.offerBoth(s.prefix, rows, missingRows, at)
		return
	}
	m := mark{at, tree.MissingLast}
	if draws.Intn(s.rows-missingRows) < rows {
		m.missing = tree.MissingFirst
		for i, v := range s.missing {
			s.prefix[i] += v
		}
		rows += missingRows
	}
	s.offer(s.prefix, rows, m)
}

// drawSets judges sets of categories.
func (s *scanner) drawSets(nd *node, feature int, draws *rng.Stream) split {
	missingRows := s.begin(nd, s.collect(nd, feature))
	defer s.release()
	k := &s.groups
	if len(k.present) == 0 || len(k.present) == 1 && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	slices.Sort(k.present)
	sets := s.drawnSides(draws)
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
		s.offerDrawn(rows, missingRows, i, known, draws)
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

// drawnSides draws which of the node's categories go first, once for each split to be judged.
func (s *scanner) drawnSides(draws *rng.Stream) [][]bool {
	n := len(s.groups.present)
	var sets [][]bool
	if n == 1 {
		return append(sets, []bool{true})
	}
	for i := range s.g.drawn {
		sets = append(sets, make([]bool, n))
		for first := 0; first == 0 || first == n; {
			first = 0
			for j := range sets[i] {
				if sets[i][j] = draws.Uint64()>>63 == 1; sets[i][j] {
					first++
				}
			}
		}
	}
	return sets
}

// blindCriterion finds all splits alike: a set of rows is nothing but its weight.
var blindCriterion = criterion.Row{Name: "blind", Family: criterion.Values, New: func(int) criterion.Criterion { return indifferent{} }}

type indifferent struct{}

func (indifferent) Impurity(dst, _, _ []float64) { clear(dst) }

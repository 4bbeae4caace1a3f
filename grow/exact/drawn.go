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
	values := g.prepared.columns[feature].values
	order := g.store.entries(s, nd, feature)
	least, most := uint32(missingRank), uint32(0)
	missingRows := 0
	s.forget()
	for _, e := range order {
		rank := e.Key >> g.shift
		if rank == g.missing {
			s.stale = true
			missingRows += g.add(s.missing, e.Pos, nd.origin)
			continue
		}
		least, most = min(least, rank), max(most, rank)
	}
	if least > most || least == most && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	missingRows = s.begin(nd, missingRows)
	cuts := drawBetween(values[least:most+1], g.drawn, draws)
	if missingRows > 0 && (!g.blind || len(cuts) == 0) {
		cuts = append(cuts, math.Inf(1)) // parts the known from the missing
	}
	last := make([]uint32, len(cuts)) // greatest rank that goes first
	for i, cut := range cuts {
		last[i] = least + uint32(countUpTo(values[least:most+1], cut)) - 1
	}
	if g.values != nil {
		s.lineCutsUp(nd, order, last, missingRows)
	} else {
		for i := range cuts {
			clear(s.prefix)
			rows := 0
			for _, e := range order {
				if e.Key>>g.shift <= last[i] {
					rows += g.add(s.prefix, e.Pos, nd.origin)
				}
			}
			s.offerDrawn(rows, missingRows, i, cuts[i] == math.Inf(1), draws)
		}
		s.judge()
	}
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, feature: int32(feature), kind: tree.Cut, cut: cuts[s.best.at], missing: s.best.missing, rank: last[s.best.at]}
	s.place(&b, missingRows)
	return b
}

// lineCutsUp judges cuts in a lineup whose rows are ordered as far as the cuts tell them apart.
func (s *scanner) lineCutsUp(nd *node, order []entry, last []uint32, missingRows int) {
	g, l := s.g, &s.lineup
	l.reset()
	from := uint32(0)
	for i, to := range last {
		for _, e := range order {
			if rank := e.Key >> g.shift; from <= rank && rank <= to {
				l.places = append(l.places, g.values.place[e.Pos])
			}
		}
		l.ends = append(l.ends, end{len(l.places), i})
		from = to + 1
	}
	for _, e := range order {
		switch rank := e.Key >> g.shift; {
		case rank != g.missing && rank >= from:
			l.places = append(l.places, g.values.place[e.Pos])
		case rank == g.missing && missingRows > 0:
			l.missing = append(l.missing, g.values.place[e.Pos])
		}
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

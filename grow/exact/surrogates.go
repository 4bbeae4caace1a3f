package exact

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// leastSide is the number of rows that a cut must send to each side to be a surrogate, of those that the node's own split
// sends. As in rpart, sets need no such number.
const leastSide = 2

// leastAdjusted is by how much a surrogate must be better than sending all rows to the heavier child.
const leastAdjusted = 1e-10

// Where a node sends a row.
const (
	nowhere uint8 = iota // its value is missing
	toFirst
	toLast
)

// sides sums rows by the child that the node's own split sends them to. Rows that it cannot send are not among them.
type sides struct {
	first, last float64 // weight
	rows        int     // with multiplicity
}

func (a *sides) weight() float64 { return a.first + a.last }

// count adds a row that the node at hand sends somewhere.
func (g *grower) count(a *sides, pos uint32) {
	if g.side[pos] == nowhere {
		return
	}
	w, n := g.pop.WeightAt(int(pos)), g.multiplicity(pos)
	if g.pop.Case != nil {
		w = g.pop.Case[pos]
	}
	if g.side[pos] == toFirst {
		a.first += w
	} else {
		a.last += w
	}
	a.rows += n
}

// send finds out where the rows of a node go: by its best split; where that cannot tell and the rule has surrogates, by
// the first of them that can; else with the heavier child or, if the rule stops rows, nowhere.
func (g *grower) send(nd *node) {
	g.sides(nd)
	b := &nd.best
	if g.rule != Stop {
		g.findSurrogates(nd)
	}
	last := uint8(nowhere)
	if g.rule == Surrogate {
		last = toFirst
		if b.shares[1] > b.shares[0] {
			last = toLast
		}
	}
	stopping := false
	for _, pos := range nd.list {
		if g.side[pos] != nowhere {
			continue
		}
		if g.side[pos] = g.ask(b.surrogates, pos); g.side[pos] == nowhere {
			g.side[pos] = last
		}
		stopping = stopping || g.side[pos] == nowhere
	}
	if stopping {
		g.leave(nd)
	}
}

// sides asks the best split of a node where each of its rows goes.
func (g *grower) sides(nd *node) {
	b := &nd.best
	var c *working
	if b.feature >= 0 {
		c = &g.columns[b.feature]
	}
	if b.kind == tree.Cut && c.key == nil {
		for _, e := range c.order[nd.lo:nd.hi] {
			switch rank := e.Key >> g.shift; {
			case rank == g.missing:
				g.side[e.Pos] = nowhere
			case rank <= b.rank:
				g.side[e.Pos] = toFirst
			default:
				g.side[e.Pos] = toLast
			}
		}
		return
	}
	for _, pos := range nd.list {
		g.side[pos] = uint8(g.branch(b, c, pos) + 1)
	}
}

// ask returns where the first surrogate that can tell sends a row.
func (g *grower) ask(surrogates []tree.Surrogate, pos uint32) uint8 {
	for i := range surrogates {
		u := &surrogates[i]
		if u.Kind != tree.Cut {
			if !tree.InSet(u.Set, g.columns[u.Feature].code[pos]) {
				continue
			}
			if u.Kind == tree.SetFirst {
				return toFirst
			}
			return toLast
		}
		x := g.value(u.Feature, pos)
		if math.IsNaN(x) {
			continue
		}
		if (x <= u.Cut) != u.Flip {
			return toFirst
		}
		return toLast
	}
	return nowhere
}

// leave takes the rows that go nowhere out of a node, so that what divides it meets only those that go on:
//
//	rows   | 2 3 5 7 8 9 |        5 and 8 stop
//	after  | 2 3 7 9 | 5 8        the node ends before 5
func (g *grower) leave(nd *node) {
	for _, pos := range nd.list {
		g.mark(pos, g.side[pos] != nowhere)
	}
	n := g.firstAhead(nd.list)
	g.store.settle(g, nd, nd.lo+n)
	nd.list, nd.hi = nd.list[:n], nd.lo+n
}

// findSurrogates finds the splits of other columns that best repeat the best split of a node, and each child's share of
// the weight: of the weight that rows had before classes were weighed against each other.
func (g *grower) findSurrogates(nd *node) {
	b := &nd.best
	var all sides
	for _, pos := range nd.list {
		g.count(&all, pos)
	}
	b.shares = []float64{all.first / all.weight(), all.last / all.weight()}
	if g.surrogates == 0 {
		return
	}
	g.forColumns(len(g.columns), len(nd.list), func(s *scanner, i int) {
		g.repeats[i] = repeat{}
		if !b.uses(int32(i)) {
			g.repeats[i] = s.repeat(nd, i)
		}
	})
	heavier := max(all.first, all.last)
	tie := float64(relativeTie * all.weight())
	var best []*repeat // of the largest agreement first, of equal ones the lower column
	for i := range g.repeats {
		r := &g.repeats[i]
		if !(r.agree-heavier > float64(leastAdjusted*(all.weight()-heavier))) {
			continue
		}
		at := slices.IndexFunc(best, func(o *repeat) bool { return r.agree > o.agree+tie })
		if at < 0 {
			at = len(best)
		}
		best = slices.Insert(best, at, r)
	}
	for _, r := range best[:min(len(best), g.surrogates)] {
		for _, u := range r.splits {
			u.Agree = r.agree / all.weight()
			u.Adjusted = (r.agree - heavier) / (all.weight() - heavier)
			b.surrogates = append(b.surrogates, u)
		}
	}
}

// uses reports whether a split looks at a column.
func (b *split) uses(column int32) bool {
	return b.feature == column || slices.ContainsFunc(b.terms, func(t tree.Term) bool { return t.Feature == column })
}

// repeat is the split of a column that sends most weight where the node's own split does.
type repeat struct {
	splits []tree.Surrogate // a cut, or a set for each side; nil if there is none
	agree  float64          // the weight that both send to the same child
}

func (s *scanner) repeat(nd *node, feature int) repeat {
	if s.g.columns[feature].code != nil {
		return s.repeatSets(nd, feature)
	}
	return s.repeatCut(nd, feature)
}

// repeatCut tries every cut in both directions. As in rpart, rows that only this column knows take part in choosing
// where between two values a cut lies, and in nothing else.
func (s *scanner) repeatCut(nd *node, feature int) repeat {
	g := s.g
	known, _ := g.sortedKnown(g.store.order(s, nd, feature))
	var all, below sides
	for _, e := range known {
		g.count(&all, e.Pos)
	}
	tie := float64(relativeTie * all.weight())
	best := repeat{agree: max(all.first, all.last)}
	values := g.prepared.columns[feature].values
	for i, e := range known {
		if i > 0 && e.Key>>g.shift != known[i-1].Key>>g.shift && below.rows >= leastSide && all.rows-below.rows >= leastSide {
			same := below.first + (all.last - below.last)
			if opposite := below.last + (all.first - below.first); max(same, opposite) > best.agree+tie {
				cut := cutBetween(values[known[i-1].Key>>g.shift], values[e.Key>>g.shift])
				best.agree = max(same, opposite)
				best.splits = []tree.Surrogate{{Kind: tree.Cut, Feature: int32(feature), Cut: cut, Flip: opposite > same}}
			}
		}
		g.count(&below, e.Pos)
	}
	return best
}

// repeatSets sends each category where most of its weight goes, in a tie where most of all categories' goes.
func (s *scanner) repeatSets(nd *node, feature int) repeat {
	g := s.g
	code, levels := g.columns[feature].code, g.prepared.columns[feature].levels
	if len(s.levels) < levels {
		s.levels = make([]sides, levels)
	}
	of := s.levels[:levels]
	clear(of)
	var all sides
	for _, pos := range nd.list {
		if code[pos] != data.MissingCode {
			g.count(&of[code[pos]], pos)
			g.count(&all, pos)
		}
	}
	var r repeat
	var sets [2][]uint32
	for c := range of {
		l := &of[c]
		if l.rows == 0 {
			continue
		}
		to := 0
		if l.last > l.first || l.last == l.first && all.last > all.first {
			to = 1
		}
		r.agree += max(l.first, l.last)
		sets[to] = append(sets[to], uint32(c))
	}
	r.splits = []tree.Surrogate{
		{Kind: tree.SetFirst, Feature: int32(feature), Set: bitSet(sets[0])},
		{Kind: tree.SetLast, Feature: int32(feature), Set: bitSet(sets[1])},
	}
	return r
}

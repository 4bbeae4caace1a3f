package presorted

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/tree"
)

// leastSide is the number of rows that a split must send to each side to be a surrogate, of those
// that the node's own split sends. As in rpart, sets need no such number.
const leastSide = 2

// leastAdjusted is by how much a surrogate must be better than sending all rows to the heavier
// child.
const leastAdjusted = 1e-10

// Where a node sends a row.
const (
	nowhere uint8 = iota // its value is missing
	toFirst
	toLast
)

// sides sums rows by the child that the node's own split sends them to. Rows that it cannot send
// are not among them.
type sides struct {
	first, last float64 // weight
	rows        int     // with multiplicity
}

func (a *sides) weight() float64 { return a.first + a.last }

// surrogates finds where the rows of a node go that its best split cannot send.
type surrogates struct {
	p       *strategy
	most    int       // columns that stand in at a node, at most
	side    []uint8   // by position: where the node at hand sends the row
	repeats []repeat  // by column
	levels  [][]sides // by worker, by code
}

// newSurrogates returns nil if the rule for missing values neither has surrogates nor stops rows.
func newSurrogates(p *strategy, most int) *surrogates {
	if p.Task.Rule < growth.Surrogate {
		return nil
	}
	return &surrogates{p: p, most: most, side: make([]uint8, len(p.Task.Pop.Rows)),
		repeats: make([]repeat, len(p.columns)),
		levels:  make([][]sides, len(p.Team))}
}

// count adds a row that the current node sends to a child.
func (u *surrogates) count(a *sides, pos uint32) {
	if u.side[pos] == nowhere {
		return
	}
	w, n := u.p.Task.Pop.WeightAt(int(pos)), u.p.Task.Multiplicity(pos)
	if u.p.Task.Pop.Case != nil {
		w = u.p.Task.Pop.Case[pos]
	}
	if u.side[pos] == toFirst {
		a.first += w
	} else {
		a.last += w
	}
	a.rows += n
}

// send finds out where the rows of a node go: by its best split; where that does not apply and the
// rule has surrogates, by the first of them that can; else with the heavier child or, if the rule
// stops rows, nowhere.
func (u *surrogates) send(nd *growth.Node) {
	u.sides(nd)
	b := &nd.Best
	if u.p.Task.Rule != growth.Stop {
		u.findSurrogates(nd)
	}
	last := uint8(nowhere)
	if u.p.Task.Rule == growth.Surrogate {
		last = toFirst
		if b.Fractions[1] > b.Fractions[0] {
			last = toLast
		}
	}
	stopping := false
	for _, pos := range nd.Rows {
		if u.side[pos] != nowhere {
			continue
		}
		if u.side[pos] = u.route(b.Surrogates, pos); u.side[pos] == nowhere {
			u.side[pos] = last
		}
		stopping = stopping || u.side[pos] == nowhere
	}
	if stopping {
		u.leave(nd)
	}
}

// sides finds where the best split of a node sends each of its rows.
func (u *surrogates) sides(nd *growth.Node) {
	b, t := &nd.Best, u.p.Task
	if b.Kind == tree.Numeric {
		for _, e := range u.p.columns[b.Feature].order[nd.Lo:nd.Hi] {
			switch rank := e.Key >> t.Shift; {
			case rank == t.MissingRank:
				u.side[e.Pos] = nowhere
			case rank <= b.Rank:
				u.side[e.Pos] = toFirst
			default:
				u.side[e.Pos] = toLast
			}
		}
		return
	}
	for _, pos := range nd.Rows {
		u.side[pos] = uint8(u.p.branch(b, pos) + 1)
	}
}

// route returns where the first surrogate that has a value sends a row.
func (u *surrogates) route(surrogates []tree.Surrogate, pos uint32) uint8 {
	for i := range surrogates {
		r := &surrogates[i]
		if r.Kind != tree.Numeric {
			if !tree.InSet(r.Set, u.p.columns[r.Feature].codes.Code[pos]) {
				continue
			}
			if r.Kind == tree.SetFirst {
				return toFirst
			}
			return toLast
		}
		x := u.p.raw.Value(r.Feature, pos)
		if math.IsNaN(x) {
			continue
		}
		if (x <= r.SplitPoint) != r.Flip {
			return toFirst
		}
		return toLast
	}
	return nowhere
}

// leave takes the rows that go nowhere out of a node, so that only the others are divided:
//
//	rows   | 2 3 5 7 8 9 |        5 and 8 stop
//	after  | 2 3 7 9 | 5 8        the node ends before 5
func (u *surrogates) leave(nd *growth.Node) {
	for _, pos := range nd.Rows {
		u.p.first.Set(pos, u.side[pos] != nowhere)
	}
	n := u.p.ByBits(u.p.first, nd.Rows)
	u.p.Settle(nd)
	nd.Rows, nd.Hi = nd.Rows[:n], nd.Lo+n
}

// findSurrogates finds the splits of other columns that best repeat the best split of a node, and
// each child's fraction of the weight: of the weight that rows had before classes were weighed
// against each other.
func (u *surrogates) findSurrogates(nd *growth.Node) {
	b := &nd.Best
	var all sides
	for _, pos := range nd.Rows {
		u.count(&all, pos)
	}
	b.Fractions = []float64{all.first / all.weight(), all.last / all.weight()}
	if u.most == 0 {
		return
	}
	u.p.Each(len(u.repeats), len(nd.Rows), func(s *scan.Scanner, i int) {
		u.repeats[i] = repeat{}
		if !b.Uses(int32(i)) {
			u.repeats[i] = u.repeat(s.Worker, nd, i)
		}
	})
	heavier := max(all.first, all.last)
	tie := float64(growth.RelativeTie * all.weight())
	var best []*repeat // of the largest agreement first, of equal ones the lower column
	for i := range u.repeats {
		r := &u.repeats[i]
		if !(r.agree-heavier > float64(leastAdjusted*(all.weight()-heavier))) {
			continue
		}
		at := slices.IndexFunc(best, func(o *repeat) bool { return r.agree > o.agree+tie })
		if at < 0 {
			at = len(best)
		}
		best = slices.Insert(best, at, r)
	}
	for _, r := range best[:min(len(best), u.most)] {
		for _, s := range r.splits {
			s.Agree = r.agree / all.weight()
			s.Adjusted = (r.agree - heavier) / (all.weight() - heavier)
			b.Surrogates = append(b.Surrogates, s)
		}
	}
}

// repeat is the split of a column that sends most weight where the node's own split does.
type repeat struct {
	splits []tree.Surrogate // a split point, or a set for each side; nil if there is none
	agree  float64          // the weight that both send to the same child
}

func (u *surrogates) repeat(worker int, nd *growth.Node, feature int) repeat {
	if c := u.p.columns[feature].codes; c != nil {
		return u.repeatSets(worker, nd, c)
	}
	return u.repeatSplit(nd, feature)
}

// repeatSplit tries every split point in both directions. As in rpart, rows with a value in this
// column alone decide where between two values a split point lies, and count for nothing else.
func (u *surrogates) repeatSplit(nd *growth.Node, feature int) repeat {
	c, shift := &u.p.columns[feature], u.p.Task.Shift
	known, _ := u.p.Task.SortedKnown(c.order[nd.Lo:nd.Hi])
	var all, below sides
	for _, e := range known {
		u.count(&all, e.Pos)
	}
	tie := float64(growth.RelativeTie * all.weight())
	best := repeat{agree: max(all.first, all.last)}
	for i, e := range known {
		if i > 0 && e.Key>>shift != known[i-1].Key>>shift && below.rows >= leastSide &&
			all.rows-below.rows >= leastSide {
			same := below.first + (all.last - below.last)
			if opposite := below.last + (all.first - below.first); max(same,
				opposite) > best.agree+tie {
				splitPoint := growth.SplitPointBetween(c.values[known[i-1].Key>>shift],
					c.values[e.Key>>shift])
				best.agree = max(same, opposite)
				best.splits = []tree.Surrogate{{Kind: tree.Numeric, Feature: int32(feature),
					SplitPoint: splitPoint, Flip: opposite > same}}
			}
		}
		u.count(&below, e.Pos)
	}
	return best
}

// sidesOf returns zeros for the categories of a column, in a worker's memory.
func (u *surrogates) sidesOf(worker, levels int) []sides {
	if len(u.levels[worker]) < levels {
		u.levels[worker] = make([]sides, levels)
	}
	of := u.levels[worker][:levels]
	clear(of)
	return of
}

// repeatSets sends each category where most of its weight goes, in a tie where most of all
// categories' goes.
func (u *surrogates) repeatSets(worker int, nd *growth.Node, codes *scan.Codes) repeat {
	of := u.sidesOf(worker, codes.Levels)
	var all sides
	for _, pos := range nd.Rows {
		if code := codes.Code[pos]; code != data.MissingCode {
			u.count(&of[code], pos)
			u.count(&all, pos)
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
		{Kind: tree.SetFirst, Feature: int32(codes.Feature), Set: growth.BitSet(sets[0])},
		{Kind: tree.SetLast, Feature: int32(codes.Feature), Set: growth.BitSet(sets[1])},
	}
	return r
}

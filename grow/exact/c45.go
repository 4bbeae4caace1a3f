package exact

import (
	"math"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// C45 is the way of C4.5 (Quinlan 1993) to split: categorical columns have a child per level, rows without a value enter
// every child in parts, and of the splits whose gain is at least average the one with the largest gain ratio wins.
// Classes only. The numbers follow Weka's J48, which the tests hold it against.
type C45 struct {
	MinObj float64 // weight that at least two children need; C4.5's default is 2
	Binary bool    // part categorical columns into one level and the rest
	// ByGain is ID3 (Quinlan 1986): the column of largest gain wins, without average, ratio, correction or minimum.
	ByGain bool
}

// near is the difference below which two sums are equal: sums of parts of rows are not exact.
const near = 1e-6

// nearValues is the distance below which two values of a column are not told apart by a cut.
const nearValues = 1e-5

// averageSlack is how far below the average a gain may lie and still count as average.
const averageSlack = 1e-3

func clearlyLess(a, b float64) bool { return b-a > near }
func atLeast(a, b float64) bool     { return b-a < near || a >= b }
func equal(a, b float64) bool       { return math.Abs(a-b) < near }

// c45 chooses splits for a grower.
type c45 struct {
	C45
	g        *grower
	present  [][]uint32 // numeric columns: the ranks that the tree's rows have, ascending
	many     []bool     // categorical columns with so many levels that their gain says little
	allMany  bool
	training float64 // number of training rows
	loaded   loaded
}

func newC45(g *grower, o *C45) *c45 {
	c := &c45{C45: *o, g: g, present: make([][]uint32, len(g.columns)), many: make([]bool, len(g.columns)), allMany: true}
	for i := range g.pop.Rows {
		c.training++
		if g.pop.Count != nil {
			c.training += float64(g.pop.Count[i]) - 1
		}
	}
	for i := range g.columns {
		if w := &g.columns[i]; w.few != nil {
			c.present[i] = ranksOf(w.few, len(g.prepared.columns[i].values))
		} else if w.key != nil {
			c.present[i] = c.ranks(w.key)
		}
		levels := float64(g.prepared.columns[i].levels)
		c.many[i] = g.columns[i].code != nil && !clearlyLess(levels, float64(0.3*c.training))
		c.allMany = c.allMany && c.many[i]
	}
	return c
}

// ranks returns the distinct ranks among keys.
func (c *c45) ranks(key []uint32) []uint32 {
	ranks := make([]uint32, 0, len(key))
	for _, k := range key {
		if r := k >> c.g.shift; r != c.g.missing {
			ranks = append(ranks, r)
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// ranksOf is ranks for a column of few values.
func ranksOf(few []uint8, values int) []uint32 {
	var seen [fewValues + 1]bool
	for _, k := range few {
		seen[k] = true
	}
	var ranks []uint32
	for k, is := range seen[:values] {
		if is {
			ranks = append(ranks, uint32(k))
		}
	}
	return ranks
}

// isLeaf reports that a node is too light or too pure to be looked at.
func (c *c45) isLeaf(nd *node) bool {
	return !c.ByGain && clearlyLess(nd.weight, float64(2*c.MinObj)) || equal(nd.weight, slices.Max(nd.stats))
}

// best scans all columns and chooses.
func (c *c45) best(nd *node) split {
	g := c.g
	g.load(nd)
	c.load(nd)
	g.forColumns(len(g.columns), len(nd.list), func(s *scanner, i int) {
		if g.found[i] = c.column(s, nd, i); !g.significant(nd, &g.found[i]) {
			g.found[i] = split{feature: -1}
		}
	})
	if c.ByGain {
		return c.byGain(nd)
	}
	average, usable := 0.0, 0.0
	for i := range g.found {
		if f := &g.found[i]; f.found() && (!c.many[i] || c.allMany) {
			average += f.gain
			usable++
		}
	}
	none := split{feature: -1}
	if usable == 0 {
		return none
	}
	average /= usable
	best, ratio := none, 0.0
	for i := range g.found {
		if f := &g.found[i]; f.found() && f.gain >= average-averageSlack && f.ratio-ratio > near {
			best, ratio = *f, f.ratio
		}
	}
	if best.found() {
		if best.tried > 0 {
			c.judge(g.scanners[0], nd, &best)
		}
		best.gain *= nd.weight
		c.lower(&best)
	}
	return best
}

// byGain takes the first column of the largest gain, none if that is 0.
func (c *c45) byGain(nd *node) split {
	best := split{feature: -1}
	for i := range c.g.found {
		if f := &c.g.found[i]; f.found() && !equal(f.gain, 0) && (!best.found() || f.gain > best.gain) {
			best = *f
		}
	}
	best.gain *= nd.weight
	return best
}

// lower moves a threshold down to the largest value of the column among all training rows that is not above it.
func (c *c45) lower(b *split) {
	if b.kind != tree.Cut {
		return
	}
	values, ranks := c.g.prepared.columns[b.feature].values, c.present[b.feature]
	i := sort.Search(len(ranks), func(i int) bool { return values[ranks[i]] > b.cut })
	b.rank = ranks[i-1]
	b.cut = values[b.rank]
}

// column judges the splits of one column; gains are per unit of weight.
func (c *c45) column(s *scanner, nd *node, i int) split {
	switch w := &c.g.columns[i]; {
	case w.code == nil && w.few != nil:
		return c.tabled(s, nd, i)
	case w.code == nil:
		return c.numeric(s, nd, i)
	}
	missing := 0.0
	if s.collect(nd, i) > 0 {
		missing = c.g.weightOf(s.missing)
	}
	defer s.release()
	slices.Sort(s.groups.present)
	if c.Binary {
		return c.oneLevel(s, nd, i, missing)
	}
	return c.multiway(s, nd, i, missing)
}

// info gathers what gain and ratio are made of; xlog(x) is x log2 x.
type info struct {
	weight, known float64
	parent        float64 // xlog(known) - sum over classes of xlog
	children      float64 // the same of the branches
	branches      float64 // sum over branches of xlog(weight)
}

func xlog(x float64) float64 {
	if x < near {
		return 0
	}
	return float64(x * kernel.Log2(x))
}

// impurity returns the weight of a set and xlog(weight) - sum over classes of xlog.
func impurity(stats []float64) (weight, bits float64) {
	for _, w := range stats {
		weight += w
		bits -= xlog(w)
	}
	return weight, bits + xlog(weight)
}

func (f *info) branch(stats []float64) float64 {
	w, bits := impurity(stats)
	f.children += bits
	f.branches += xlog(w)
	return w
}

// gain is the information gain in bits per unit of weight, times the known share.
func (f *info) gain() float64 {
	num := float64((1 - (f.weight-f.known)/f.weight) * (f.parent - f.children))
	if equal(num, 0) {
		return 0
	}
	return num / f.known
}

// split is the split information times the weight; rows without a value are a branch of their own.
func (f *info) split() float64 {
	if !clearlyLess(0, f.known) {
		return 0
	}
	return xlog(f.weight) - f.branches - xlog(f.weight-f.known)
}

func (f *info) ratio(gain float64) float64 {
	total := f.split()
	if equal(total, 0) {
		return 0
	}
	return gain / (total / f.weight)
}

// start sums the rows of a node that have a value into s.total.
func (c *c45) start(s *scanner, nd *node, missing float64) info {
	s.total = s.own
	copy(s.total, nd.stats)
	if missing > 0 {
		for k, w := range s.missing {
			s.total[k] -= w
		}
	}
	f := info{weight: nd.weight}
	f.known, f.parent = impurity(s.total)
	return f
}

// multiway is the split with a child per level.
func (c *c45) multiway(s *scanner, nd *node, feature int, missing float64) split {
	none := split{feature: -1}
	levels := c.g.prepared.columns[feature].levels
	f := c.start(s, nd, missing)
	shares := make([]float64, levels)
	large := 0
	for i, code := range s.groups.present {
		stats, _ := s.group(i)
		shares[code] = f.branch(stats)
		if atLeast(shares[code], c.MinObj) {
			large++
		}
	}
	if large < 2 && !c.ByGain || levels == 0 {
		return none
	}
	gain := f.gain()
	return split{feature: int32(feature), kind: tree.ByCode, arity: int32(levels), missing: tree.MissingFractional,
		gain: gain, ratio: f.ratio(gain), shares: divided(shares, f.known)}
}

// divided turns branch weights into shares, equal ones if nothing is known.
func divided(weights []float64, known float64) []float64 {
	for i := range weights {
		if equal(known, 0) {
			weights[i] = 1 / float64(len(weights))
		} else {
			weights[i] /= known
		}
	}
	return weights
}

// oneLevel parts one level from the rest.
func (c *c45) oneLevel(s *scanner, nd *node, feature int, missing float64) split {
	best := split{feature: -1}
	whole := c.start(s, nd, missing)
	rest := make([]float64, len(s.total))
	for i, code := range s.groups.present {
		stats, _ := s.group(i)
		for k, w := range stats {
			rest[k] = s.total[k] - w
		}
		f := whole
		one := f.branch(stats)
		others := f.branch(rest)
		if !atLeast(one, c.MinObj) || !atLeast(others, c.MinObj) {
			continue
		}
		gain := f.gain()
		ratio := f.ratio(gain)
		found := split{feature: int32(feature), kind: tree.SetFirst, set: bitSet([]uint32{code}), missing: tree.MissingFractional}
		switch {
		case code == 0 || clearlyLess(best.ratio, ratio):
			found.gain, found.ratio, found.shares = gain, ratio, divided([]float64{one, others}, f.known)
			best = found
		case !best.found():
			found.shares = divided([]float64{one, others}, f.known)
			best = found
		}
	}
	return best
}

// numeric finds the cut of largest gain and corrects that gain for the number of cuts it was chosen from (Quinlan
// 1996).
func (c *c45) numeric(s *scanner, nd *node, feature int) split {
	g, none := c.g, split{feature: -1}
	order := g.store.order(s, nd, feature)
	s.forget()
	known, missing := order, 0.0
	if order[len(order)-1].Key>>g.shift == g.missing {
		k := sort.Search(len(order), func(i int) bool { return order[i].Key>>g.shift == g.missing })
		known = order[:k]
		s.stale = true
		g.sum(s.missing, order[k:], 0)
		missing = g.weightOf(s.missing)
	}
	f := c.start(s, nd, missing)
	least := c.least(f.known)
	if clearlyLess(c.rows(known), float64(2*least)) {
		return none
	}
	at, gain, candidates, first := c.cuts(s, known, feature, f, least)
	if at == 0 || c.tooMany(&gain, candidates, f.weight) {
		return none
	}
	values := g.prepared.columns[feature].values
	below, above := known[at-1].Key>>g.shift, known[at].Key>>g.shift
	w := []float64{first, f.known - first}
	f.branches = xlog(w[0]) + xlog(w[1])
	return split{feature: int32(feature), kind: tree.Cut, rank: below, cut: cutBetween(values[below], values[above]),
		missing: tree.MissingFractional, gain: gain, ratio: f.ratio(gain), shares: divided(w, f.known)}
}

// rows counts entries with their multiplicity.
func (c *c45) rows(entries []entry) float64 {
	n := float64(len(entries))
	if c.g.pop.Count != nil {
		for _, e := range entries {
			n += float64(c.g.pop.Count[e.Pos]) - 1
		}
	}
	return n
}

// least is the weight that both sides of a cut need: a tenth of the average class, but from MinObj to 25.
func (c *c45) least(known float64) float64 {
	least := 0.1 * known / float64(c.g.pop.Classes)
	switch {
	case c.ByGain:
		return 0
	case atLeast(c.MinObj, least):
		return c.MinObj
	case clearlyLess(25, least):
		return 25
	}
	return least
}

// tooMany corrects a gain and reports that nothing is left of it.
func (c *c45) tooMany(gain *float64, candidates int, weight float64) bool {
	if !c.ByGain {
		*gain -= kernel.Log2(float64(candidates)) / weight
	}
	return atLeast(0, *gain)
}

// cuts walks the known rows in ascending order and returns the best cut, known[:at] first, with its gain, the number
// of cuts that leave enough weight on both sides, and the weight of the first side.
func (c *c45) cuts(s *scanner, known []entry, feature int, whole info, least float64) (at int, gain float64, candidates int, first float64) {
	g := c.g
	values := g.prepared.columns[feature].values
	clear(s.prefix)
	for i, e := range known[:max(len(known)-1, 0)] {
		s.prefix[g.pop.Class[e.Pos]] += g.weight(e.Pos)
		a, b := e.Key>>g.shift, known[i+1].Key>>g.shift
		if a == b || values[a]+nearValues >= values[b] {
			continue
		}
		weight := g.weightOf(s.prefix)
		if !atLeast(weight, least) || !atLeast(whole.known-weight, least) {
			continue
		}
		candidates++
		f := whole
		f.branch(s.prefix)
		for k, w := range s.prefix {
			s.both[k] = max(0, s.total[k]-w)
		}
		f.branch(s.both)
		if now := f.gain(); now-gain > near {
			at, gain, first = i+1, now, weight
		}
	}
	return at, gain, candidates, first
}

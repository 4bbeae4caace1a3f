package exact

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// A tree of one split on weights, as boosting grows one after the other, is a sum over the rows for each column. In the order of
// the column's values each weight would have to be fetched from anywhere in memory; so the rows are added to bins, in their own
// order, and only bins that the best cut may be in are walked:
//
//	bin            0    1    2    3    4
//	weight        20   21   20   19   20
//	gain at end    3    7    8    2            the best so far is 8
//	bound          5    9   11    8            of the cuts within: criterion.Bounder
//	               -  walk walk walk   -
//
// What a bin's bound excludes is by more than the tie below the best. The sums before a bin are those of the bins before it.

// stumps grows trees of one split.
type stumps struct {
	g       *grower
	bins    []binning
	bounder criterion.Bounder
	class   []uint8   // Classes: by position
	moment  []float64 // Moments: weight times (y - origin), by position
	shift   uint      // bits of the place in a bin's sums
	columns []summed
	visits  []visit
}

// summed is a column in bins, at the root.
type summed struct {
	sums    []float64 // bins << shift: of each bin, then of missing values; see criterion.Bounder
	before  []float64 // bins x width: statistics of the rows in bins before
	missing []float64 // statistics of the rows without a value; nil = there are none
	best    visit     // the best of the cuts between bins
	visits  []visit   // by bin
}

// visit is a bin to be walked, or one whose end is a cut, and what was found.
type visit struct {
	column, bin int
	end         bool
	missing     tree.Missing
	found       split
}

// fewForBins is the number of rows below which a column is walked at once.
const fewForBins = 16 * mostBins

// binFrom is the number of rows from which stumps look at bins.
func (c *Config) binFrom() int {
	if c.bins {
		return 0
	}
	return fewForBins
}

// setStumps makes ready for a tree of one split on weights, if that is what is asked for, of all the rows that were prepared.
func (g *grower) setStumps(cfg *Config, place []int32) bool {
	bounder, ok := g.criterion.(criterion.Bounder)
	if !ok || g.limits.Depth != 1 || place != nil || g.rule != Learned || g.pop.Weight == nil || g.pop.Count != nil ||
		g.plain || g.c45 != nil || g.mtry > 0 || g.drawn > 0 || cfg.Directions.any() || g.limits.Chi2 > 0 || len(g.pop.Rows) < cfg.binFrom() {
		return false
	}
	t := &stumps{g: g, bounder: bounder, shift: 2, columns: make([]summed, len(g.columns))}
	if g.family == criterion.Classes {
		if t.class, t.shift = classBytes(g.pop.Class, g.pop.Classes), g.shift; t.class == nil {
			return false
		}
	}
	t.bins = g.prepared.binnings()
	for i := range g.columns {
		if c := &g.prepared.columns[i]; c.kind == data.Numeric {
			g.columns[i].order = c.sorted
		} else {
			g.columns[i] = g.prepared.working(i, g.pop, nil, nil, 0, false, false)
		}
	}
	g.shift, g.missing = 0, missingRank
	g.store = &presorted{g.columns}
	g.stumps = t
	return true
}

// best returns the best split of the root.
func (t *stumps) best(nd *node) split {
	g := t.g
	t.setMoments(nd)
	g.forColumns(len(g.columns), len(nd.list), func(s *scanner, i int) {
		if g.columns[i].code != nil {
			g.found[i] = s.scan(nd, i)
		} else {
			g.found[i] = t.between(s, nd, i)
		}
	})
	limit := math.Inf(-1)
	for i := range g.found {
		if g.found[i].found() {
			limit = max(limit, g.found[i].gain)
		}
	}
	g.forColumns(len(g.columns), len(nd.list), func(_ *scanner, i int) {
		if g.columns[i].code == nil {
			t.choose(nd, i, limit)
		}
	})
	t.visits = t.visits[:0]
	for i := range t.columns {
		t.visits = append(t.visits, t.columns[i].visits...)
	}
	g.forColumns(len(t.visits), len(nd.list)/mostBins, func(s *scanner, i int) {
		if v := &t.visits[i]; !v.end {
			t.walk(s, nd, v)
		}
	})
	t.join(nd)
	return g.bestOf(nd, g.found)
}

// setMoments sets what the rows add to sums.
func (t *stumps) setMoments(nd *node) {
	if t.class != nil {
		return
	}
	pop := t.g.pop
	t.moment = slices.Grow(t.moment[:0], len(pop.Y))[:len(pop.Y)]
	for i, y := range pop.Y {
		t.moment[i] = float64(pop.Weight[i] * (y - nd.origin))
	}
}

// sum adds the rows to bins. Even and odd rows have sums of their own, which are added at the end: where many rows in a row are of
// one bin, no addition waits for the one before.
func (t *stumps) sum(i int) []float64 {
	b := &t.bins[i]
	size := (b.bins() + 1) << t.shift
	both := make([]float64, 2*size)
	even, odd := both[:size], both[size:]
	if t.class != nil {
		sumClasses(even, odd, b.code, t.class, t.g.pop.Weight, t.shift)
	} else {
		sumMoments(even, odd, b.code, t.moment, t.g.pop.Weight)
	}
	for k, v := range odd {
		even[k] += v
	}
	return even
}

func sumClasses(even, odd []float64, code, class []uint8, weight []float64, shift uint) {
	code, class = code[:len(weight)], class[:len(weight)]
	i := 0
	for ; i+1 < len(weight); i += 2 {
		even[uint(code[i])<<shift|uint(class[i])] += weight[i]
		odd[uint(code[i+1])<<shift|uint(class[i+1])] += weight[i+1]
	}
	if i < len(weight) {
		even[uint(code[i])<<shift|uint(class[i])] += weight[i]
	}
}

func sumMoments(even, odd []float64, code []uint8, moment, weight []float64) {
	code, moment = code[:len(weight)], moment[:len(weight)]
	for i, w := range weight {
		m := moment[i]
		at := uint(code[i])<<2 | uint(math.Float64bits(m)>>63)<<1
		sums := even[at : at+2]
		sums[0] += w
		sums[1] += m
		even, odd = odd, even
	}
}

// statistics returns the statistics of the rows with the given sums.
func (t *stumps) statistics(dst, sums []float64) {
	if t.class != nil {
		copy(dst, sums)
		return
	}
	dst[0], dst[1] = sums[0]+sums[2], sums[1]+sums[3]
}

// between sums over a column and returns the best of the cuts between bins.
func (t *stumps) between(s *scanner, nd *node, i int) split {
	b, c, w := &t.bins[i], &t.columns[i], t.g.width
	c.sums, c.before = t.sum(i), make([]float64, b.bins()*w)
	known := int(b.start[b.bins()])
	missingRows := len(nd.list) - known
	if c.missing = nil; missingRows > 0 {
		c.missing = make([]float64, w)
		t.statistics(c.missing, c.sums[b.bins()<<t.shift:])
	}
	t.begin(s, nd, c, missingRows)
	bin := make([]float64, w)
	clear(s.prefix)
	for k := range b.bins() {
		if k > 0 {
			s.offerBoth(s.prefix, int(b.start[k]), missingRows, k)
		}
		copy(c.before[k*w:], s.prefix)
		t.statistics(bin, c.sums[k<<t.shift:])
		for j, v := range bin {
			s.prefix[j] += v
		}
	}
	if missingRows > 0 && known > 0 {
		s.offer(s.prefix, known, mark{b.bins(), tree.MissingLast})
	}
	s.judge()
	order := t.g.prepared.columns[i].sorted[:known]
	at := 0
	if s.best.at != noMark {
		at = int(b.start[s.best.at])
	}
	found := t.splitAt(s, i, order, at, missingRows)
	c.best = visit{column: i, bin: s.best.at - 1, end: true, missing: s.best.missing, found: found}
	return found
}

// begin turns a scanner to a column.
func (t *stumps) begin(s *scanner, nd *node, c *summed, missingRows int) {
	s.forget()
	if c.missing != nil {
		copy(s.missing, c.missing)
		s.stale = true
	}
	s.begin(nd, missingRows)
}

// splitAt returns the split that sends the first rows of a column's order first, and what the scanner found of it.
func (t *stumps) splitAt(s *scanner, column int, order []entry, at, missingRows int) split {
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, kind: tree.Cut, feature: int32(column), rank: order[at-1].Key, next: missingRank, missing: s.best.missing}
	if at < len(order) {
		b.next = order[at].Key
	}
	s.place(&b, missingRows)
	return b
}

// choose lists the bins of a column that may have a cut as good as the limit, and the one whose end is the best cut between bins.
func (t *stumps) choose(nd *node, i int, limit float64) {
	b, c, w := &t.bins[i], &t.columns[i], t.g.width
	slack := float64(4 * float64(relativeTie*nd.impurity))
	order := t.g.prepared.columns[i].sorted
	consider := func(k int, base []float64, missing tree.Missing) {
		if bound := t.bounder.Bound(base, c.sums[k<<t.shift:], nd.stats); float64(bound*(1+1e-9))+slack >= limit {
			c.visits = append(c.visits, visit{column: i, bin: k, missing: missing})
		}
	}
	base := make([]float64, w)
	for k := range b.bins() {
		if before := c.before[k*w:][:w]; order[b.start[k]].Key != order[b.start[k+1]-1].Key {
			if c.missing != nil {
				for j, v := range before {
					base[j] = v + c.missing[j]
				}
				consider(k, base, tree.MissingFirst)
			}
			consider(k, before, tree.MissingLast)
		}
		if c.best.found.found() && c.best.bin == k {
			c.visits = append(c.visits, c.best)
		}
	}
}

// walk finds the best cut within a bin.
func (t *stumps) walk(s *scanner, nd *node, v *visit) {
	g, b, c := t.g, &t.bins[v.column], &t.columns[v.column]
	order := g.prepared.columns[v.column].sorted[:b.start[b.bins()]]
	missingRows := len(nd.list) - len(order)
	t.begin(s, nd, c, missingRows)
	from := int(b.start[v.bin])
	known, rows := order[from:b.start[v.bin+1]], from
	copy(s.prefix, c.before[v.bin*g.width:])
	if v.missing == tree.MissingFirst {
		rows += missingRows
		for j, m := range c.missing {
			s.prefix[j] += m
		}
	}
	if g.weighed != nil {
		s.column = criterion.Column{Known: known, Start: s.prefix, Rows: rows, Total: s.total, Node: nd.rows, MinLeaf: g.limits.MinLeaf,
			Y: g.pop.Y, Weight: g.signed, Origin: nd.origin, Tie: s.tie}
		cut := &s.cuts[0]
		if g.weighed.ScanWeighed(&s.column, cut); cut.At > 0 {
			s.offer(cut.First, cut.Rows, mark{cut.At, v.missing})
		}
	} else {
		for i, e := range known {
			if i > 0 && e.Key != known[i-1].Key {
				s.offer(s.prefix, rows+i, mark{i, v.missing})
			}
			g.add(s.prefix, e.Pos, nd.origin)
		}
	}
	s.judge()
	v.found = t.splitAt(s, v.column, order, from+s.best.at, missingRows)
}

// join compares what was found in the bins of each column, from the lowest cut up.
func (t *stumps) join(nd *node) {
	tie := float64(relativeTie * nd.impurity)
	last := -1
	for i := range t.visits {
		v := &t.visits[i]
		found := &t.g.found[v.column]
		if v.column != last {
			*found, last = split{feature: -1}, v.column
		}
		if v.found.found() && (!found.found() || v.found.beats(found, tie)) {
			*found = v.found
		}
	}
}

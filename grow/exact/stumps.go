package exact

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// A tree of one split on weights, as boosting grows one after the other, is a sum over the rows for
// each column. In the order of the column's values each weight would have to be fetched from
// anywhere in memory; so the rows are added to bins, in their own order, and only bins that the
// best cut may be in are walked:
//
//	bin            0    1    2    3    4
//	weight        20   21   20   19   20
//	gain at end    3    7    8    2            the best so far is 8
//	bound          5    9   11    8            of the cuts within: criterion.Bounder
//	               -  walk walk walk   -
//
// What a bin's bound excludes is by more than the tie below the best. The sums before a bin are
// those of the bins before it.

// stump is the strategy of trees of one split on weights.
type stump struct {
	chooser
	partition
	prepared []column
	codes    []*codes // by column; nil of numbers
	bins     []binning
	bounder  criterion.Bounder
	class    []uint8   // Classes: by position
	moment   []float64 // Moments: weight times (y - origin), by position
	shift    uint      // bits of the place in a bin's sums
	sums     []summed  // by column
	visits   []visit
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

// newStump returns what grows a tree of one split on weights, of all the rows that were prepared;
// nil if that is not what is asked for.
func newStump(p *Prepared, pop *grow.Population, cfg *Config) *growth {
	if cfg.Limits.Depth != 1 || len(pop.Rows) != len(p.rows) || pop.Weight == nil || pop.Count != nil || len(pop.Rows) < cfg.binFrom() ||
		cfg.Missing != Learned || cfg.Mtry > 0 && cfg.Mtry < len(p.columns) || cfg.Directions.any() || cfg.Limits.Chi2 > 0 || cfg.plain {
		return nil
	}
	l := newLabels(pop, &cfg.Criterion, false, false)
	bounder, ok := l.criterion.(criterion.Bounder)
	if !ok {
		return nil
	}
	t := newTask(l, Learned, cfg.Limits.MinLeaf)
	t.subsets = subsets{cfg.Levels, cfg.LevelFraction}
	t.setWeighed()
	s := &stump{prepared: p.columns, bounder: bounder, shift: 2, codes: make([]*codes, len(p.columns)), sums: make([]summed, len(p.columns))}
	if l.family == criterion.Classes {
		if s.class, s.shift = classBytes(pop.Class, pop.Classes), t.shift; s.class == nil {
			return nil
		}
	}
	t.rankKeys()
	s.bins = p.binnings()
	for i := range p.columns {
		if p.columns[i].kind == data.Categorical {
			s.codes[i] = p.columns[i].codesOf(i, pop)
		}
	}
	s.chooser = chooser{team: newTeam(t, cfg.Workers, len(p.columns)), task: t, found: make([]split, len(p.columns))}
	return newGrowth(t, s, cfg.Limits, outputOf(l, cfg.Leaves))
}

func (t *stump) splittable(*node) bool { return true }

// best returns the best split of the root.
func (t *stump) best(nd *node) split {
	t.setMoments(nd)
	t.each(len(t.found), len(nd.list), func(s *scanner, i int) {
		if t.codes[i] != nil {
			t.found[i] = s.scanCategories(nd, t.codes[i])
		} else {
			t.found[i] = t.between(s, nd, i)
		}
	})
	limit := math.Inf(-1)
	for i := range t.found {
		if t.found[i].found() {
			limit = max(limit, t.found[i].gain)
		}
	}
	t.each(len(t.found), len(nd.list), func(_ *scanner, i int) {
		if t.codes[i] == nil {
			t.choose(nd, i, limit)
		}
	})
	t.visits = t.visits[:0]
	for i := range t.sums {
		t.visits = append(t.visits, t.sums[i].visits...)
	}
	t.each(len(t.visits), len(nd.list)/mostBins, func(s *scanner, i int) {
		if v := &t.visits[i]; !v.end {
			t.walk(s, nd, v)
		}
	})
	t.join(nd)
	b := t.bestOf(nd, t.found)
	if b.kind == tree.Cut {
		b.setCut(t.prepared[b.feature].values)
	}
	return b
}

func (t *stump) divide(nd *node, children []*node) {
	b := &nd.best
	if c := t.codes[b.feature]; c != nil {
		nd.halve(t.byCodes(c, b, nd.list), children)
		return
	}
	first, missingFirst := newRowSet(len(nd.list)), b.missingFirst()
	for _, e := range t.prepared[b.feature].sorted {
		first.set(e.Pos, e.Key <= b.rank || e.Key == sorting.MissingRank && missingFirst)
	}
	nd.halve(t.byBits(first, nd.list), children)
}

func (t *stump) settle(*node, int) {}

// setMoments sets what the rows add to sums.
func (t *stump) setMoments(nd *node) {
	if t.class != nil {
		return
	}
	pop := t.task.pop
	t.moment = slices.Grow(t.moment[:0], len(pop.Y))[:len(pop.Y)]
	for i, y := range pop.Y {
		t.moment[i] = float64(pop.Weight[i] * (y - nd.origin))
	}
}

// sum adds the rows to bins. Even and odd rows have sums of their own, which are added at the end:
// where many rows in a row are of one bin, no addition waits for the one before.
func (t *stump) sum(i int) []float64 {
	b := &t.bins[i]
	size := (b.bins() + 1) << t.shift
	both := make([]float64, 2*size)
	even, odd := both[:size], both[size:]
	if t.class != nil {
		sumClasses(even, odd, b.code, t.class, t.task.pop.Weight, t.shift)
	} else {
		sumMoments(even, odd, b.code, t.moment, t.task.pop.Weight)
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
func (t *stump) statistics(dst, sums []float64) {
	if t.class != nil {
		copy(dst, sums)
		return
	}
	dst[0], dst[1] = sums[0]+sums[2], sums[1]+sums[3]
}

// between sums over a column and returns the best of the cuts between bins.
func (t *stump) between(s *scanner, nd *node, i int) split {
	b, c, w := &t.bins[i], &t.sums[i], t.task.width
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
	order := t.prepared[i].sorted[:known]
	at := 0
	if s.best.at != noMark {
		at = int(b.start[s.best.at])
	}
	found := t.splitAt(s, i, order, at, missingRows)
	c.best = visit{column: i, bin: s.best.at - 1, end: true, missing: s.best.missing, found: found}
	return found
}

// begin turns a scanner to a column.
func (t *stump) begin(s *scanner, nd *node, c *summed, missingRows int) {
	s.forget()
	if c.missing != nil {
		copy(s.missing, c.missing)
		s.stale = true
	}
	s.begin(nd, missingRows)
}

// splitAt returns the split that sends the first rows of a column's order first, and what the
// scanner found of it.
func (t *stump) splitAt(s *scanner, column int, order []entry, at, missingRows int) split {
	if s.best.at == noMark {
		return split{feature: -1}
	}
	b := split{gain: s.gain, per: s.per, kind: tree.Cut, feature: int32(column), rank: order[at-1].Key, next: sorting.MissingRank, missing: s.best.missing}
	if at < len(order) {
		b.next = order[at].Key
	}
	s.place(&b, missingRows)
	return b
}

// choose lists the bins of a column that may have a cut as good as the limit, and the one whose end
// is the best cut between bins.
func (t *stump) choose(nd *node, i int, limit float64) {
	b, c, w := &t.bins[i], &t.sums[i], t.task.width
	slack := float64(4 * float64(relativeTie*nd.impurity))
	order := t.prepared[i].sorted
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
func (t *stump) walk(s *scanner, nd *node, v *visit) {
	task, b, c := t.task, &t.bins[v.column], &t.sums[v.column]
	order := t.prepared[v.column].sorted[:b.start[b.bins()]]
	missingRows := len(nd.list) - len(order)
	t.begin(s, nd, c, missingRows)
	from := int(b.start[v.bin])
	known, rows := order[from:b.start[v.bin+1]], from
	copy(s.prefix, c.before[v.bin*task.width:])
	if v.missing == tree.MissingFirst {
		rows += missingRows
		for j, m := range c.missing {
			s.prefix[j] += m
		}
	}
	if task.weighed != nil {
		s.column = criterion.Column{Known: known, Start: s.prefix, Rows: rows, Total: s.total, Node: nd.rows, MinLeaf: task.minLeaf,
			Y: task.pop.Y, Weight: task.signed, Origin: nd.origin, Tie: s.tie}
		cut := &s.cuts[0]
		if task.weighed.ScanWeighed(&s.column, cut); cut.At > 0 {
			s.offer(cut.First, cut.Rows, mark{cut.At, v.missing})
		}
	} else {
		for i, e := range known {
			if i > 0 && e.Key != known[i-1].Key {
				s.offer(s.prefix, rows+i, mark{i, v.missing})
			}
			task.add(s.prefix, e.Pos, nd.origin)
		}
	}
	s.judge()
	v.found = t.splitAt(s, v.column, order, from+s.best.at, missingRows)
}

// join compares what was found in the bins of each column, from the lowest cut up.
func (t *stump) join(nd *node) {
	tie := float64(relativeTie * nd.impurity)
	last := -1
	for i := range t.visits {
		v := &t.visits[i]
		found := &t.found[v.column]
		if v.column != last {
			*found, last = split{feature: -1}, v.column
		}
		if v.found.found() && (!found.found() || v.found.beats(found, tie)) {
			*found = v.found
		}
	}
}

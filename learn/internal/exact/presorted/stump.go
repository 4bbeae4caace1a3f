package presorted

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// A tree of one split on weights, as boosting grows one after the other, is a sum over the rows for
// each column. In the order of the column's values each weight would have to be fetched from
// anywhere in memory; so the rows are added to bins, in their own order, and only bins that the
// best split point may be in are walked:
//
//	bin            0    1    2    3    4
//	weight        20   21   20   19   20
//	gain at end    3    7    8    2            the best so far is 8
//	bound          5    9   11    8            of the split points within: criterion.Bounder
//	               -  walk walk walk   -
//
// What a bin's bound excludes is by more than the tie below the best. The sums before a bin are
// those of the bins before it.

// stump is the strategy of trees of one split on weights.
type stump struct {
	scan.Chooser
	growth.Partition
	prepared []sorting.Column
	codes    []*scan.Codes // by column; nil of numbers
	bins     []sorting.Bins
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
	best    visit     // the best of the split points between bins
	visits  []visit   // by bin
}

// visit is a bin to be walked, or one whose end is a split point, and what was found.
type visit struct {
	column, bin int
	end         bool
	missing     tree.Missing
	found       growth.Split
}

// newStumpGrowth returns what grows a tree of one split on a population that is served. Rows
// without a value go with the child that makes the better split. Of the options, BestFirst, Mtry,
// Redraw, Seed and the limits on depth and leaves do not count.
func newStumpGrowth(p *sorting.Table, pop *grow.Population, cfg *exact.Options) *growth.Growth {
	l := growth.NewLabels(pop, &cfg.Criterion, false, false)
	limits := cfg.Limits
	limits.Depth, limits.Leaves = 1, 0
	t := scan.NewTask(l, growth.Learned, cfg.Limits.MinLeaf)
	t.Subsets = scan.Subsets{UpTo: cfg.Levels, Fraction: cfg.LevelFraction}
	t.SetWeighed()
	s := &stump{prepared: p.Columns, bounder: l.Criterion.(criterion.Bounder), shift: 2,
		codes: make([]*scan.Codes, len(p.Columns)), sums: make([]summed, len(p.Columns))}
	if l.Family == criterion.Classes {
		s.class, s.shift = growth.ClassBytes(pop.Class, pop.Classes), t.Shift
	}
	t.RankKeys()
	s.bins = p.Binnings()
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Categorical {
			s.codes[i] = scan.NewCodes(i, c.CodesOf(pop.Rows), c.Levels, pop)
		}
	}
	s.Chooser = scan.Chooser{Team: scan.NewTeam(t, cfg.Workers, len(p.Columns)), Task: t,
		Found: make([]growth.Split, len(p.Columns))}
	return growth.New(t.Labels, t.Rule, s, limits, growth.OutputOf(l, false))
}

func (t *stump) Splittable(*growth.Node) bool { return true }

// Best returns the best split of the root. Sums of bins give the best split point between bins of
// every column. The greatest of these gains is the limit, and only bins whose bound reaches it are
// walked row by row. They are walked as one list, which workers share evenly whichever columns the
// bins are of.
func (t *stump) Best(nd *growth.Node) growth.Split {
	t.setMoments(nd)
	t.Each(len(t.Found), len(nd.Rows), func(s *scan.Scanner, i int) {
		if t.codes[i] != nil {
			t.Found[i] = s.Categories.Scan(nd, t.codes[i])
		} else {
			t.Found[i] = t.between(s, nd, i)
		}
	})
	limit := math.Inf(-1)
	for i := range t.Found {
		if t.Found[i].Found() {
			limit = max(limit, t.Found[i].Gain)
		}
	}
	t.Each(len(t.Found), len(nd.Rows), func(_ *scan.Scanner, i int) {
		if t.codes[i] == nil {
			t.choose(nd, i, limit)
		}
	})
	t.visits = t.visits[:0]
	for i := range t.sums {
		t.visits = append(t.visits, t.sums[i].visits...)
	}
	t.Each(len(t.visits), len(nd.Rows)/sorting.MostBins, func(s *scan.Scanner, i int) {
		if v := &t.visits[i]; !v.end {
			t.walk(s, nd, v)
		}
	})
	t.join(nd)
	b := t.BestOf(nd, t.Found)
	if b.Kind == tree.Numeric {
		b.SetSplitPoint(t.prepared[b.Feature].Values)
	}
	return b
}

func (t *stump) Divide(nd *growth.Node, children []*growth.Node) {
	b := &nd.Best
	if c := t.codes[b.Feature]; c != nil {
		nd.Halve(t.ByCodes(c.Code, c.Levels, b, nd.Rows), children)
		return
	}
	first, missingFirst := growth.NewRowSet(len(nd.Rows)), b.MissingFirst()
	for _, e := range t.prepared[b.Feature].Sorted {
		first.Set(e.Pos, e.Key <= b.Rank || e.Key == sorting.MissingRank && missingFirst)
	}
	nd.Halve(t.ByBits(first, nd.Rows), children)
}

func (t *stump) Settle(*growth.Node) {}

// setMoments sets what the rows add to sums.
func (t *stump) setMoments(nd *growth.Node) {
	if t.class != nil {
		return
	}
	pop := t.Task.Pop
	t.moment = slices.Grow(t.moment[:0], len(pop.Y))[:len(pop.Y)]
	for i, y := range pop.Y {
		t.moment[i] = float64(pop.Weight[i] * (y - nd.Origin))
	}
}

// sum adds the rows to bins. Even and odd rows have sums of their own, which are added at the end:
// where many rows in a row are of one bin, no addition waits for the one before.
func (t *stump) sum(i int) []float64 {
	b := &t.bins[i]
	size := (b.Len() + 1) << t.shift
	both := make([]float64, 2*size)
	even, odd := both[:size], both[size:]
	if t.class != nil {
		sumClasses(even, odd, b.Code, t.class, t.Task.Pop.Weight, t.shift)
	} else {
		sumMoments(even, odd, b.Code, t.moment, t.Task.Pop.Weight)
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

// between sums over a column and returns the best of the split points between bins.
func (t *stump) between(s *scan.Scanner, nd *growth.Node, i int) growth.Split {
	b, c, w := &t.bins[i], &t.sums[i], t.Task.Width
	c.sums, c.before = t.sum(i), make([]float64, b.Len()*w)
	known := int(b.Start[b.Len()])
	missingRows := len(nd.Rows) - known
	if c.missing = nil; missingRows > 0 {
		c.missing = make([]float64, w)
		t.statistics(c.missing, c.sums[b.Len()<<t.shift:])
	}
	t.begin(s, nd, c, missingRows)
	bin := make([]float64, w)
	clear(s.Prefix)
	for k := range b.Len() {
		if k > 0 {
			s.OfferBoth(s.Prefix, int(b.Start[k]), missingRows, k)
		}
		copy(c.before[k*w:], s.Prefix)
		t.statistics(bin, c.sums[k<<t.shift:])
		for j, v := range bin {
			s.Prefix[j] += v
		}
	}
	if missingRows > 0 && known > 0 {
		s.Offer(s.Prefix, known, scan.Mark{At: b.Len(), Missing: tree.MissingLast})
	}
	s.Decide()
	order := t.prepared[i].Sorted[:known]
	at := 0
	if s.Best.At != scan.NoMark {
		at = int(b.Start[s.Best.At])
	}
	found := t.splitAt(s, i, order, at, missingRows)
	c.best = visit{column: i, bin: s.Best.At - 1, end: true, missing: s.Best.Missing, found: found}
	return found
}

// begin turns a scanner to a column.
func (t *stump) begin(s *scan.Scanner, nd *growth.Node, c *summed, missingRows int) {
	s.ClearMissing()
	if c.missing != nil {
		copy(s.Missing, c.missing)
		s.Stale = true
	}
	s.Begin(nd, missingRows)
}

// splitAt returns the split that sends the first rows of a column's order first, and what the
// scanner found of it.
func (t *stump) splitAt(
	s *scan.Scanner, column int, order []sorting.Entry, at, missingRows int,
) growth.Split {
	if s.Best.At == scan.NoMark {
		return growth.Split{Feature: -1}
	}
	b := growth.Split{Gain: s.Gain, Per: s.Per, Kind: tree.Numeric, Feature: int32(column),
		Rank: order[at-1].Key, Next: sorting.MissingRank, Missing: s.Best.Missing}
	if at < len(order) {
		b.Next = order[at].Key
	}
	s.Place(&b, missingRows)
	return b
}

// choose lists the bins of a column that may have a split point as good as the limit, and the one
// whose end is the best split point between bins.
func (t *stump) choose(nd *growth.Node, i int, limit float64) {
	b, c, w := &t.bins[i], &t.sums[i], t.Task.Width
	slack := float64(4 * float64(growth.RelativeTie*nd.Impurity))
	order := t.prepared[i].Sorted
	consider := func(k int, base []float64, missing tree.Missing) {
		if bound := t.bounder.Bound(base, c.sums[k<<t.shift:],
			nd.Stats); float64(bound*(1+1e-9))+slack >= limit {
			c.visits = append(c.visits, visit{column: i, bin: k, missing: missing})
		}
	}
	base := make([]float64, w)
	for k := range b.Len() {
		if before := c.before[k*w:][:w]; order[b.Start[k]].Key != order[b.Start[k+1]-1].Key {
			if c.missing != nil {
				for j, v := range before {
					base[j] = v + c.missing[j]
				}
				consider(k, base, tree.MissingFirst)
			}
			consider(k, before, tree.MissingLast)
		}
		if c.best.found.Found() && c.best.bin == k {
			c.visits = append(c.visits, c.best)
		}
	}
}

// walk finds the best split point within a bin.
func (t *stump) walk(s *scan.Scanner, nd *growth.Node, v *visit) {
	task, b, c := t.Task, &t.bins[v.column], &t.sums[v.column]
	order := t.prepared[v.column].Sorted[:b.Start[b.Len()]]
	missingRows := len(nd.Rows) - len(order)
	t.begin(s, nd, c, missingRows)
	from := int(b.Start[v.bin])
	known, rows := order[from:b.Start[v.bin+1]], from
	copy(s.Prefix, c.before[v.bin*task.Width:])
	if v.missing == tree.MissingFirst {
		rows += missingRows
		for j, m := range c.missing {
			s.Prefix[j] += m
		}
	}
	if task.Weighed != nil {
		s.Column = criterion.Column{Known: known, Start: s.Prefix, Rows: rows, Total: s.Total,
			Node: nd.Count, MinLeaf: task.MinLeaf,
			Y: task.Pop.Y, Weight: task.Signed, Origin: nd.Origin, Tie: s.Tie}
		split := &s.Splits[0]
		if task.Weighed.ScanWeighed(&s.Column, split); split.At > 0 {
			s.Offer(split.First, split.Rows, scan.Mark{At: split.At, Missing: v.missing})
		}
	} else {
		for i, e := range known {
			if i > 0 && e.Key != known[i-1].Key {
				s.Offer(s.Prefix, rows+i, scan.Mark{At: i, Missing: v.missing})
			}
			task.Add(s.Prefix, e.Pos, nd.Origin)
		}
	}
	s.Decide()
	v.found = t.splitAt(s, v.column, order, from+s.Best.At, missingRows)
}

// join compares what was found in the bins of each column, from the lowest split point up.
func (t *stump) join(nd *growth.Node) {
	tie := float64(growth.RelativeTie * nd.Impurity)
	last := -1
	for i := range t.visits {
		v := &t.visits[i]
		found := &t.Found[v.column]
		if v.column != last {
			*found, last = growth.Split{Feature: -1}, v.column
		}
		if v.found.Found() && (!found.Found() || v.found.Beats(found, tie)) {
			*found = v.found
		}
	}
}

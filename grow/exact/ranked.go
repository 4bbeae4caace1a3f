package exact

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// ranked is the strategy of forests: all trees of a table share its rank store, and nodes sort the
// few columns that they look at by ranks. Small subtrees have the rank store's rows in a block of
// their own.
type ranked struct {
	chooser
	partition
	prepared []column
	raw      rawValues
	columns  []rankedColumn
	rows     rankedRows
}

// rankedColumn is a column while a tree grows. Numeric columns of many values are the rankedRows'.
type rankedColumn struct {
	codes  *codes        // categorical; else nil
	few    sorting.Bytes // numeric, few values: ranks by row
	tabled tabled        // the same: how large nodes are counted
}

// rankedRows puts rows in the order of numeric columns of many values.
type rankedRows interface {
	// sorted returns a node's rows in the order of a column. The result is valid until the
	// scanner's next call.
	sorted(s *scanner, column int, rows []uint32) []entry
	// cut puts the rows that a cut sends first before the others, in order, and returns their
	// number.
	cut(t *task, b *split, rows []uint32) int
}

// allRows is the rows of the rank store.
type allRows struct {
	store *rankStore
	// classes as bytes, which stay in the cache for longer; nil = there are too many classes
	class8 []uint8
	partition
}

func (a *allRows) sorted(s *scanner, column int, rows []uint32) []entry {
	return a.store.columns[column].sorted(s, a.class8, rows)
}

func (a *allRows) cut(_ *task, b *split, rows []uint32) int {
	r, bound := &a.store.columns[b.feature], b.next
	if bound == sorting.MissingRank {
		bound = r.known
	}
	return r.part(&a.partition, bound, b.missingFirst(), rows)
}

// rankedGrowth grows trees on a rank store, one after the other in the same memory.
type rankedGrowth struct {
	*growth
	s   *ranked
	all *allRows
}

func newRanked(p *Prepared, pop *grow.Population, cfg *Config) *rankedGrowth {
	l := newLabels(pop, &cfg.Criterion, false, cfg.plain)
	t := newTask(l, cfg.Missing, cfg.Limits.MinLeaf)
	t.subsets = subsets{cfg.Levels, cfg.LevelFraction}
	n := len(p.columns)
	a := &allRows{store: p.all, class8: rowClassBytes(t)}
	s := &ranked{prepared: p.columns, raw: rawValues{p.columns, pop.Rows}, columns: make([]rankedColumn, n), rows: a}
	s.chooser = chooser{team: newTeam(t, cfg.Workers, n), task: t, scan: s.scanColumn, sampler: newSampler(cfg.Mtry, n), redraw: cfg.Redraw, found: make([]split, n)}
	for i := range s.columns {
		s.columns[i] = p.columns[i].ranked(i, t)
	}
	s.setLarge(a)
	g := newGrowth(t, s, cfg.Limits, outputOf(l, cfg.Leaves))
	if g.bestFirst = cfg.BestFirst; !g.bestFirst && g.limits.Leaves <= 0 {
		g.deferrals = &defers{upTo: blockRows, workers: len(s.team), grower: func() subtreeGrower { return newRankedSubtree(s, a, g) }}
	}
	return &rankedGrowth{g, s, a}
}

// rowClassBytes returns the classes as bytes, nil if an entry's 32 bits do not hold row and class.
func rowClassBytes(t *task) []uint8 {
	if !fitsEntry(len(t.pop.Rows), t.shift) {
		return nil
	}
	return classBytes(t.pop.Class, t.pop.Classes)
}

// ranked returns a column for one tree.
func (c *column) ranked(i int, t *task) rankedColumn {
	if c.kind == data.Categorical {
		return rankedColumn{codes: &codes{feature: i, code: c.code, few: c.few, levels: c.levels}}
	}
	if c.few == nil {
		return rankedColumn{}
	}
	w := rankedColumn{few: sorting.Bytes{Rank: c.few, Values: len(c.values)}}
	if t.counts && t.scan != nil && t.rule == Learned {
		w.tabled = newTabled(len(c.values), t.shift)
		w.tabled.few = w.few
	}
	return w
}

// again makes ready for another population of the same rows. It reports false, and does nothing,
// where that takes a new growth.
func (r *rankedGrowth) again(pop *grow.Population) bool {
	was := r.pop
	if !alike(pop, was) || r.values != nil {
		return false
	}
	if r.all.class8 != nil && len(pop.Class) > 0 && &pop.Class[0] != &was.Class[0] {
		r.all.class8 = classBytes(pop.Class, pop.Classes)
	}
	r.labels.pop = pop
	r.reset()
	return true
}

func (s *ranked) splittable(*node) bool { return true }

func (s *ranked) best(nd *node) split {
	b := s.chooser.best(nd)
	if b.kind == tree.Cut { // only now: to look values up costs as much as to scan a few rows
		s.setCut(&b)
	}
	return b
}

// setCut sets the cut of a split of a numeric column.
func (s *ranked) setCut(b *split) {
	values := s.prepared[b.feature].values
	if values == nil && b.next != sorting.MissingRank {
		// -0 becomes 0
		b.cut = cutBetween(s.raw.value(b.feature, b.low)+0, s.raw.value(b.feature, b.high)+0)
		return
	}
	b.setCut(values)
}

// scanColumn returns the best split of a node by one column.
func (s *ranked) scanColumn(sc *scanner, nd *node, column int) split {
	c := &s.columns[column]
	var b split
	switch {
	case c.codes != nil:
		return sc.scanCategories(nd, c.codes)
	case c.tabled.counts(len(nd.list)):
		b = sc.scanTable(nd, &c.tabled)
	case c.few.Rank != nil:
		b = sc.scanOrder(nd, sc.ByBytes(c.few, s.task.keys(), nd.list))
	default:
		b = sc.scanOrder(nd, s.rows.sorted(sc, column, nd.list))
	}
	b.feature = int32(column)
	return b
}

func (s *ranked) divide(nd *node, children []*node) { nd.halve(s.part(&nd.best, nd.list), children) }

// part puts the rows that a split sends first before the others, in order, and returns their
// number.
func (s *ranked) part(b *split, rows []uint32) int {
	switch c := &s.columns[b.feature]; {
	case c.codes != nil:
		return s.byCodes(c.codes, b, rows)
	case c.few.Rank != nil:
		return s.byBytes(c.few, b, rows)
	}
	return s.rows.cut(s.task, b, rows)
}

func (s *ranked) settle(*node, int) {}

// rankedSubtree grows subtrees on a block.
type rankedSubtree struct {
	*growth
	s       *ranked
	block   *block
	above   *ranked
	all     []uint32 // by row of the block: the row of the store
	rows    []uint32 // all rows of the block
	counter *classCounts
}

func newRankedSubtree(above *ranked, a *allRows, g *growth) subtreeGrower {
	l := g.labels.of(&grow.Population{Classes: g.pop.Classes})
	t := above.task.below(l)
	block := newBlock(a.store)
	s := &ranked{prepared: above.prepared, columns: make([]rankedColumn, len(above.columns)), rows: block}
	s.chooser = chooser{team: team{newScanner(t)}, task: t, scan: s.scanColumn, redraw: above.redraw, found: make([]split, len(above.found))}
	if above.sampler != nil {
		s.sampler = newSampler(above.sampler.mtry, len(above.columns))
	}
	sub := &rankedSubtree{growth: newGrowth(t, s, g.limits, g.output), s: s, block: block, above: above}
	for i := range s.columns {
		from, to := &above.columns[i], &s.columns[i]
		to.tabled, to.few.Values = from.tabled, from.few.Values
		if from.codes != nil {
			to.codes = &codes{feature: i, levels: from.codes.levels}
		}
	}
	if countsClasses(above) {
		sub.counter = newClassCounts(sub)
	}
	return sub
}

func (r *rankedSubtree) growSubtree(ctx context.Context, b *tree.Builder, total float64, nd *node) {
	r.b, r.total = b, total
	r.enter(nd)
	if r.counter != nil {
		r.counter.grow(ctx, nd)
		return
	}
	r.run(ctx, nd)
}

// enter makes the rows of a node the block.
func (r *rankedSubtree) enter(nd *node) {
	r.all = append(r.all[:0], nd.list...)
	r.block.fill(r.all)
	gather(r.pop, r.above.task.pop, r.all)
	r.s.raw = rawValues{r.above.raw.columns, r.pop.Rows}
	for i := range r.s.columns {
		r.fetch(&r.s.columns[i], &r.above.columns[i])
	}
	r.rows = r.rows[:0]
	for i := range r.all {
		r.rows = append(r.rows, uint32(i))
	}
	nd.list, nd.lo, nd.hi = r.rows, 0, len(r.rows)
	if r.values != nil {
		r.values.sort(r.pop.Y)
		nd.byValue = r.sortByValue(nd.list)
	}
}

// fetch copies the bytes and codes of the block's rows. A builder that counts classes fetches bytes
// itself.
func (r *rankedSubtree) fetch(to, from *rankedColumn) {
	switch {
	case r.counter == nil:
		to.few.Rank = take(to.few.Rank, from.few.Rank, r.all)
		to.tabled.few = to.few
		if from.codes != nil {
			to.codes.code, to.codes.few = take(to.codes.code, from.codes.code, r.all), take(to.codes.few, from.codes.few, r.all)
		}
	case from.codes != nil && (from.codes.few == nil || !r.counter.ones || r.s.task.merges(from.codes.levels)):
		to.codes.code = take(to.codes.code, from.codes.code, r.all)
	}
}

// countsClasses reports whether subtrees can be grown by counts of classes.
func countsClasses(s *ranked) bool {
	t := s.task
	return t.labels.counts && t.scan != nil && t.row.Name == "gini" && t.rule == Learned && s.sampler != nil && t.pop.Classes <= mostClasses
}

// bucketed reports whether a column can be looked at by buckets.
func (f *rankStore) bucketed() bool {
	return slices.ContainsFunc(f.columns, func(r ranks) bool { return r.bucketed() })
}

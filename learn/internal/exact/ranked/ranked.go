package ranked

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// strategy is the strategy of forests: all trees of a table use one rank store, and nodes sort the
// few columns that they scan by ranks. Small subtrees have the rank store's rows in a block of
// their own.
type strategy struct {
	scan.Chooser
	growth.Partition
	prepared []column
	raw      growth.RawValues
	columns  []treeColumn
	rows     rankedRows
}

// treeColumn is a column while a tree grows. Numeric columns of many values are the rankedRows'.
type treeColumn struct {
	codes *scan.Codes   // categorical; else nil
	few   sorting.Bytes // numeric, few values: ranks by row
}

// rankedRows puts rows in the order of numeric columns of many values.
type rankedRows interface {
	// sorted returns a node's rows in the order of a column. The result is valid until the
	// scanner's next call.
	sorted(s *scan.Scanner, column int, rows []uint32) []sorting.Entry
	// split puts the rows that a split sends first before the others, in order, and returns their
	// number.
	split(t *scan.Task, b *growth.Split, rows []uint32) int
}

// allRows is the rows of the rank store.
type allRows struct {
	store *rankStore
	// classes as bytes, which stay in the cache for longer; nil = there are too many classes
	class8 []uint8
	growth.Partition
}

func (a *allRows) sorted(s *scan.Scanner, column int, rows []uint32) []sorting.Entry {
	return a.store.columns[column].sorted(s, a.class8, rows)
}

func (a *allRows) split(_ *scan.Task, b *growth.Split, rows []uint32) int {
	r, bound := &a.store.columns[b.Feature], b.Next
	if bound == sorting.MissingRank {
		bound = r.known
	}
	return r.partition(&a.Partition, bound, b.MissingFirst(), rows)
}

// growthOf grows trees on a rank store, one after the other in the same memory.
type growthOf struct {
	*growth.Growth
	s   *strategy
	all *allRows
}

// newGrowth makes what grows a tree. Small subtrees are deferred only where trees grow depth first
// without a limit on leaves: otherwise whether a node is split depends on nodes elsewhere.
func newGrowth(p *Prepared, pop *grow.Population, cfg *Config) *growthOf {
	l, missing := growth.NewLabels(pop, &cfg.Criterion, false, false), growth.Learned
	if cfg.Majority {
		missing = growth.Majority
	}
	t := scan.NewTask(l, missing, cfg.Limits.MinLeaf)
	t.Subsets = scan.Subsets{UpTo: cfg.Levels, Fraction: cfg.LevelFraction}
	n := len(p.columns)
	a := &allRows{store: p.store, class8: rowClassBytes(t)}
	s := &strategy{prepared: p.columns, raw: growth.RawValues{Num: p.num, Rows: pop.Rows},
		columns: make([]treeColumn, n), rows: a}
	s.Chooser = scan.Chooser{Team: scan.NewTeam(t, cfg.Workers, n), Task: t, Scan: s.scanColumn,
		Sampler: scan.NewSampler(cfg.Mtry, n), Redraw: cfg.Redraw, Found: make([]growth.Split, n)}
	for i := range s.columns {
		s.columns[i] = p.columns[i].ranked(i)
	}
	s.setLarge(a)
	g := growth.New(t.Labels, t.Rule, s, cfg.Limits, growth.OutputOf(l, cfg.Leaves))
	if g.BestFirst = cfg.BestFirst; !g.BestFirst && g.Limits.Leaves <= 0 {
		g.Deferred = &growth.Deferred{UpTo: growth.SubtreeRows, Workers: len(s.Team),
			Grower: func() growth.SubtreeGrower { return newSubtree(s, a, g) }}
	}
	return &growthOf{g, s, a}
}

// rowClassBytes returns the classes as bytes, nil if an entry's 32 bits do not hold row and class.
func rowClassBytes(t *scan.Task) []uint8 {
	if !growth.FitsEntry(len(t.Pop.Rows), t.Shift) {
		return nil
	}
	return growth.ClassBytes(t.Pop.Class, t.Pop.Classes)
}

// ranked returns a column for one tree.
func (c *column) ranked(i int) treeColumn {
	if c.categorical {
		return treeColumn{codes: &scan.Codes{Feature: i, Code: c.code, Few: c.few,
			Levels: c.levels}}
	}
	if c.few == nil {
		return treeColumn{}
	}
	return treeColumn{few: sorting.Bytes{Rank: c.few, Values: len(c.values)}}
}

// again prepares for another population of the same rows. It reports false, and does nothing, where
// that takes a new growth.
func (r *growthOf) again(pop *grow.Population) bool {
	was := r.Pop
	if !growth.Alike(pop, was) || r.Values != nil {
		return false
	}
	if r.all.class8 != nil && len(pop.Class) > 0 && &pop.Class[0] != &was.Class[0] {
		r.all.class8 = growth.ClassBytes(pop.Class, pop.Classes)
	}
	r.Labels.Pop = pop
	r.Reset()
	return true
}

func (s *strategy) Splittable(*growth.Node) bool { return true }

func (s *strategy) Best(nd *growth.Node) growth.Split {
	b := s.Chooser.Best(nd)
	if b.Kind == tree.Numeric { // only now: to look values up costs as much as to scan a few rows
		s.setSplitPoint(&b)
	}
	return b
}

// setSplitPoint sets the split point of a split of a numeric column.
func (s *strategy) setSplitPoint(b *growth.Split) {
	values := s.prepared[b.Feature].values
	if values == nil && b.Next != sorting.MissingRank {
		// -0 becomes 0
		b.SplitPoint = growth.SplitPointBetween(s.raw.Value(b.Feature, b.Low)+0,
			s.raw.Value(b.Feature, b.High)+0)
		return
	}
	b.SetSplitPoint(values)
}

// scanColumn returns the best split of a node by one column.
func (s *strategy) scanColumn(sc *scan.Scanner, nd *growth.Node, column int) growth.Split {
	c := &s.columns[column]
	var b growth.Split
	switch {
	case c.codes != nil:
		return sc.Categories.Scan(nd, c.codes)
	case c.few.Rank != nil:
		b = sc.ScanOrder(nd, sc.ByBytes(c.few, s.Task.Keys(), nd.Rows))
	default:
		b = sc.ScanOrder(nd, s.rows.sorted(sc, column, nd.Rows))
	}
	b.Feature = int32(column)
	return b
}

func (s *strategy) Divide(nd *growth.Node, children []*growth.Node) {
	nd.Halve(s.partition(&nd.Best, nd.Rows), children)
}

// partition puts the rows that a split sends first before the others, in order, and returns their
// number.
func (s *strategy) partition(b *growth.Split, rows []uint32) int {
	switch c := &s.columns[b.Feature]; {
	case c.codes != nil:
		return s.ByCodes(c.codes.Code, c.codes.Levels, b, rows)
	case c.few.Rank != nil:
		return s.ByBytes(c.few, b, rows)
	}
	return s.rows.split(s.Task, b, rows)
}

func (s *strategy) Settle(*growth.Node) {}

// subtree grows subtrees on a block.
type subtree struct {
	*growth.Growth
	s       *strategy
	block   *block
	above   *strategy
	all     []uint32 // by row of the block: the row of the store
	rows    []uint32 // all rows of the block
	counter *classCounts
}

// newSubtree makes what one worker grows subtrees with, in a block of their rows alone. The columns
// are those of the tree above, without codes and ranks, which each subtree fills for its rows.
func newSubtree(above *strategy, a *allRows, g *growth.Growth) growth.SubtreeGrower {
	l := g.Labels.Of(&grow.Population{Classes: g.Pop.Classes})
	t := above.Task.Below(l)
	block := newBlock(a.store)
	s := &strategy{prepared: above.prepared, columns: make([]treeColumn, len(above.columns)),
		rows: block}
	s.Chooser = scan.Chooser{Team: scan.Team{scan.NewScanner(t)}, Task: t, Scan: s.scanColumn,
		Redraw: above.Redraw, Found: make([]growth.Split, len(above.Found))}
	if above.Sampler != nil {
		s.Sampler = scan.NewSampler(above.Sampler.Mtry, len(above.columns))
	}
	sub := &subtree{Growth: growth.New(t.Labels, t.Rule, s, g.Limits, g.Output), s: s, block: block,
		above: above}
	for i := range s.columns {
		from, to := &above.columns[i], &s.columns[i]
		to.few.Values = from.few.Values
		if from.codes != nil {
			to.codes = &scan.Codes{Feature: i, Levels: from.codes.Levels}
		}
	}
	if countsClasses(above) {
		sub.counter = newClassCounts(sub)
	}
	return sub
}

func (r *subtree) GrowSubtree(
	ctx context.Context, b *tree.Builder, whole *growth.Whole, nd *growth.Node,
) {
	r.Builder, r.Whole = b, whole
	r.enter(nd)
	if r.counter != nil {
		r.counter.grow(ctx, nd)
		return
	}
	r.Run(ctx, nd)
}

// enter makes the rows of a node the block.
func (r *subtree) enter(nd *growth.Node) {
	r.all = append(r.all[:0], nd.Rows...)
	r.block.fill(r.all)
	r.Pop.Rows = growth.Take(r.Pop.Rows, r.above.Task.Pop.Rows, r.all)
	growth.GatherLabels(r.Pop, r.above.Task.Pop, r.all)
	r.s.raw = growth.RawValues{Num: r.above.raw.Num, Rows: r.Pop.Rows}
	for i := range r.s.columns {
		r.fetch(&r.s.columns[i], &r.above.columns[i])
	}
	r.rows = r.rows[:0]
	for i := range r.all {
		r.rows = append(r.rows, uint32(i))
	}
	nd.Rows, nd.Lo, nd.Hi = r.rows, 0, len(r.rows)
	if r.Values != nil {
		r.Values.Sort(r.Pop.Y)
		nd.ByValue = r.SortByValue(nd.Rows)
	}
}

// fetch copies the bytes and codes of the block's rows. A builder that counts classes fetches bytes
// itself.
func (r *subtree) fetch(to, from *treeColumn) {
	switch {
	case r.counter == nil:
		to.few.Rank = growth.Take(to.few.Rank, from.few.Rank, r.all)
		if from.codes != nil {
			to.codes.Code, to.codes.Few = growth.Take(to.codes.Code, from.codes.Code, r.all),
				growth.Take(to.codes.Few, from.codes.Few, r.all)
		}
	case from.codes != nil && (from.codes.Few == nil || !r.counter.ones ||
		r.s.Task.Merges(from.codes.Levels)):
		to.codes.Code = growth.Take(to.codes.Code, from.codes.Code, r.all)
	}
}

// countsClasses reports whether subtrees can be grown by counts of classes.
func countsClasses(s *strategy) bool {
	t := s.Task
	return t.Labels.Counts && t.Scanner != nil && t.Definition.Name == "gini" &&
		t.Rule == growth.Learned && s.Sampler != nil && t.Pop.Classes <= mostClasses
}

// bucketed reports whether a column can be scanned by buckets.
func (f *rankStore) bucketed() bool {
	return slices.ContainsFunc(f.columns, func(r ranks) bool { return r.bucketed() })
}

package exact

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// presorted is the strategy of single trees. It keeps every column in order, node by node:
//
//	rows       | 0 2 5 | 1 3 4 |
//	column 0   | 5 0 2 | 4 1 3 |      the same segments in all columns
//	column 1   | 2 5 0 | 1 4 3 |
type presorted struct {
	chooser
	partition
	columns    []presortedColumn
	raw        rawValues
	first      rowSet      // the rows of the node at hand that go first
	chi2       float64     // greatest p-value of a split; 0 = no test
	directions *directions // nil: splits look at one column
	surrogates *surrogates // nil: rows without a value follow the split
}

// presortedColumn is a column while a tree grows.
type presortedColumn struct {
	// numeric: in each node's segment by value; Pos is a position in the population
	order  []entry
	values []float64 // numeric: by rank
	tabled tabled    // numeric: how large nodes are counted
	codes  *codes    // categorical; else nil
}

// newPresorted returns what grows a tree on presorted columns.
func newPresorted(p *Prepared, pop *grow.Population, cfg *Config) *growth {
	l := newLabels(pop, &cfg.Criterion, false, cfg.plain)
	t := newTask(l, cfg.Missing, cfg.Limits.MinLeaf)
	t.subsets = subsets{cfg.Levels, cfg.LevelFraction}
	t.setWeighed()
	n := len(p.columns)
	s := &presorted{columns: make([]presortedColumn, n), raw: rawValues{p.columns, pop.Rows}, first: newRowSet(len(pop.Rows)), chi2: cfg.Limits.Chi2}
	s.chooser = chooser{team: newTeam(t, cfg.Workers, n), task: t, scan: s.scanColumn, sampler: newSampler(cfg.Mtry, n), redraw: cfg.Redraw, found: make([]split, n)}
	if s.chi2 > 0 {
		s.accept = s.significant
	}
	s.setColumns(p, cfg.Limits.Depth)
	s.directions = newDirections(cfg.Directions, &s.chooser, s.raw, len(pop.Rows))
	s.surrogates = newSurrogates(s, cfg.Surrogates)
	g := newGrowth(t, s, cfg.Limits, outputOf(l, cfg.Leaves))
	g.bestFirst = cfg.BestFirst
	return g
}

// setColumns copies the columns, but for a tree of one split that can use the prepared ones as they
// are: nothing is partitioned below its root.
func (s *presorted) setColumns(p *Prepared, depth int) {
	t := s.task
	place := p.places(t.pop.Rows)
	if depth == 1 && place == nil && t.rule == Learned && t.scan == nil && t.values == nil && s.chi2 <= 0 && p.numeric() {
		for i := range p.columns {
			s.columns[i] = presortedColumn{order: p.columns[i].sorted, values: p.columns[i].values}
		}
		t.rankKeys()
		return
	}
	classOf := classBytes(t.pop.Class, t.pop.Classes)
	counted := t.scan != nil && t.pop.Count == nil && t.pop.Class != nil && t.rule == Learned && s.chi2 == 0
	s.each(len(p.columns), len(t.pop.Rows), func(_ *scanner, i int) {
		s.columns[i] = p.columns[i].presorted(i, t, place, classOf, counted)
	})
}

// presorted copies a column for one tree, keeping only the rows that it is grown on.
func (c *column) presorted(i int, t *task, place []int32, classOf []uint8, counted bool) presortedColumn {
	if c.kind == data.Categorical {
		return presortedColumn{codes: c.codesOf(i, t.pop)}
	}
	w := presortedColumn{values: c.values}
	if counted && w.tabulate(c, t, place) {
		return w
	}
	w.order = c.ordered(make([]entry, 0, len(t.pop.Rows)), t, place, classOf)
	return w
}

// tabulate gives a column its places in a table, if large nodes may be counted, and reports whether
// it does. Counting is for rows that all have weight 1, and for splits that are judged on all rows
// of a node.
func (w *presortedColumn) tabulate(c *column, t *task, place []int32) bool {
	cells := (len(c.values) + 1) << t.shift
	if cells > tableCells || len(t.pop.Rows) < rowsPerCell*cells {
		return false
	}
	w.tabled = newTabled(len(c.values), t.shift)
	cell := make([]uint16, len(t.pop.Rows))
	for _, e := range c.sorted {
		pos := e.Pos
		if place != nil {
			at := place[pos]
			if at < 0 {
				continue
			}
			pos = uint32(at)
		}
		cell[pos] = uint16(min(e.Key, uint32(len(c.values)))<<t.shift | t.pop.Class[pos])
	}
	w.tabled.cell = cell
	w.order = make([]entry, len(t.pop.Rows))
	return true
}

func (s *presorted) splittable(*node) bool { return true }

func (s *presorted) best(nd *node) split {
	b := s.chooser.best(nd)
	if b.kind == tree.Cut { // only now: to look values up costs as much as to scan a few rows
		b.setCut(s.columns[b.feature].values)
	}
	if s.directions != nil {
		return s.directions.best(nd, b)
	}
	return b
}

// scanColumn returns the best split of a node by one column.
func (s *presorted) scanColumn(sc *scanner, nd *node, column int) split {
	c := &s.columns[column]
	if c.codes != nil {
		return sc.scanCategories(nd, c.codes)
	}
	var b split
	if c.tabled.counts(len(nd.list)) {
		b = sc.scanTable(nd, &c.tabled)
	} else {
		b = sc.scanOrder(nd, c.order[nd.lo:nd.hi])
	}
	b.feature = int32(column)
	return b
}

// significant reports whether class and branch of a split depend on each other.
func (s *presorted) significant(nd *node, b *split) bool {
	table, t := newContingency(s.task, b), s.task
	if b.kind != tree.Cut {
		for _, pos := range nd.list {
			table.add(pos, s.branch(b, pos))
		}
		return table.p() <= s.chi2
	}
	for _, e := range s.columns[b.feature].order[nd.lo:nd.hi] {
		switch rank := e.Key >> t.shift; {
		case rank == t.missing:
			table.add(e.Pos, -1)
		case rank <= b.rank:
			table.add(e.Pos, 0)
		default:
			table.add(e.Pos, 1)
		}
	}
	return table.p() <= s.chi2
}

// branch returns the child that a row goes to by a set of categories or along a direction, -1 if
// its value is missing.
func (s *presorted) branch(b *split, pos uint32) int {
	if b.kind == tree.Oblique || b.kind == tree.Sphere {
		return s.raw.branch(b, pos)
	}
	return s.columns[b.feature].codes.branch(b, pos)
}

func (s *presorted) divide(nd *node, children []*node) {
	if s.surrogates != nil {
		s.surrogates.send(nd)
	}
	s.markFirst(nd)
	nd.halve(s.byBits(s.first, nd.list), children)
}

// markFirst notes for each row of a node whether its best split sends it first.
func (s *presorted) markFirst(nd *node) {
	b := &nd.best
	switch {
	case s.surrogates != nil:
		for _, pos := range nd.list {
			s.first.set(pos, s.surrogates.side[pos] == toFirst)
		}
	case b.kind == tree.Oblique || b.kind == tree.Sphere:
		missingFirst := b.missingFirst()
		for _, pos := range nd.list {
			to := s.raw.branch(b, pos)
			s.first.set(pos, to == 0 || to < 0 && missingFirst)
		}
	case b.kind == tree.Cut:
		s.markCut(nd, &s.columns[b.feature])
	default:
		c := s.columns[b.feature].codes
		goes, levels := s.codesGo(b, c.levels), uint32(c.levels)
		for _, pos := range nd.list {
			s.first.set(pos, goes[min(c.code[pos], levels)] == 1)
		}
	}
}

// markCut is markFirst for a cut of a column.
func (s *presorted) markCut(nd *node, c *presortedColumn) {
	b, t := &nd.best, s.task
	missingFirst := b.missingFirst()
	if c.tabled.counts(len(nd.list)) {
		last := uint32(len(c.values))
		for _, pos := range nd.list {
			rank := uint32(c.tabled.cell[pos]) >> t.shift
			s.first.set(pos, rank != last && rank <= b.rank || rank == last && missingFirst)
		}
		return
	}
	for _, e := range c.order[nd.lo:nd.hi] {
		rank := e.Key >> t.shift
		s.first.set(e.Pos, rank <= b.rank || rank == t.missing && missingFirst)
	}
}

func (s *presorted) settle(nd *node, mid int) {
	s.each(len(s.columns), len(nd.list), func(sc *scanner, i int) {
		c := &s.columns[i]
		if nd.isConstant(i) || c.codes != nil {
			return
		}
		if !c.tabled.counts(len(nd.list)) {
			s.partitionOrder(sc, c.order[nd.lo:nd.hi])
			return
		}
		for _, child := range [][2]int{{nd.lo, mid}, {mid, nd.hi}} {
			if list := nd.list[child[0]-nd.lo : child[1]-nd.lo]; !c.tabled.counts(len(list)) {
				s.sortSegment(sc, c, list, c.order[child[0]:child[1]])
			}
		}
	})
}

// partitionOrder splits a segment of a column as byBits splits the rows.
func (s *presorted) partitionOrder(sc *scanner, order []entry) {
	spare := sc.Spare(len(order))
	n, m := 0, 0
	for _, e := range order {
		// order[n] is never ahead of the entry that is read.
		order[n] = e
		spare[m] = e
		bit := int(s.first[e.Pos>>6] >> (e.Pos & 63) & 1)
		n += bit
		m += 1 - bit
	}
	copy(order[n:], spare[:m])
}

// sortSegment puts the rows of a segment into a column's order: a table counts the ranks, and the
// rows, which are ascending, go to their places one after the other.
func (s *presorted) sortSegment(sc *scanner, c *presortedColumn, list []uint32, order []entry) {
	ranks, shift := len(c.values)+1, s.task.shift
	counts, cell := sc.Counts(ranks), c.tabled.cell
	for _, pos := range list {
		counts[cell[pos]>>shift]++
	}
	at := uint32(0)
	for i, n := range counts {
		counts[i] = at
		at += n
	}
	last, mask, missing := uint32(ranks-1), uint32(1)<<shift-1, s.task.missing
	for _, pos := range list {
		cell := uint32(cell[pos])
		rank := cell >> shift
		key := cell
		if rank == last {
			key = missing<<shift | cell&mask
		}
		order[counts[rank]] = entry{Key: key, Pos: pos}
		counts[rank]++
	}
}

// setCut sets the cut of a split of a numeric column whose values are given by rank.
func (b *split) setCut(values []float64) {
	if b.cut = math.Inf(1); b.next != sorting.MissingRank {
		b.cut = cutBetween(values[b.rank], values[b.next])
	}
}

package exact

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// lists gives each node a list of its rows with the part of each that is its own, so that a row may
// enter several children, and nodes may have any number of children:
//
//	node                rows 0 1 2 3     parts 1 1 1 1/2       row 2 has no value
//	first child              0   2             1   2/3
//	last child                 1 2 3             1 1/3 1/2
type lists struct {
	task    *task
	columns []listedColumn
	raw     rawValues
	partition
}

// listedColumn is a column while a tree grows. A numeric one has keys, or bytes if its values are
// few.
type listedColumn struct {
	key    []uint32      // numeric: by position
	few    sorting.Bytes // numeric: ranks by position
	values []float64     // numeric: by rank
	codes  *codes        // categorical; else nil
}

// newLists returns the lists of a tree. Columns of few values have bytes where binned says so.
func newLists(p *Prepared, t *task, w team, binned bool) lists {
	l := lists{task: t, columns: make([]listedColumn, len(p.columns)), raw: rawValues{p.columns, t.pop.Rows}}
	rows, place := len(t.pop.Rows), p.places(t.pop.Rows)
	classOf := classBytes(t.pop.Class, t.pop.Classes)
	var bins []binning
	if binned {
		bins = p.binnings()
	}
	w.each(len(p.columns), rows, func(s *scanner, i int) {
		c, to := &p.columns[i], &l.columns[i]
		switch n := len(c.values); {
		case c.kind == data.Categorical:
			to.codes = c.codesOf(i, t.pop)
		case binned && n > 0 && n <= sorting.FewValues:
			to.values, to.few = c.values, sorting.Bytes{Rank: bins[i].ranks(place, rows), Values: n}
		default:
			to.values, to.key = c.values, make([]uint32, rows)
			for _, e := range c.ordered(s.Entries(rows)[:0], t, place, classOf) {
				to.key[e.Pos] = e.Key
			}
		}
	})
	return l
}

// ranks returns the ranks of a column of few values by position in a tree's rows.
func (b *binning) ranks(place []int32, rows int) []uint8 {
	if place == nil {
		return b.code
	}
	few := make([]uint8, rows)
	for i, at := range place {
		if at >= 0 {
			few[at] = b.code[i]
		}
	}
	return few
}

// order returns the entries of a node by the ascending keys of a column, missing values last.
func (l *lists) order(s *scanner, nd *node, column int) []entry {
	return s.ByKey(l.columns[column].key, l.task.shift, l.task.missing, nd.list)
}

// leastPart is the fraction of a child below which rows without a value do not enter it.
const leastPart = 1e-6

func (l *lists) divide(nd *node, children []*node) {
	b := &nd.best
	if b.kind == tree.Cut && nd.part == nil && l.columns[b.feature].few.Rank != nil && l.cutFew(nd, children) {
		return
	}
	for i, pos := range nd.list {
		part := 1.0
		if nd.part != nil {
			part = nd.part[i]
		}
		if to := l.branch(b, pos); to >= 0 {
			children[to].add(pos, part)
			continue
		}
		for to, share := range b.shares {
			if share > leastPart {
				children[to].add(pos, float64(part*share))
			}
		}
	}
}

// cutFew is divide for a cut of a column of few values, if no row misses its value; else it reports
// false, and does nothing.
func (l *lists) cutFew(nd *node, children []*node) bool {
	few := l.columns[nd.best.feature].few
	missing := uint8(few.Values)
	lists, rest := make([]uint32, len(nd.list)), l.scratch(len(nd.list))
	first, last := 0, 0
	for _, pos := range nd.list {
		rank := few.Rank[pos]
		if rank == missing {
			return false
		}
		lists[first], rest[last] = pos, pos
		goes := 0
		if uint32(rank) <= nd.best.rank {
			goes = 1
		}
		first += goes
		last += 1 - goes
	}
	copy(lists[first:], rest[:last])
	children[0].list, children[1].list = lists[:first:first], lists[first:]
	return true
}

func (l *lists) settle(*node, int) {}

// add puts a part of a row on a node's list. Parts are kept from the first that is not 1.
func (nd *node) add(pos uint32, part float64) {
	if part != 1 && nd.part == nil {
		nd.part = make([]float64, len(nd.list), cap(nd.list))
		for i := range nd.part {
			nd.part[i] = 1
		}
	}
	if nd.list = append(nd.list, pos); nd.part != nil {
		nd.part = append(nd.part, part)
	}
}

// branch returns the child that a row goes to, -1 if its value is missing.
func (l *lists) branch(b *split, pos uint32) int {
	if b.kind == tree.Oblique || b.kind == tree.Sphere {
		return l.raw.branch(b, pos)
	}
	c := &l.columns[b.feature]
	if c.codes != nil {
		return c.codes.branch(b, pos)
	}
	rank, missing := uint32(0), l.task.missing
	if c.few.Rank != nil {
		rank, missing = uint32(c.few.Rank[pos]), uint32(c.few.Values)
	} else {
		rank = c.key[pos] >> l.task.shift
	}
	switch {
	case rank == missing:
		return -1
	case rank <= b.rank:
		return 0
	}
	return 1
}

// significant reports whether class and branch of a split depend on each other, as a limit on the
// p-value asks for.
func (l *lists) significant(nd *node, b *split, limit float64) bool {
	table := newContingency(l.task, b)
	for _, pos := range nd.list {
		table.add(pos, l.branch(b, pos))
	}
	return table.p() <= limit
}

// divided is the strategy that splits by a criterion and sends rows without a value to both
// children in parts.
type divided struct {
	chooser
	lists
	leastWeight float64 // of a node that may be split
	chi2        float64 // greatest p-value of a split; 0 = no test
	directions  *directions
}

// newDivided returns what grows a tree by a criterion on lists of rows.
func newDivided(p *Prepared, pop *grow.Population, cfg *Config) *growth {
	l := newLabels(pop, &cfg.Criterion, true, cfg.plain)
	l.part = make([]float64, len(pop.Rows))
	t := newTask(l, Fractional, cfg.Limits.MinLeaf)
	t.subsets, t.rowWeight = subsets{cfg.Levels, cfg.LevelFraction}, lightest(pop)
	t.setWeighed()
	n := len(p.columns)
	s := &divided{chi2: cfg.Limits.Chi2, leastWeight: t.leastWeight(max(cfg.Limits.MinSplit, 2, 2*t.minLeaf))}
	s.chooser = chooser{team: newTeam(t, cfg.Workers, n), task: t, scan: s.scanColumn, sampler: newSampler(cfg.Mtry, n), redraw: cfg.Redraw, found: make([]split, n)}
	s.lists = newLists(p, t, s.team, false)
	if s.chi2 > 0 {
		s.accept = func(nd *node, b *split) bool { return s.significant(nd, b, s.chi2) }
	}
	s.directions = newDirections(cfg.Directions, &s.chooser, s.raw, len(pop.Rows))
	g := newGrowth(t, s, cfg.Limits, outputOf(l, cfg.Leaves))
	g.bestFirst = cfg.BestFirst
	return g
}

// lightest returns the least weight that a single row has.
func lightest(pop *grow.Population) float64 {
	if pop.Weight == nil {
		return 1
	}
	least := math.Inf(1)
	for i, w := range pop.Weight {
		least = min(least, w/float64(pop.Multiplicity(i)))
	}
	return least
}

func (s *divided) splittable(nd *node) bool { return nd.weight >= s.leastWeight }

func (s *divided) best(nd *node) split {
	s.chooser.task.load(nd)
	b := s.chooser.best(nd)
	if b.kind == tree.Cut {
		b.setCut(s.columns[b.feature].values)
	}
	if s.directions != nil {
		return s.directions.best(nd, b)
	}
	return b
}

// scanColumn returns the best split of a node by one column.
func (s *divided) scanColumn(sc *scanner, nd *node, column int) split {
	if c := s.columns[column].codes; c != nil {
		return sc.scanCategories(nd, c)
	}
	b := sc.scanOrder(nd, s.order(sc, nd, column))
	b.feature = int32(column)
	return b
}

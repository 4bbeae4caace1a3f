package presorted

import (
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// strategy is the strategy of single trees. It keeps every column in order, node by node:
//
//	rows       | 0 2 5 | 1 3 4 |
//	column 0   | 5 0 2 | 4 1 3 |      the same segments in all columns
//	column 1   | 2 5 0 | 1 4 3 |
type strategy struct {
	scan.Chooser
	growth.Partition
	columns    []treeColumn
	raw        growth.RawValues
	first      growth.RowSet    // the rows of the node at hand that go first
	chi2       float64          // greatest p-value of a split; 0 = no test
	directions *scan.Directions // nil: splits test one column
	surrogates *surrogates      // nil: rows without a value follow the split
}

// treeColumn is a column while a tree grows.
type treeColumn struct {
	// numeric: in each node's segment by value; Pos is a position in the population
	order  []sorting.Entry
	values []float64   // numeric: by rank
	codes  *scan.Codes // categorical; else nil
}

// newGrowth returns what grows a tree on presorted columns.
func newGrowth(p *sorting.Table, pop *grow.Population, cfg *Config) (*growth.Growth, error) {
	if err := growth.CheckTableKeys(p, pop); err != nil {
		return nil, err
	}
	l := growth.NewLabels(pop, &cfg.Criterion, false, cfg.plain)
	t := scan.NewTask(l, cfg.Missing.rule(), cfg.Limits.MinLeaf)
	t.Subsets = scan.Subsets{UpTo: cfg.Levels, Fraction: cfg.LevelFraction}
	t.SetWeighed()
	n := len(p.Columns)
	s := &strategy{columns: make([]treeColumn, n),
		raw: growth.RawValues{Num: p.Num, Rows: pop.Rows}, first: growth.NewRowSet(len(pop.Rows)),
		chi2: cfg.Chi2}
	s.Chooser = scan.Chooser{Team: scan.NewTeam(t, cfg.Workers, n), Task: t, Scan: s.scanColumn,
		Sampler: scan.NewSampler(cfg.Mtry, n), Redraw: cfg.Redraw, Found: make([]growth.Split, n)}
	if s.chi2 > 0 {
		s.Accept = s.significant
	}
	s.setColumns(p, cfg.Limits.Depth)
	s.directions = scan.NewDirections(cfg.Directions, &s.Chooser, s.raw, len(pop.Rows))
	s.surrogates = newSurrogates(s, cfg.Surrogates)
	g := growth.New(t.Labels, t.Rule, s, cfg.Limits, growth.OutputOf(l, false))
	g.BestFirst = cfg.BestFirst
	return g, nil
}

// setColumns copies the columns, but for a tree of one split that can use the prepared ones as they
// are: nothing is partitioned below its root.
func (s *strategy) setColumns(p *sorting.Table, depth int) {
	t := s.Task
	place := growth.Places(p.Rows, t.Pop.Rows)
	if depth == 1 && place == nil && t.Rule == growth.Learned && t.Scanner == nil &&
		t.Values == nil && s.chi2 <= 0 && p.Numeric() {
		for i := range p.Columns {
			s.columns[i] = treeColumn{order: p.Columns[i].Sorted, values: p.Columns[i].Values}
		}
		t.RankKeys()
		return
	}
	classOf := growth.ClassBytes(t.Pop.Class, t.Pop.Classes)
	s.Each(len(p.Columns), len(t.Pop.Rows), func(_ *scan.Scanner, i int) {
		s.columns[i] = newTreeColumn(&p.Columns[i], i, t, place, classOf)
	})
}

// newTreeColumn copies a column for one tree, keeping only the rows that it is grown on.
func newTreeColumn(
	c *sorting.Column, i int, t *scan.Task, place []int32, classOf []uint8,
) treeColumn {
	if c.Categorical {
		return treeColumn{codes: scan.NewCodes(i, c.CodesOf(t.Pop.Rows), c.Levels, t.Pop)}
	}
	return treeColumn{values: c.Values, order: c.Ordered(make([]sorting.Entry, 0, len(t.Pop.Rows)),
		t.Pop.Class, t.Shift, place, classOf)}
}

func (s *strategy) Splittable(*growth.Node) bool { return true }

func (s *strategy) Best(nd *growth.Node) growth.Split {
	b := s.Chooser.Best(nd)
	if b.Kind == tree.Numeric { // only now: to look values up costs as much as to scan a few rows
		b.SetSplitPoint(s.columns[b.Feature].values)
	}
	if s.directions != nil {
		return s.directions.Best(nd, b)
	}
	return b
}

// scanColumn returns the best split of a node by one column.
func (s *strategy) scanColumn(sc *scan.Scanner, nd *growth.Node, column int) growth.Split {
	c := &s.columns[column]
	if c.codes != nil {
		return sc.Categories.Scan(nd, c.codes)
	}
	b := sc.ScanOrder(nd, c.order[nd.Lo:nd.Hi])
	b.Feature = int32(column)
	return b
}

// significant reports whether class and branch of a split depend on each other.
func (s *strategy) significant(nd *growth.Node, b *growth.Split) bool {
	table, t := scan.NewContingency(s.Task, b), s.Task
	if b.Kind != tree.Numeric {
		for _, pos := range nd.Rows {
			table.Add(pos, s.branch(b, pos))
		}
		return table.P() <= s.chi2
	}
	for _, e := range s.columns[b.Feature].order[nd.Lo:nd.Hi] {
		switch rank := e.Key >> t.Shift; {
		case rank == t.MissingRank:
			table.Add(e.Pos, -1)
		case rank <= b.Rank:
			table.Add(e.Pos, 0)
		default:
			table.Add(e.Pos, 1)
		}
	}
	return table.P() <= s.chi2
}

// branch returns the child that a row goes to by a set of categories or along a direction, -1 if
// its value is missing.
func (s *strategy) branch(b *growth.Split, pos uint32) int {
	if b.Kind == tree.Oblique || b.Kind == tree.Sphere {
		return s.raw.Branch(b, pos)
	}
	return s.columns[b.Feature].codes.Branch(b, pos)
}

func (s *strategy) Divide(nd *growth.Node, children []*growth.Node) {
	if s.surrogates != nil {
		s.surrogates.send(nd)
	}
	s.markFirst(nd)
	nd.Halve(s.ByBits(s.first, nd.Rows), children)
}

// markFirst notes for each row of a node whether its best split sends it first.
func (s *strategy) markFirst(nd *growth.Node) {
	b := &nd.Best
	switch {
	case s.surrogates != nil:
		for _, pos := range nd.Rows {
			s.first.Set(pos, s.surrogates.side[pos] == toFirst)
		}
	case b.Kind == tree.Oblique || b.Kind == tree.Sphere:
		missingFirst := b.MissingFirst()
		for _, pos := range nd.Rows {
			to := s.raw.Branch(b, pos)
			s.first.Set(pos, to == 0 || to < 0 && missingFirst)
		}
	case b.Kind == tree.Numeric:
		s.markSplit(nd, &s.columns[b.Feature])
	default:
		c := s.columns[b.Feature].codes
		goes, levels := s.CodesGo(b, c.Levels), uint32(c.Levels)
		for _, pos := range nd.Rows {
			s.first.Set(pos, goes[min(c.Code[pos], levels)] == 1)
		}
	}
}

// markSplit is markFirst for a split of a numeric column.
func (s *strategy) markSplit(nd *growth.Node, c *treeColumn) {
	b, t := &nd.Best, s.Task
	missingFirst := b.MissingFirst()
	for _, e := range c.order[nd.Lo:nd.Hi] {
		rank := e.Key >> t.Shift
		s.first.Set(e.Pos, rank <= b.Rank || rank == t.MissingRank && missingFirst)
	}
}

func (s *strategy) Settle(nd *growth.Node) {
	s.Each(len(s.columns), len(nd.Rows), func(sc *scan.Scanner, i int) {
		c := &s.columns[i]
		if !nd.IsConstant(i) && c.codes == nil {
			s.partitionOrder(sc, c.order[nd.Lo:nd.Hi])
		}
	})
}

// partitionOrder splits a segment of a column as byBits splits the rows.
func (s *strategy) partitionOrder(sc *scan.Scanner, order []sorting.Entry) {
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

func (s *strategy) sortedColumns() []scan.SortedColumn {
	all := make([]scan.SortedColumn, len(s.columns))
	for i := range s.columns {
		if c := &s.columns[i]; c.codes == nil {
			all[i] = func(_ *scan.Scanner, nd *growth.Node) ([]sorting.Entry, []float64) {
				return c.order[nd.Lo:nd.Hi], c.values
			}
		}
	}
	return all
}

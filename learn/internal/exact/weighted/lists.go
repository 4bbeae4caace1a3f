package weighted

import (
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// lists gives each node a list of its rows with the fraction of each that is its own. So a row may
// enter several children, and nodes may have any number of children:
//
//	node                rows 0 1 2 3 fractions 1 1 1 1/2       row 2 has no value
//	first child              0   2             1   2/3
//	last child                 1 2 3             1 1/3 1/2
type lists struct {
	task    *scan.Task
	columns []treeColumn
	raw     growth.RawValues
	growth.Partition
}

// treeColumn is a column while a tree grows. A numeric one has keys, or bytes if its values are
// few.
type treeColumn struct {
	key    []uint32      // numeric: by position
	few    sorting.Bytes // numeric: ranks by position
	values []float64     // numeric: by rank
	codes  *scan.Codes   // categorical; else nil
}

// newLists returns the lists of a tree. Columns of few values have bytes if binned.
func newLists(p *sorting.Table, t *scan.Task, w scan.Team, binned bool) lists {
	l := lists{task: t, columns: make([]treeColumn, len(p.Columns)),
		raw: growth.RawValues{Num: p.Num, Rows: t.Pop.Rows}}
	rows, place := len(t.Pop.Rows), growth.Places(p.Rows, t.Pop.Rows)
	classOf := growth.ClassBytes(t.Pop.Class, t.Pop.Classes)
	var bins []sorting.Bins
	if binned {
		bins = p.Binnings()
	}
	w.Each(len(p.Columns), rows, func(s *scan.Scanner, i int) {
		c, to := &p.Columns[i], &l.columns[i]
		switch n := len(c.Values); {
		case c.Categorical:
			to.codes = scan.NewCodes(i, c.CodesOf(t.Pop.Rows), c.Levels, t.Pop)
		case binned && n > 0 && n <= sorting.FewValues:
			to.values, to.few = c.Values, sorting.Bytes{Rank: bins[i].Ranks(place, rows), Values: n}
		default:
			to.values, to.key = c.Values, make([]uint32, rows)
			for _, e := range c.Ordered(s.Entries(rows)[:0], t.Pop.Class, t.Shift, place, classOf) {
				to.key[e.Pos] = e.Key
			}
		}
	})
	return l
}

// order returns the entries of a node by the ascending keys of a column, missing values last.
func (l *lists) order(s *scan.Scanner, nd *growth.Node, column int) []sorting.Entry {
	return s.ByKey(l.columns[column].key, l.task.Shift, l.task.MissingRank, nd.Rows)
}

// leastFraction is the fraction of a child below which rows without a value do not enter it.
const leastFraction = 1e-6

// Divide gives each child its rows. A row without a value enters each by that child's fraction of
// the rows with one, so the parts of a row sum to what the node had of it, but for leastFraction.
// Children keep the order of the rows.
func (l *lists) Divide(nd *growth.Node, children []*growth.Node) {
	b := &nd.Best
	if b.Kind == tree.Numeric && nd.Fraction == nil && l.columns[b.Feature].few.Rank != nil &&
		l.splitFew(nd, children) {
		return
	}
	for i, pos := range nd.Rows {
		fraction := 1.0
		if nd.Fraction != nil {
			fraction = nd.Fraction[i]
		}
		if to := l.branch(b, pos); to >= 0 {
			addFraction(children[to], pos, fraction)
			continue
		}
		for to, portion := range b.Fractions {
			if portion > leastFraction {
				addFraction(children[to], pos, float64(fraction*portion))
			}
		}
	}
}

// splitFew is divide for a split of a column of few values, if no row misses its value; else it
// reports false, and does nothing.
func (l *lists) splitFew(nd *growth.Node, children []*growth.Node) bool {
	few := l.columns[nd.Best.Feature].few
	missing := uint8(few.Values)
	lists, rest := make([]uint32, len(nd.Rows)), l.Scratch(len(nd.Rows))
	first, last := 0, 0
	for _, pos := range nd.Rows {
		rank := few.Rank[pos]
		if rank == missing {
			return false
		}
		lists[first], rest[last] = pos, pos
		goes := 0
		if uint32(rank) <= nd.Best.Rank {
			goes = 1
		}
		first += goes
		last += 1 - goes
	}
	copy(lists[first:], rest[:last])
	children[0].Rows, children[1].Rows = lists[:first:first], lists[first:]
	return true
}

func (l *lists) Settle(*growth.Node) {}

// addFraction puts a fraction of a row on a node's list. Fractions are kept from the first that is
// not 1.
func addFraction(nd *growth.Node, pos uint32, fraction float64) {
	if fraction != 1 && nd.Fraction == nil {
		nd.Fraction = make([]float64, len(nd.Rows), cap(nd.Rows))
		for i := range nd.Fraction {
			nd.Fraction[i] = 1
		}
	}
	if nd.Rows = append(nd.Rows, pos); nd.Fraction != nil {
		nd.Fraction = append(nd.Fraction, fraction)
	}
}

// branch returns the child that a row goes to, -1 if its value is missing.
func (l *lists) branch(b *growth.Split, pos uint32) int {
	if b.Kind == tree.Oblique || b.Kind == tree.Sphere {
		return l.raw.Branch(b, pos)
	}
	c := &l.columns[b.Feature]
	if c.codes != nil {
		return c.codes.Branch(b, pos)
	}
	rank, missing := uint32(0), l.task.MissingRank
	if c.few.Rank != nil {
		rank, missing = uint32(c.few.Rank[pos]), uint32(c.few.Values)
	} else {
		rank = c.key[pos] >> l.task.Shift
	}
	switch {
	case rank == missing:
		return -1
	case rank <= b.Rank:
		return 0
	}
	return 1
}

// significant reports whether class and branch of a split depend on each other, as a limit on the
// p-value requires.
func (l *lists) significant(nd *growth.Node, b *growth.Split, limit float64) bool {
	table := scan.NewContingency(l.task, b)
	for _, pos := range nd.Rows {
		table.Add(pos, l.branch(b, pos))
	}
	return table.P() <= limit
}

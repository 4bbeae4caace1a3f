// Package scan finds the best split of a node by one column, and compares the columns. What is
// scanned is handed in: entries in the order of a column, tables of counts, or codes of categories.
//
//	Task        what all scanners of a tree use: labels, criterion, rules
//	Judge       compares the candidates of one column in batches
//	Scanner     offers the split points of a numeric column to a Judge
//	Categories  offers sets of categories
//	Lineup      computes the candidates for criteria that need the rows in the order of their labels
//	Chooser     compares the best splits of the columns that a node scans
//	Directions  finds splits along directions of several numeric columns
package scan

import (
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Scanner finds the best split of a node by one column. It is the working memory of one worker.
type Scanner struct {
	sorting.Buffer
	Judge
	Worker     int // its number in the team
	Categories Categories
	Lineup     Lineup

	// search: what a call through an interface takes would be allocated each time
	Column criterion.Column
	Splits [2]criterion.Best
}

// NewScanner returns the scanner of a worker.
func NewScanner(t *Task) *Scanner {
	s := &Scanner{Judge: newJudge(t)}
	s.Lineup.Judge, s.Categories.Judge = &s.Judge, &s.Judge
	s.Categories.lineup = &s.Lineup
	if t.Values != nil {
		s.Lineup.running = t.Definition.Running()
	}
	return s
}

// ScanOrder walks the known values in ascending order and offers a split point wherever the value
// changes. The caller fills in the split's column and split point.
//
//	rank    0 0 0 | 2 2 | 5 | - - -
//	              ^     ^   ^ known against missing
func (s *Scanner) ScanOrder(nd *growth.Node, order []sorting.Entry) growth.Split {
	t := s.Task
	last := order[len(order)-1].Key >> t.Shift
	if order[0].Key>>t.Shift == last {
		return growth.Split{Feature: -1, Constant: true}
	}
	scans := (t.Scanner != nil || t.Weighed != nil) && nd.Fraction == nil
	s.ClearMissing()
	if scans && nd.Few.Classes != nil {
		s.keep(nd)
		defer s.keepAll()
	}
	known, missingRows := order, 0
	if last == t.MissingRank {
		var unknown []sorting.Entry
		known, unknown = t.SortedKnown(order)
		s.Stale = true
		missingRows = s.sum(s.Missing, unknown, nd.Origin)
	}
	missingRows = s.Begin(nd, missingRows)
	switch {
	case t.Values != nil:
		s.Lineup.walkValues(nd, known, order[len(known):], missingRows)
	case scans:
		s.search(nd, known, missingRows)
	default:
		s.walk(nd, known, missingRows)
	}
	b := s.NumericSplit(func(i int) uint32 { return known[i].Key >> t.Shift }, len(known),
		missingRows)
	if b.Found() {
		b.Low, b.High = known[s.Best.At-1].Pos, known[min(s.Best.At, len(known)-1)].Pos
	}
	return b
}

// search makes the criterion find the best split point, once with the missing values on each side,
// and offers what it found in the order of the plain walk.
func (s *Scanner) search(nd *growth.Node, known []sorting.Entry, missingRows int) {
	c := &s.Column
	*c = criterion.Column{Known: known, Shift: s.Task.Shift, Total: s.Total, Node: s.Rows,
		MinLeaf: s.Task.MinLeaf,
		Y:       s.Task.Pop.Y, Count: s.Task.Pop.Count, Weight: s.Task.Signed, Origin: nd.Origin,
		Tie: s.Tie, Start: s.zero, Classes: s.classes, Whole: missingRows == 0}
	without, with := &s.Splits[0], &s.Splits[1]
	s.Task.scanColumn(c, without)
	with.At = 0
	if missingRows > 0 {
		c.Start, c.Rows, c.Whole = s.Missing, missingRows, true
		s.Task.scanColumn(c, with)
	}
	offerLast := func() {
		if without.At > 0 {
			s.Offer(without.First, without.Rows, Mark{without.At, tree.MissingLast})
		}
	}
	if without.At < with.At {
		offerLast()
	}
	if with.At > 0 {
		s.Offer(with.First, with.Rows, Mark{with.At, tree.MissingFirst})
	}
	if without.At >= with.At {
		offerLast()
	}
	if missingRows > 0 {
		clear(s.Prefix)
		rows := s.sum(s.Prefix, known, nd.Origin)
		s.Offer(s.Prefix, rows, Mark{len(known), tree.MissingLast})
	}
	s.Decide()
}

// walk is the plain twin of search, for any criterion and weights: it offers every split point.
func (s *Scanner) walk(nd *growth.Node, known []sorting.Entry, missingRows int) {
	prefix, rows := s.Prefix, 0
	clear(prefix)
	previous := known[0].Key >> s.Task.Shift
	for i, e := range known {
		if rank := e.Key >> s.Task.Shift; rank != previous {
			s.OfferBoth(prefix, rows, missingRows, i)
			previous = rank
		}
		rows += s.Task.Add(prefix, e.Pos, nd.Origin)
	}
	if missingRows > 0 {
		s.Offer(prefix, rows, Mark{len(known), tree.MissingLast})
	}
	s.Decide()
}

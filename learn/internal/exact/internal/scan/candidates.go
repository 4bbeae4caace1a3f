package scan

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// trial is a candidate that was judged.
type trial struct {
	Mark
	gain float64
}

// SortedColumn returns the order of a node in a numeric column, and the values by rank; nil for a
// categorical column.
type SortedColumn func(s *Scanner, nd *growth.Node) ([]sorting.Entry, []float64)

// Candidates returns every split that is tried at a root of the given rows. It needs labels that
// are judged in batches.
func (c *Chooser) Candidates(
	ctx context.Context, rows []uint32, columns []SortedColumn,
) (*tree.Candidates, error) {
	if len(rows) == 0 {
		return nil, errors.New("no rows to split")
	}
	nd := &growth.Node{Hi: len(rows), Rows: rows}
	c.Task.Summarise(nd)
	out := &tree.Candidates{Whole: tree.Branch{Rows: nd.Count, Weight: nd.Weight},
		Columns: make([][]tree.Candidate, len(c.Found)), Best: -1}
	if nd.Pure {
		return out, nil
	}
	if c.Task.Values != nil {
		c.Task.LoadValues(nd)
	}
	s := c.Team[0]
	for i := range c.Found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.tried = []trial{}
		c.Found[i] = c.Scan(s, nd, i)
		out.Columns[i] = s.candidates(nd, columns[i])
	}
	if best := c.BestOf(nd, c.Found); best.Found() {
		out.Best = int(best.Feature)
	}
	return out, nil
}

// candidates puts what was tried at the column that was scanned last into words. The sides of a set
// follow from the scanner's best mark, so each trial becomes the best for a moment, and the true
// one is put back.
func (s *Scanner) candidates(nd *growth.Node, in SortedColumn) []tree.Candidate {
	if len(s.tried) == 0 {
		return nil
	}
	out, best := make([]tree.Candidate, len(s.tried)), s.Best
	var known []sorting.Entry
	var values []float64
	if in != nil {
		order, by := in(s, nd)
		known, _ = s.Task.SortedKnown(order)
		known, values = slices.Clone(known), by
	}
	for i, t := range s.tried {
		c := tree.Candidate{Missing: t.Missing, Gain: t.gain, Best: t.Mark == best}
		switch {
		case in == nil:
			s.Best = t.Mark
			exhaustive := s.Categories.exhaustive()
			sides := s.Categories.chosen(exhaustive)
			if exhaustive {
				slices.Sort(sides[0])
			}
			c.Kind, c.Codes, c.Known = tree.SetFirst, sides[0], len(sides[1]) == 0
		case t.At == len(known):
			c.Kind, c.SplitPoint, c.Known = tree.Numeric, math.Inf(1), true
		default:
			below, above := known[t.At-1].Key>>s.Task.Shift, known[t.At].Key>>s.Task.Shift
			c.Kind, c.SplitPoint = tree.Numeric,
				growth.SplitPointBetween(values[below], values[above])
			c.Known = math.IsInf(c.SplitPoint, 1)
		}
		out[i] = c
	}
	s.Best = best
	return out
}

package exact

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Candidate is one split that the engine tries at a node.
type Candidate struct {
	Kind tree.Kind // Cut or SetFirst
	Cut  float64   // Cut: the threshold; +Inf parts known from missing values
	// SetFirst: the categories that go first; if the engine ordered the categories, in that order
	Codes   []uint32
	Missing tree.Missing // where rows without a value go; says nothing if the node has none
	// it parts the rows with a value from those without: Cut is +Inf, or Codes are all that occur
	Known bool
	Gain  float64 // decrease of the total impurity, as in tree.NodeStats
	Best  bool    // the one that the engine would take of its column
}

// Candidates are the splits that the engine tries at one node.
type Candidates struct {
	Rows   int     // of the node, with multiplicity
	Weight float64 // of these rows
	// by column of the table, in the order of trial; nil where the column has no split
	Columns [][]Candidate
	Best    int // the column that the engine would split by; -1 if there is no split
}

// trial is a candidate that was judged.
type trial struct {
	mark
	gain float64
}

// ErrUnlisted is returned for a way to split that does not list its candidates.
var ErrUnlisted = errors.New("splits by gain ratio are not listed")

// Candidates returns every split that Grow would try at a node of the given population: those that
// leave MinLeaf rows on both sides. Of the other limits, of Mtry and of MinGain it knows nothing. A
// node whose rows all have one label has none. For C45 it returns ErrUnlisted.
func (p *Prepared) Candidates(ctx context.Context, pop *grow.Population, cfg Config) (*Candidates, error) {
	switch pop = pop.Present(); {
	case len(pop.Rows) == 0:
		return nil, errors.New("no rows to split")
	case cfg.C45 != nil:
		return nil, ErrUnlisted
	}
	if p.shared() {
		return nil, ErrFramed
	}
	if err := p.fits(pop); err != nil {
		return nil, err
	}
	cfg.plain, cfg.Workers, cfg.Mtry = true, 1, 0
	var columns chooser
	var places []columnCut
	g := p.single(pop, &cfg)
	switch s := g.strategy.(type) {
	case *divided:
		columns, places = s.chooser, s.cuts()
	case *presorted:
		columns, places = s.chooser, s.cuts()
	}
	rows := rowsOf(pop, nil)
	nd := &node{hi: len(rows), list: rows}
	g.measure(nd)
	c := &Candidates{Rows: nd.rows, Weight: nd.weight, Columns: make([][]Candidate, len(p.columns)), Best: -1}
	if nd.pure {
		return c, nil
	}
	if g.values != nil {
		g.loadValues(nd)
	}
	s := columns.team[0]
	for i := range columns.found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.tried = []trial{}
		columns.found[i] = columns.scan(s, nd, i)
		c.Columns[i] = s.candidates(nd, i, places[i])
	}
	if best := columns.bestOf(nd, columns.found); best.found() {
		c.Best = int(best.feature)
	}
	return c, nil
}

// columnCut returns the order of a node in a numeric column, and the values by rank; nil for a
// categorical column.
type columnCut func(s *scanner, nd *node) ([]entry, []float64)

func (s *presorted) cuts() []columnCut {
	all := make([]columnCut, len(s.columns))
	for i := range s.columns {
		if c := &s.columns[i]; c.codes == nil {
			all[i] = func(_ *scanner, nd *node) ([]entry, []float64) { return c.order[nd.lo:nd.hi], c.values }
		}
	}
	return all
}

func (s *divided) cuts() []columnCut {
	all := make([]columnCut, len(s.columns))
	for i := range s.columns {
		if c := &s.columns[i]; c.codes == nil {
			all[i] = func(sc *scanner, nd *node) ([]entry, []float64) { return s.order(sc, nd, i), c.values }
		}
	}
	return all
}

// candidates puts what was tried at the column that was scanned last into words.
func (s *scanner) candidates(nd *node, feature int, in columnCut) []Candidate {
	if len(s.tried) == 0 {
		return nil
	}
	out, best := make([]Candidate, len(s.tried)), s.best
	var known []entry
	var values []float64
	if in != nil {
		order, by := in(s, nd)
		known, _ = s.t.sortedKnown(order)
		known, values = slices.Clone(known), by
	}
	for i, t := range s.tried {
		c := Candidate{Missing: t.missing, Gain: t.gain, Best: t.mark == best}
		switch {
		case in == nil:
			s.best = t.mark
			sides := s.chosen(s.exhaustive())
			c.Kind, c.Codes, c.Known = tree.SetFirst, sides[0], len(sides[1]) == 0
		case t.at == len(known):
			c.Kind, c.Cut, c.Known = tree.Cut, math.Inf(1), true
		default:
			below, above := known[t.at-1].Key>>s.t.shift, known[t.at].Key>>s.t.shift
			c.Kind, c.Cut = tree.Cut, cutBetween(values[below], values[above])
			c.Known = math.IsInf(c.Cut, 1)
		}
		out[i] = c
	}
	s.best = best
	return out
}

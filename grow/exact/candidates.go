package exact

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Candidate is one split that the engine tries at a node.
type Candidate struct {
	Kind    tree.Kind    // Cut or SetFirst
	Cut     float64      // Cut: the threshold; +Inf parts known from missing values
	Codes   []uint32     // SetFirst: the categories that go first; if the engine ordered the categories, in that order
	Missing tree.Missing // where rows without a value go; says nothing if the node has none
	Known   bool         // it parts the rows with a value from those without: Cut is +Inf, or Codes are all that occur
	Gain    float64      // decrease of the total impurity, as in tree.NodeStats
	Best    bool         // the one that the engine would take of its column
}

// Candidates are the splits that the engine tries at one node.
type Candidates struct {
	Rows    int           // of the node, with multiplicity
	Weight  float64       // of these rows
	Columns [][]Candidate // by column of the table, in the order of trial; nil where the column has no split
	Best    int           // the column that the engine would split by; -1 if there is no split
}

// trial is a candidate that was judged.
type trial struct {
	mark
	gain float64
}

// ErrUnlisted is returned for a way to split that does not list its candidates.
var ErrUnlisted = errors.New("splits by gain ratio are not listed")

// Candidates returns every split that Grow would try at a node of the given population: those that leave MinLeaf rows on
// both sides. Of the other limits, of Mtry and of MinGain it knows nothing. A node whose rows all have one label has
// none. For C45 it returns ErrUnlisted.
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
	g := newGrower(p, pop, cfg)
	nd := &node{hi: len(pop.Rows), list: g.rows}
	g.measure(nd)
	c := &Candidates{Rows: nd.rows, Weight: nd.weight, Columns: make([][]Candidate, len(g.columns)), Best: -1}
	if nd.pure {
		return c, nil
	}
	if g.values != nil {
		g.loadValues(nd)
	}
	s := g.scanners[0]
	for i := range g.columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.tried = []trial{}
		g.found[i] = s.scan(nd, i)
		c.Columns[i] = s.candidates(nd, i)
	}
	if best := g.bestOf(nd, g.found); best.found() {
		c.Best = int(best.feature)
	}
	return c, nil
}

// candidates puts what was tried at the column that was scanned last into words.
func (s *scanner) candidates(nd *node, feature int) []Candidate {
	if len(s.tried) == 0 {
		return nil
	}
	cut := s.cutAt(nd, feature)
	out := make([]Candidate, len(s.tried))
	best := s.best
	for i, t := range s.tried {
		c := Candidate{Missing: t.missing, Gain: t.gain, Best: t.mark == best}
		if s.g.columns[feature].code != nil {
			s.best = t.mark
			sides := s.chosen(s.exhaustive())
			c.Kind, c.Codes, c.Known = tree.SetFirst, sides[0], len(sides[1]) == 0
		} else {
			c.Kind, c.Cut = tree.Cut, cut(t.at)
			c.Known = math.IsInf(c.Cut, 1)
		}
		out[i] = c
	}
	s.best = best
	return out
}

// cutAt returns the function from the number of known rows that go first to the cut.
func (s *scanner) cutAt(nd *node, feature int) func(at int) float64 {
	g := s.g
	if g.columns[feature].code != nil {
		return nil
	}
	known := slices.Clone(g.store.order(s, nd, feature))
	known = known[:sort.Search(len(known), func(i int) bool { return known[i].Key>>g.shift == g.missing })]
	values := g.prepared.columns[feature].values
	return func(at int) float64 {
		if at == len(known) {
			return math.Inf(1)
		}
		return cutBetween(values[known[at-1].Key>>g.shift], values[known[at].Key>>g.shift])
	}
}

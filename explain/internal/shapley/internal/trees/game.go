package trees

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// Game explains what one tree adds to the scores of rows.
type Game struct {
	*games   // nil: only hybrids cover the tree
	first    way
	prepared way     // nil: first
	bytes    int64   // that Prepare takes
	single   *tabled // what Rows is made of
}

// way computes an index.
type way interface{ add(b *Block) }

// mostTerms is the largest number of columns that hybrids of two rows can decide on at one node:
// their number is 2 to the power of it.
const mostTerms = 12

// manyColumns returns an error if a node tests too many columns for hybrids.
func manyColumns(s *Source) error {
	for n := range int32(s.Tree.Len()) {
		if len(s.Tree.Looks(n)) > mostTerms {
			return &UnsupportedError{"splits on more than 12 columns"}
		}
	}
	return nil
}

// New returns the game of a tree, or the error UnsupportedError, or without a background
// ErrNoCover.
func New(s *Source) (*Game, error) {
	g, err := newGames(s)
	if s.Background != nil {
		if err := manyColumns(s); err != nil {
			return nil, err
		}
		if err != nil {
			g = nil
		}
		return &Game{games: g, first: newHybrids(s)}, nil
	}
	if err != nil {
		return nil, err
	}
	return &Game{games: g, first: newWalked(g, nil)}, nil
}

// fewRows is the number of rows below which walks over pairs take less time than tables.
const fewRows = 64

// Fit decides what Prepare makes for a number of rows, so that it takes no more than so many bytes:
// tables for leaves of few players, so far as they pay and fit; with a background, sets of its rows
// for the other leaves. It returns the number of bytes.
func (g *Game) Fit(rows int, most int64) int64 {
	g.bytes = 0
	switch {
	case g.games == nil:
		return 0
	case g.background != nil:
		rows *= max(1, g.background.Rows()/64)
	case g.index == Singles:
		return g.fitAll(rows, most)
	case rows < fewRows:
		return 0
	}
	for g.limit = min(g.most, g.index.most()); g.limit > 0; g.limit-- {
		if !g.pays(g.limit, rows) {
			continue
		}
		bytes := g.tableBytes(min(g.limit, g.index.bits()))
		if g.background != nil && g.most > g.limit {
			bytes += g.setBytes()
		}
		if bytes <= most {
			g.bytes = bytes
			break
		}
	}
	return g.bytes
}

// walkedLeaf is what a leaf costs a walk for a row, less what it costs a table, in nanoseconds.
const walkedLeaf = 2

// fitAll is Fit for single players without a background. Tables for some of the leaves do not pay,
// since a walk goes through most nodes for the others.
func (g *Game) fitAll(rows int, most int64) int64 {
	if g.limit = g.most; g.limit > g.index.most() || g.work > walkedLeaf*g.leaves*int64(rows) {
		return 0
	}
	if bytes := g.tableBytes(g.index.bits()); bytes <= most {
		g.bytes = bytes
	}
	return g.bytes
}

// pays reports whether a table of a leaf of so many players takes less time than to compute it for
// each of the rows. A number of a table takes about a nanosecond for each point of the quadrature,
// and a leaf of a row 100.
func (g *games) pays(players, rows int) bool { return g.index.work(players) <= 100*rows }

// Prepare makes what Fit decided.
func (g *Game) Prepare() {
	if g.bytes > 0 {
		g.prepared = newPrepared(g.games)
	}
}

// newPrepared returns the tables of a tree, and what covers the leaves of more players.
func newPrepared(g *games) way {
	tables := newTabled(g, min(g.limit, g.index.bits()))
	switch {
	case g.most <= g.limit:
		return tables
	case g.background == nil:
		return both{tables, newWalked(g, g.deep())}
	}
	return both{tables, newSets(g, g.deep())}
}

// both adds up two ways, each of which covers some of the leaves.
type both [2]way

func (w both) add(b *Block) {
	w[0].add(b)
	w[1].add(b)
}

// deep reports by node whether a leaf below has more players than tables have.
func (g *games) deep() []bool {
	deep := make([]bool, len(g.nodes))
	p := newPlanner(g, 0)
	var visit func(n int32)
	visit = func(n int32) {
		d := &g.nodes[n]
		deep[n] = d.kind == tree.Leaf && len(p.players) > g.limit
		for c := d.child; c < d.child+d.arity; c++ {
			back := p.enter(c, d.player)
			visit(c)
			p.leave(back)
			deep[n] = deep[n] || deep[c]
		}
	}
	visit(0)
	return deep
}

// Drop drops what Prepare made.
func (g *Game) Drop() { g.prepared = nil }

// Add adds the cells of the index to the rows of a block.
func (g *Game) Add(b *Block) {
	if g.prepared != nil {
		g.prepared.add(b)
		return
	}
	g.first.add(b)
}

// RowBytes returns the memory that PrepareRow takes, 0 if it can do nothing.
func (g *Game) RowBytes() int64 {
	if g.games == nil || g.most > g.index.most() {
		return 0
	}
	g.limit = g.index.most()
	if bytes := g.tableBytes(g.index.bits()); bytes < 8*math.MaxInt32 {
		return bytes
	}
	return 0
}

// PrepareRow makes the tables of which NewRows makes Rows.
func (g *Game) PrepareRow() {
	g.limit = g.index.most()
	g.single = newTabled(g.games, g.index.bits())
}

// Expected adds the mean of the tree over the training weight to the scores.
func (g *Game) Expected(base []float64) { g.expected(base) }

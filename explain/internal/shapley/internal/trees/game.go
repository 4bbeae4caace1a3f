package trees

import "github.com/coppice-ml/coppice/tree"

// Game explains what one tree adds to the scores of rows.
type Game struct {
	*games   // nil: only hybrids cover the tree; of path-dependent games: there are no tables
	source   *Source
	first    way
	prepared way   // nil: first
	bytes    int64 // that Prepare takes
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
// ErrNoCover. It keeps the source.
func New(s *Source) (*Game, error) {
	if s.Background != nil {
		if err := manyColumns(s); err != nil {
			return nil, err
		}
		g, _ := newGames(s, nil) // nil where it is not supported
		return &Game{games: g, source: s, first: newHybrids(s)}, nil
	}
	if err := supported(s.Tree); err != nil {
		return nil, err
	}
	w := &walked{Source: s}
	if s.Cover != nil {
		w.counts = s.count()
	} else if t := s.Tree; t.Cover == nil && (t.Stats == nil || len(t.Stats.Weight) == 0) {
		return nil, ErrNoCover
	}
	return &Game{source: s, first: w}, nil
}

// ManyRows is a number of rows for which all tables pay, and the largest ones.
const ManyRows = 1 << 20

// Fit decides what Prepare makes for a number of rows, so that it takes no more than so many bytes:
// tables for leaves of few players, so far as they pay and fit; with a background, sets of its rows
// for the other leaves. It returns the number of bytes. Without a background tables for some of the
// leaves do not pay, since a walk goes through most nodes for the others.
func (g *Game) Fit(rows int, most int64) int64 {
	g.bytes = 0
	least := 1
	if x := g.source.Index; g.source.Background == nil {
		walked := int64(rows) * x.walkedLeaf()
		if walked < 1<<x.bits() { // the numbers of a leaf that has the smallest table
			return 0
		}
		of := g.source.survey()
		if of.most > x.most() || of.work > walked*of.leaves {
			return 0
		}
		g.read()
		least = g.most
	} else if g.games == nil {
		return 0
	}
	for g.limit = min(g.most, g.index.most()); g.limit >= least; g.limit-- {
		if g.bits = g.index.bits(); rows < ManyRows || g.limit < g.most {
			g.bits = min(g.limit, g.bits)
		}
		bytes := g.tableBytes(g.bits)
		if g.most > g.limit {
			bytes += g.setBytes()
		}
		if bytes <= most && (least == g.most || g.pays(g.limit, rows)) {
			g.bytes = bytes
			return bytes
		}
	}
	g.Drop()
	return 0
}

// read makes the form that tables of path-dependent games need.
func (g *Game) read() { g.games, _ = newGames(g.source, g.first.(*walked).covers()) }

// pays reports whether a table of a leaf of so many players takes less time than to compare each of
// some rows with the background. A number of a table takes about a nanosecond for each point of the
// quadrature, and a leaf of a row and 64 of the background 100.
func (g *games) pays(players, rows int) bool {
	return g.index.work(players) <= 100*rows*max(1, g.background.Rows()/64)
}

// Prepare makes what Fit decided.
func (g *Game) Prepare() {
	if g.bytes > 0 {
		g.prepared = newPrepared(g.games)
	}
}

// newPrepared returns the tables of a tree, and with a background what covers the leaves of more
// players.
func newPrepared(g *games) way {
	tables := newTabled(g, g.bits)
	if g.most <= g.limit {
		return tables
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
func (g *Game) Drop() {
	g.prepared = nil
	if g.source.Background == nil {
		g.games = nil
	}
}

// Add adds the cells of the index to the rows of a block.
func (g *Game) Add(b *Block) {
	if g.prepared == nil {
		g.first.add(b)
		return
	}
	g.prepared.add(b)
	if b.Mean != nil {
		g.Expected(b.Mean)
	}
}

// Keep lists the steps of a path-dependent game for single players once, if no tables are prepared
// and steps take no more than so many bytes. It returns how many. Means are not added from then on.
func (g *Game) Keep(most int64) int64 {
	w, walks := g.first.(*walked)
	bytes := 128 * int64(g.source.Tree.Len()) // two steps of a node, and half a test
	if !walks || g.prepared != nil || bytes > most {
		return 0
	}
	b := &Block{}
	w.add(b)
	kept := b.walk.listing
	w.kept = &kept
	return bytes
}

// Expected adds the mean of a path-dependent game over the training weight to the scores.
func (g *Game) Expected(mean []float64) {
	if w, is := g.first.(*walked); is {
		w.add(&Block{Mean: mean})
	}
}

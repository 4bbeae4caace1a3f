package shapley

import "math"

// Game explains what one tree adds to the scores of rows.
type Game struct {
	*games   // nil: only hybrids cover the tree
	first    way
	prepared way // nil: first
	flat     *flat
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
	return &Game{games: g, first: newWalked(g)}, nil
}

// PreparedBytes returns the memory that Prepare takes, 0 if it does nothing.
func (g *Game) PreparedBytes() int64 {
	switch {
	case g.games == nil:
		return 0
	case g.most <= g.index.bits():
		return g.tableBytes(g.index.bits())
	case g.background != nil:
		return g.setBytes()
	}
	return 0
}

// Prepare makes what pays for many rows, unless that takes more than so many bytes: tables for
// leaves of few players; with a background and more players, sets of its rows.
func (g *Game) Prepare(most int64) {
	bytes := g.PreparedBytes()
	switch {
	case bytes == 0 || bytes > most:
		return
	case g.most <= g.index.bits():
		g.prepared = newTabled(g.games, g.index.bits())
	default:
		g.prepared = newSets(g.games)
	}
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

// RowBytes returns the memory that PrepareRow takes, 0 if it does nothing.
func (g *Game) RowBytes() int64 {
	if g.games == nil || g.most > g.index.bits() || g.outcomes() > 64 {
		return 0
	}
	if bytes := g.tableBytes(flatBits); bytes < 8*math.MaxInt32 {
		return bytes
	}
	return 0
}

// PrepareRow makes the tables by which AddRow explains single rows, unless that takes more than so
// many bytes. It reports whether it did.
func (g *Game) PrepareRow(most int64) bool {
	if bytes := g.RowBytes(); bytes == 0 || bytes > most {
		return false
	}
	g.flat = newFlat(g.games)
	return true
}

// Expected adds the mean of the tree over the training weight to the scores.
func (g *Game) Expected(base []float64) { g.expected(base) }

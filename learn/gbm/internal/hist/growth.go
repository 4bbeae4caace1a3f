package hist

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// growth splits the leaves of a tree in the order of the policy.
type growth struct {
	*inputs
	rows  *rowOrder
	hist  *builder
	find  *searcher
	split *splitter

	expected float64 // see leafWorkers.leastGain; of the tree before
	noise    float64 // standard deviation of what is added to the scores of levels
	owners   owners
	moves    moves
	points   []pointScores // memory of levels, see addPoints
	found    []columnBest  // by column that may split a level
}

// newGrowth makes a growth for some outputs. find makes the finder of a worker.
func newGrowth(m *bins.Matrix, c Config, outputs int, find func(columnScan) finder) *growth {
	in, rows := newInputs(m, c, outputs), &rowOrder{}
	hist := newBuilder(in, rows)
	g := &growth{inputs: in, rows: rows, hist: hist, find: newSearcher(hist, find)}
	g.split = &splitter{in, rows, hist, g.find}
	if c.Policy == LeafWise && c.Leaves > 0 {
		g.expected = math.Inf(1) // there is no tree before
	}
	g.owners.portion = portionRows
	return g
}

// grow splits the leaves of a tree of so many rows, of all ranks, which has a root.
func (g *growth) grow(ctx context.Context, t *branches, rows int) error {
	g.hist.beginTree(g.c.mostLeaves(rows))
	g.beginOwners(rows)
	g.find.own = nil
	if g.owners.several() {
		g.find.own = g.owners.own
	}
	g.find.counter.deferred = g.tables.stored() || g.owners.several()
	if err := g.fillRoot(ctx, t.nodes[0]); err != nil {
		return err
	}
	switch {
	case g.c.Policy == Symmetric:
		return growLevels(ctx, g, t)
	case g.tables.stored():
		return growBatches(ctx, g, t, &walkBatches{g})
	case g.owners.several():
		return growBatches(ctx, g, t, &rankBatches{g})
	}
	return growOpen(ctx, g, t)
}

// fillRoot makes the histogram of the root.
func (g *growth) fillRoot(ctx context.Context, root *open) error {
	if g.owners.several() {
		root.hist = g.hist.take()
		g.hist.fillOwn(root.hist, g.rows.rows)
		(&rankBatches{g}).share([]*histogram{root.hist}, nil)()
		return g.ranks.failed()
	}
	err := g.hist.fillLeaves(ctx, []*open{root})
	if err == nil && !g.tables.stored() && !g.ranks.several() { // of other ranks' rows it is not known
		root.hist.away = append(root.hist.away, g.tables.lay.listed.away...)
	}
	return err
}

package boost

import (
	"context"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/tree"
)

// outputGrowers is the growers of trees of several outputs that grow at the same time, each with
// workers of its own. So workers wait for each other once a round, not several times a tree, and
// try no leaves that are not split in the end. Outputs that are left over get their trees by all
// workers:
//
//	grower 0   output 0   output 2 | output 4, by all workers
//	grower 1   output 1   output 3 |
type outputGrowers struct {
	growers chan *hist.Grower // that are free
	first   *hist.Grower      // which all workers may use
	outputs int               // that get their trees so
	workers int               // all of them
	each    int               // of a grower
}

// mayGrowBeside reports whether trees of a round may grow at the same time: if derivatives, values
// of leaves and scores of an output are independent of those of the others, and the table is in
// memory, that of one rank.
func (g *scalarGrower) mayGrowBeside(s *setup, t *table.Table) bool {
	_, newton := g.leaves.(newtonLeaves)
	return newton && g.supports == nil && g.local == nil && len(t.Matrices) == 1 && t.Blocks == nil &&
		ranks.Of(s.Group).Size() == 1
}

// newOutputGrowers returns nil where there is one output or one worker, or not enough to do for
// more. The first grower is used too; others are made of the same matrix.
func newOutputGrowers(first *hist.Grower, m *bins.Matrix, c hist.Config,
	workers, outputs int) *outputGrowers {
	growers := min(workers, outputs, mostBeside(m, &c, outputs))
	if growers < 2 || m.Len()*len(m.Columns)*outputs <= table.SmallMatrix {
		return nil
	}
	b := &outputGrowers{growers: make(chan *hist.Grower, growers), first: first, workers: workers,
		outputs: outputs / growers * growers, each: workers / growers}
	b.growers <- first
	for range growers - 1 {
		c.Workers = min(parallel.Workers(c.Workers), b.each)
		b.growers <- hist.NewGrower(m, c)
	}
	return b
}

// mostBeside returns how many growers may take as much memory as the derivatives of all outputs, 16
// bytes for a row of each, but at least two. A grower takes 12 bytes for a row, and one for each of
// its columns if these are sampled.
func mostBeside(m *bins.Matrix, c *hist.Config, outputs int) int {
	bytes := 12.0
	if c.ColumnsByTree < 1 {
		bytes += float64(c.ColumnsByTree * float64(len(m.Columns)))
	}
	return max(2, int(16*float64(outputs)/bytes))
}

// growBeside grows the trees of the first outputs of a round.
func (g *scalarGrower) growBeside(ctx context.Context, r *roundPlan,
	trees []*tree.Tree) ([]*tree.Tree, error) {
	b := g.atOnce
	err := parallel.InOrder(ctx, b.outputs, cap(b.growers),
		func(ctx context.Context, output int) (*tree.Tree, error) {
			by := <-b.growers
			defer func() { b.growers <- by }()
			by.Next(output, b.each)
			return g.growOutput(ctx, r, output, by)
		},
		func(_ int, t *tree.Tree) error {
			trees = append(trees, t)
			return nil
		})
	b.first.Next(b.outputs%g.outputs, b.workers)
	return trees, err
}

package forest

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/random"
	"github.com/coppice-ml/coppice/learn/internal/exact/ranked"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// table is a prepared table, which all trees share: of ranks, or of values for random thresholds.
type table interface {
	// Rows returns the prepared frame rows, ascending.
	Rows() []int32
	// series starts a series of trees.
	series(cfg *treeConfig) series
	// withPermutedCopies returns the table with a permuted copy of each column behind the columns.
	withPermutedCopies(seed uint64) table
}

// series grows trees one after the other in the same memory. A tree may be used until the next
// call.
type series interface {
	Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error)
}

// treeConfig is how trees are grown.
type treeConfig struct {
	exact.Options
	thresholds int  // random thresholds per column; unused on ranks
	majority   bool // rows without a value go with the heavier child
	leaves     bool // leaves alone have values
}

// prepare makes a table ready for all splits, or for random thresholds if the parameters require
// them.
func (l *Learner) prepare(ctx context.Context, f *data.Frame, rows []int32,
	workers int) (table, error) {
	if l.RandomSplits > 0 {
		p, err := random.Prepare(ctx, f, rows, workers)
		return valueTable{p}, err
	}
	p, err := ranked.Prepare(ctx, f, rows, workers)
	return rankTable{p}, err
}

type rankTable struct{ *ranked.Prepared }

func (t rankTable) series(c *treeConfig) series {
	return t.Series(ranked.Config{Options: c.Options, Majority: c.majority, Leaves: c.leaves})
}

func (t rankTable) withPermutedCopies(seed uint64) table {
	return rankTable{t.WithPermutedCopies(seed)}
}

type valueTable struct{ *random.Prepared }

func (t valueTable) series(c *treeConfig) series {
	return t.Series(random.Config{Options: c.Options, Thresholds: c.thresholds,
		Majority: c.majority, Leaves: c.leaves})
}

func (t valueTable) withPermutedCopies(seed uint64) table {
	return valueTable{t.WithPermutedCopies(seed)}
}

// Package stump grows trees of one split on weights, as boosting grows them one after the other.
// The rows are added to bins in their own order. Only bins that may hold the best split point are
// walked in the order of the column.
package presorted

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// stumpConfig describes how to grow. Rows without a value go with the child that makes the better
// split. Of the Options, BestFirst, Mtry, Redraw, Seed and the limits on depth and leaves do not
// count.
type stumpConfig struct{ exact.Options }

// stumps is a table for growing: sorted once, and in bins when the first tree is grown. It is
// immutable.
type stumps struct{ table *sorting.Table }

// stumpsOf returns the stumps of a table that is sorted already.
func stumpsOf(t *sorting.Table) *stumps { return &stumps{t} }

// Serves reports whether a tree of one split can be grown by bins. It takes all the rows that were
// prepared, which have weights and no multiplicities, of at most 256 classes. The criterion must
// bound the gain of the split points within a bin.
func (p *stumps) Serves(pop *grow.Population, d *criterion.Definition) bool {
	return len(pop.Rows) == len(p.table.Rows) && pop.Weight != nil && pop.Count == nil &&
		(pop.Class == nil || pop.Classes <= 1<<8) && boundedBy(d, pop.Classes)
}

// boundedBy reports whether a criterion bounds the gain of the split points within a bin.
func boundedBy(d *criterion.Definition, classes int) bool {
	if d.New == nil {
		return false
	}
	_, ok := d.New(d.Family.Width(classes)).(criterion.Bounder)
	return ok
}

// errNotServed is returned for a population or a criterion that Serves refuses.
var errNotServed = errors.New("a tree of one split is grown by bins on the weights of all " +
	"prepared rows alone, by a criterion that has bounds")

// Grow grows a tree of one split on a population that Serves accepts.
func (p *stumps) Grow(ctx context.Context, pop *grow.Population, cfg stumpConfig) (*tree.Tree, error) {
	if !p.Serves(pop, &cfg.Criterion) {
		return nil, errNotServed
	}
	return newStumpGrowth(p.table, pop, &cfg).Grow(ctx, growth.RowsOf(pop, nil), 0)
}

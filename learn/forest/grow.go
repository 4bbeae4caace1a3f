package forest

import (
	"context"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// The purposes of a tree's random streams, whose paths are purpose and number of the tree. They
// never change, because the same seed must give the same bytes.
const (
	forRows    = 1 // which rows the tree is grown on
	forColumns = 2 // which columns its nodes sample, and the random thresholds of extratrees
	forHonesty = 3 // which of its rows choose splits
	// how the values of a column are permuted; the path continues with the number of the column or
	// group
	forPermutation = 4
	// the order of rows in permuted copies, without a tree's number; and which columns a tree
	// samples that is grown on columns and copies
	forPermutedCopies = 5
)

// grown is a finished tree with its report.
type grown struct {
	tree    *tree.Tree
	report  report
	scratch *scratch // memory of the report's rows; nil if there are none out of the bag
}

// grower grows trees, and finishes them by its steps.
type grower struct {
	*setup
	series stock[series] // those that no tree uses
	steps  []step
}

// step changes a tree after it was grown.
type step interface {
	apply(t *tree.Tree, b *bag) (*tree.Tree, error)
}

// newGrower chooses the steps by the parameters. rank is nil unless the forest predicts quantiles.
func newGrower(s *setup, rank *ranking) *grower {
	g := &grower{setup: s}
	if s.learner.Honest > 0 {
		g.steps = append(g.steps, &honesty{s})
	}
	if s.learner.Prune == PruneOutOfBag {
		g.steps = append(g.steps, pruning{s})
	}
	if rank != nil {
		g.steps = append(g.steps, &sampling{s, rank})
	}
	return g
}

// grow grows tree number i. The report has its gains alone.
func (g *grower) grow(ctx context.Context, b *bag, i, workers int) (*grown, error) {
	series := g.take(workers)
	defer g.series.keep(series) // the finished tree is a copy
	seed := rng.Seed(g.job.Seed, forColumns, uint64(i))
	t, err := series.Grow(ctx, g.population(b.structure), seed)
	if err != nil {
		return nil, err // the tree of a cancelled context is not one of the forest
	}
	for _, s := range g.steps {
		if t, err = s.apply(t, b); err != nil {
			return nil, err
		}
	}
	report := report{Gain: tree.Gains(t, len(g.frame.Columns))}
	return &grown{tree: g.finish(t), report: report}, nil
}

// take returns a series of trees for so many workers.
func (g *grower) take(workers int) series {
	if s, ok := g.series.take(); ok {
		return s
	}
	cfg := g.config
	cfg.Workers = workers
	return g.prepared.series(&cfg)
}

// finish returns a tree in the compact form that a forest stores. For majority votes a leaf has 1
// for its largest class and 0 for the others, in place of class counts.
func (g *grower) finish(t *tree.Tree) *tree.Tree {
	if g.target.Task.Classes() && g.learner.Vote == VoteMajority {
		return t.Votes(model.ArgMax)
	}
	return t.Compact()
}

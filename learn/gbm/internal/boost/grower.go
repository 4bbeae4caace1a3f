package boost

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/tree"
)

// roundPlan is what the stages of a round hand to the next one.
type roundPlan struct {
	number int        // of this training, from 1
	n      int        // from 0, rounds of the model that training continues included
	rows   *roundRows // that trees are grown on
	rate   float64    // learning rate: the factor on leaf values
	weight float64    // of the trees in the sum
}

// grower is the stage that grows the trees of a round and adds them to the scores.
type grower interface {
	grow(ctx context.Context, r *roundPlan) ([]*tree.Tree, error)
}

// scalarGrower grows a tree for each output: one after the other, or several beside each other.
type scalarGrower struct {
	growers     []*hist.Grower // by order of the rows
	atOnce      *outputGrowers // nil: all workers grow one tree after the other
	derivatives derivatives
	leaves      leafValues
	scores      *scores
	supports    *supports    // nil: boosting is not ordered
	local       *localPoints // nil: split points are those of the table
	config      *Config
	seed        uint64
	outputs     int
}

// vectorGrower grows one tree with values for all outputs: the parameter multi_output.
type vectorGrower struct {
	growers     []*hist.Grower // by order of the rows
	derivatives *storedDerivatives
	leaves      leafValues
	scores      *scores
	seed        uint64
}

// newGrower makes the grower, with an engine for each order of the rows.
func newGrower(s *setup, t *table.Table, sc *scores, d derivatives, u *supports,
	several bool) (grower, error) {
	k := sc.train.Objective.Outputs()
	leaves, err := newLeafValues(s, t, sc, d)
	if err != nil {
		return nil, err
	}
	scalar := &scalarGrower{derivatives: d, leaves: leaves, scores: sc, supports: u,
		local: newLocalPoints(s, t, sc, d), config: &s.Config, seed: s.Job.Seed, outputs: k}
	var vector []*hist.Grower
	for i, m := range t.Matrices {
		config := s.engine(t, i, m)
		config.Outputs = k
		config.OwnRows = !several && config.Ranks != nil && s.ownRows(t, sc, d, leaves)
		if several {
			vector = append(vector, hist.NewVectorGrower(m, config, k))
			continue
		}
		grower := hist.NewGrower(m, config)
		if config.OwnRows {
			sc.others = newRankScores(s.Group, grower)
		}
		scalar.growers = append(scalar.growers, grower)
		if i == 0 && scalar.mayGrowBeside(s, t) {
			scalar.atOnce = newOutputGrowers(grower, m, config, s.workers(), k)
		}
	}
	if stored, ok := d.(*storedDerivatives); ok && several {
		return &vectorGrower{vector, stored, newVectorLeafValues(s, sc), sc, s.Job.Seed}, nil
	}
	return scalar, nil
}

// engine returns the configuration of the engine on a matrix of an order of the rows.
func (s *setup) engine(t *table.Table, order int, m *bins.Matrix) hist.Config {
	config := s.Config.Growth(t.FrameOf(order), len(t.Frame.Columns), m, &t.Inputs)
	s.TrainedOrders(config.Order, m)
	config.Unseen, config.Weight = s.Config.Own(), s.Target.Weight
	config.Workers, config.Ranks = s.Job.Workers, s.Group
	if table.GrowsAlone(m) {
		config.Workers, config.Ranks = 1, nil
	}
	return config
}

// grow grows a tree for each output, in their order. Growers of their own may grow the first of
// them at the same time, to the same bytes. An error is explained here, where the scores of all
// rows are: growers see no rows of the table.
func (g *scalarGrower) grow(ctx context.Context, r *roundPlan) ([]*tree.Tree, error) {
	trees := make([]*tree.Tree, 0, g.outputs)
	g.leaves.begin()
	by := g.growers[r.n%len(g.growers)]
	if g.atOnce != nil {
		var err error
		if trees, err = g.growBeside(ctx, r, trees); err != nil {
			return nil, g.explain(ctx, r, err)
		}
	}
	for o := len(trees); o < g.outputs; o++ {
		t, err := g.growOutput(ctx, r, o, by)
		if err != nil {
			return nil, g.explain(ctx, r, err)
		}
		trees = append(trees, t)
	}
	if g.supports != nil {
		g.supports.learn(r.rate)
	}
	return trees, nil
}

// growOutput grows the tree of an output by one of the growers, and adds it to the scores.
func (g *scalarGrower) growOutput(ctx context.Context, r *roundPlan, output int,
	by *hist.Grower) (*tree.Tree, error) {
	order := r.n % len(g.growers)
	seed := rng.Seed(g.seed, purposeTree, uint64(r.n), uint64(output))
	if g.local != nil {
		var err error
		if by, err = g.local.grower(ctx, output); err != nil {
			return nil, err
		}
	}
	if d, ok := g.derivatives.(*storedDerivatives); ok && d.deviation != nil {
		by.SetNoise(g.config.noise(d.deviation[output], len(d.train.Rows), r.n, r.rate))
	}
	grown, err := g.derivatives.grow(ctx, by, output, r.rows, seed)
	if err != nil {
		return nil, err
	}
	g.leaves.set(grown, output, order)
	t, err := grown.Tree(r.rate)
	if err != nil {
		return nil, tooLarge(r, err)
	}
	if g.supports != nil {
		g.supports.note(grown, t, order)
	}
	g.scores.add(grown, output, r.rate*r.weight)
	if g.supports == nil {
		grown.Release()
	}
	return t, by.Err()
}

// explain returns an error of growing with the row that caused it, if it is one of a row.
func (g *scalarGrower) explain(ctx context.Context, r *roundPlan, err error) error {
	if !errors.Is(err, hist.ErrNotFinite) {
		return err
	}
	if err := g.scores.complete(ctx); err != nil {
		return err
	}
	if fault := g.derivatives.fault(r.number); fault != nil {
		return fault
	}
	return tooLarge(r, err)
}

func (g *vectorGrower) grow(ctx context.Context, r *roundPlan) ([]*tree.Tree, error) {
	d, h := g.derivatives.allByMatrixRow()
	order := r.n % len(g.growers)
	engine := g.growers[order]
	grown, err := engine.Grow(ctx, d, h, r.rows.matrix, rng.Seed(g.seed, purposeTree, uint64(r.n)))
	if errors.Is(err, hist.ErrNotFinite) {
		return nil, tooLarge(r, err)
	}
	if err != nil {
		return nil, err
	}
	g.leaves.set(grown, allOutputs, order)
	t, err := grown.Tree(r.rate)
	if err != nil {
		return nil, tooLarge(r, err)
	}
	g.scores.add(grown, allOutputs, r.rate*r.weight)
	grown.Release()
	return []*tree.Tree{t}, engine.Err()
}

// tooLarge adds advice to the error of a tree of numbers that are not finite.
func tooLarge(r *roundPlan, err error) error {
	return fmt.Errorf("round %d: %w: divide the labels, the weights or column_weight, whichever "+
		"are very large, by some number", r.number, err)
}

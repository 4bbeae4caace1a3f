package boost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/tree"
)

// Run trains rounds until there are enough.
func (b *Training) Run(ctx context.Context) error {
	k := b.watch
	for k.Rounds < b.setup.Config.Trees && !k.Stopped {
		if over, err := b.Advance(ctx); err != nil || over {
			return err
		}
		if b.setup.Job.Observe == nil {
			continue
		}
		checkpoint := func() (*learn.Checkpoint, error) {
			if err := b.Complete(ctx); err != nil {
				return nil, err
			}
			return b.checkpoint()
		}
		if err := b.setup.Job.Observe(learn.Round{Stage: "boost", N: k.Rounds, Of: b.setup.Config.Trees,
			Metrics: k.Latest, Checkpoint: checkpoint}); err != nil {
			return err
		}
	}
	return nil
}

// Advance trains a round, and evaluates the metrics after it. It reports whether nothing is left to
// be split, which takes back the rounds that split nothing.
func (b *Training) Advance(ctx context.Context) (over bool, err error) {
	trees, err := b.round(ctx)
	if err != nil || b.watch.exhausted(isSplit(trees), b.ensemble) {
		return err == nil, err
	}
	return false, b.evaluate()
}

// evaluate evaluates the metrics after a round.
func (b *Training) evaluate() error {
	best, err := b.watch.evaluate()
	if best {
		b.ensemble.markBest()
	}
	return err
}

// round grows the trees of a round on the derivatives at the scores before it, and returns them;
// nil: the loss has no curvature any more. After an error the model is what it was.
func (b *Training) round(ctx context.Context) (trees []*tree.Tree, err error) {
	done := b.watch.Rounds
	r := &roundPlan{number: done + 1, n: b.ensemble.before + done}
	if err := b.earlier.drop(done); err != nil {
		return nil, err
	}
	if err := b.derivatives.update(r); err != nil {
		return nil, err
	}
	if b.setup.ownLoss {
		if curved, err := b.curved(r); !curved {
			return nil, err
		}
	}
	if r.rows, err = b.sampler.sample(b.derivatives, r.n); err != nil {
		return nil, err
	}
	r.rate = b.setup.Config.rate(r.n)
	r.weight = b.earlier.weight(r.rate)
	trees, err = b.grower.grow(ctx, r)
	if err != nil {
		return nil, err
	}
	b.earlier.restore(r.rate)
	b.ensemble.append(trees, r.weight)
	b.watch.Rounds++
	b.scores.collect()
	return trees, b.scores.follow.addRound(b.scores, b.ensemble, trees, r.weight)
}

// isSplit reports whether any of some trees is more than a leaf.
func isSplit(trees []*tree.Tree) bool {
	return slices.ContainsFunc(trees, func(t *tree.Tree) bool { return t.Len() > 1 })
}

// curved reports whether the second derivatives of a loss of one's own, with l2, add up to a number
// above 0 for each output. If not, training ends. In the first round it is an error.
func (b *Training) curved(r *roundPlan) (bool, error) {
	_, h := b.derivatives.all()
	curved, err := boosting.Curved(h, b.scores.train.Objective.Outputs(), b.setup.Config.Engine.L2,
		r.n == 0, b.setup.loss)
	if err == nil && !curved {
		b.earlier.restore(0)
		b.watch.Flat = true
	}
	return curved, err
}

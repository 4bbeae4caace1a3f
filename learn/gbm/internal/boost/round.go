package boost

import (
	"context"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
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
	split, err := b.round(ctx)
	if err != nil || b.watch.exhausted(split, b.ensemble) {
		return err == nil, err
	}
	return false, b.evaluate()
}

// FoldRound trains a round and returns the first metric of the validation set. Where nothing is
// left to be split that stays as it is.
func (b *Training) FoldRound(ctx context.Context) (float64, error) {
	if !b.Exhausted() {
		split, err := b.round(ctx)
		if err != nil {
			return 0, err
		}
		b.watch.exhausted(split, b.ensemble)
		if err := b.evaluate(); err != nil {
			return 0, err
		}
	}
	curve := b.FirstCurve()
	return curve.Values[len(curve.Values)-1], nil
}

// evaluate evaluates the metrics after a round.
func (b *Training) evaluate() error {
	best, err := b.watch.evaluate()
	if best {
		b.ensemble.markBest()
	}
	return err
}

// round grows the trees of a round on the derivatives at the scores before it. It reports whether
// any of them was split. After an error the model is what it was.
func (b *Training) round(ctx context.Context) (split bool, err error) {
	done := b.watch.Rounds
	r := &roundPlan{number: done + 1, n: b.ensemble.before + done}
	if err := b.earlier.drop(done); err != nil {
		return false, err
	}
	if err := b.derivatives.update(r); err != nil {
		return false, err
	}
	if b.setup.ownLoss {
		if curved, err := b.curved(r); !curved {
			return false, err
		}
	}
	if r.rows, err = b.sampler.sample(b.derivatives, r.n); err != nil {
		return false, err
	}
	r.rate = b.setup.Config.rate(r.n)
	r.weight = b.earlier.weight(r.rate)
	trees, err := b.grower.grow(ctx, r)
	if err != nil {
		return false, err
	}
	b.earlier.restore(r.rate)
	if b.meter != nil {
		b.meter.round(trees)
	}
	b.ensemble.append(trees, r.weight)
	b.watch.Rounds++
	b.scores.collect()
	for _, t := range trees {
		split = split || t.Len() > 1
	}
	return split, b.scores.follow.addRound(b.scores, b.ensemble, trees, r.weight)
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

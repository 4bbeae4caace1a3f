package gbm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/tree"
)

// What random numbers are for. They are part of what a seed means and never change.
const (
	purposeTree       = iota + 1 // columns and cuts of a tree: with round and output
	purposeRows                  // rows of a round
	purposeValid                 // the validation part
	purposeDrop                  // trees that a round is trained without
	purposeStatistics            // orders of the rows that target statistics are made by
	// rows held back to choose the number of rounds, and trainings without them
	purposeFold
)

func seedOf(seed uint64, path ...uint64) uint64 { return rng.Seed(seed, path...) }

// stubRounds is the number of rounds in which nothing is split that end a training.
const stubRounds = 20

// run trains rounds until there are enough.
func (b *boost) run(ctx context.Context) error {
	for b.history.Rounds < b.learner.Trees && !b.history.Stopped {
		split, err := b.round(ctx)
		if err != nil {
			return err
		}
		if b.exhausted(split) {
			return nil
		}
		if err := b.evaluate(); err != nil {
			return err
		}
		if err := b.report(); err != nil {
			return err
		}
	}
	return nil
}

// exhausted reports whether the rounds have come to where nothing is left to be split, and takes
// those away that split nothing. A round of single leaves may move scores to where something can be
// split again, as with hinge, or draw other rows.
func (b *boost) exhausted(split bool) bool {
	if split {
		b.stub = 0
		return false
	}
	b.stub++
	if b.stub < stubRounds && (b.random() || b.moves()) {
		return false
	}
	n := max(0, b.history.Rounds-b.stub)
	if n == 0 && b.before == 0 {
		n = 1 // a model has a tree
	}
	b.cut(n)
	b.history.Exhausted = true
	return true
}

// moves reports whether the trees of the last round, single leaves all of them, say more than
// rounding does.
func (b *boost) moves() bool {
	scale := 1.0
	for _, v := range b.model.Bias {
		scale = max(scale, math.Abs(v))
	}
	for _, t := range b.model.Trees[len(b.model.Trees)-b.width():] {
		for _, v := range t.Value(0) {
			if math.Abs(v) > 1e-9*scale {
				return true
			}
		}
	}
	return false
}

// random reports whether the next round might split what this one did not.
func (b *boost) random() bool {
	l := &b.learner
	fraction := l.fractionOfColumns(len(b.matrices[0].Columns)) // 0 = all
	return l.ExtraTrees || l.Boosting.Dart != nil || b.samples() || fraction > 0 && fraction < 1 || l.ColsampleLevel < 1 || l.ColsampleNode < 1
}

// samples reports whether rounds are grown on some of the rows only.
func (b *boost) samples() bool { return b.learner.Subsample < 1 || b.learner.Sampling.Name != allRows }

// cut keeps the first n rounds of the model.
func (b *boost) cut(n int) {
	trees := b.first + n*b.width()
	b.model.Trees, b.model.Output = b.model.Trees[:trees:trees], b.model.Output[:trees:trees]
	if b.model.Weights != nil {
		b.model.Weights = b.model.Weights[:trees:trees]
	}
	b.history.Rounds = n
}

// round grows a tree for each output on the derivatives at the scores before it. It reports whether
// any was split. After an error the model is what it was.
func (b *boost) round(ctx context.Context) (split bool, err error) {
	n := b.before + b.history.Rounds
	out, err := b.drop()
	if err != nil {
		return false, err
	}
	if b.rowwise == nil {
		b.train.Objective.Gradients(b.g, b.h, b.train.Raw, b.workers())
		if b.vector() || b.samples() {
			if err := b.checkGradients(); err != nil {
				return false, err
			}
		}
	} // else the grower finds out
	rows, err := b.draw(n)
	if err != nil {
		return false, err
	}
	rate := b.learner.rate(n)
	old, weight := out.scales(rate)
	trees := make([]*tree.Tree, 0, b.width())
	for o := range b.width() {
		var t *tree.Tree
		if b.vector() {
			t, err = b.vectorTree(ctx, rows, rate, weight)
		} else {
			t, err = b.tree(ctx, o, rows, rate, weight)
		}
		if err != nil {
			return false, err
		}
		split = split || t.Len() > 1
		trees = append(trees, t)
	}
	b.putBack(out, old)
	b.append(trees, weight)
	b.collect()
	if b.valid != nil && b.holdOutAt == nil && b.unbundled == nil {
		err = b.addTrees(b.valid, trees, weight)
	}
	return split, err
}

// append adds the trees of a round to the model.
func (b *boost) append(trees []*tree.Tree, weight float64) {
	for o, t := range trees {
		b.model.Trees, b.model.Output = append(b.model.Trees, t), append(b.model.Output, b.outputOf(o))
		if b.model.Weights != nil {
			b.model.Weights = append(b.model.Weights, weight)
		}
	}
	b.history.Rounds++
}

// tree grows the tree of an output, and adds it, of some weight, to the scores of the rows that
// scores are kept of.
func (b *boost) tree(ctx context.Context, output int, rows []int32, rate, weight float64) (*tree.Tree, error) {
	order := (b.before + b.history.Rounds) % len(b.growers)
	grown, err := b.grow(ctx, b.growers[order], output, rows, seedOf(b.Seed, purposeTree, uint64(b.before+b.history.Rounds), uint64(output)))
	if errors.Is(err, hist.ErrNotFinite) {
		if named := b.nameGradients(); named != nil {
			return nil, named
		}
		return nil, b.tooLarge(err)
	}
	if err != nil {
		return nil, err
	}
	if b.learner.LinearTree {
		g, h := b.derivatives(output)
		grown.FitLinear(b.frames[order], g, h, b.learner.LinearL2)
	} else {
		b.refit(grown, output)
	}
	t, err := grown.Tree(rate)
	if err != nil {
		return nil, b.tooLarge(err)
	}
	n := b.matrix.Len()
	grown.Add(b.raw[output*n:(output+1)*n], b.scored, rate*weight)
	if b.unbundled != nil {
		n := b.unbundled.Len()
		grown.AddTo(b.unbundled, b.valid.Raw[output*n:(output+1)*n], rate*weight)
	}
	return t, nil
}

// tooLarge says what to do about a tree of numbers that are not finite.
func (b *boost) tooLarge(err error) error {
	return fmt.Errorf("round %d: %w: divide the labels, the weights or column_weight, whichever are very large, by some number", b.history.Rounds+1, err)
}

// collect gives the parts the scores of their rows.
func (b *boost) collect() {
	if b.at != nil {
		b.take(b.train, b.at)
	}
	if b.holdOutAt != nil {
		b.take(b.valid, b.holdOutAt)
	}
}

// take gives a part whose rows are matrix rows the scores of these.
func (b *boost) take(p *boosting.Part, at []int32) {
	n, m := len(p.Rows), b.matrix.Len()
	for o := range b.model.Bias {
		for i, r := range at {
			p.Raw[o*n+i] = b.raw[o*m+int(r)]
		}
	}
}

// put gives matrix rows the scores of a part.
func (b *boost) put(p *boosting.Part, at []int32) {
	n, m := len(p.Rows), b.matrix.Len()
	for o := range b.model.Bias {
		for i, r := range at {
			b.raw[o*m+int(r)] = p.Raw[o*n+i]
		}
	}
}

// putHoldOut gives the matrix rows of the validation part its scores.
func (b *boost) putHoldOut() {
	if b.holdOutAt != nil {
		b.put(b.valid, b.holdOutAt)
	}
}

// refit gives leaves the values of least loss, where the loss knows better than Newton's step.
func (b *boost) refit(grown *hist.Grown, output int) {
	r := b.refiner()
	if r == nil {
		return
	}
	parallel.Each(b.workers(), len(grown.Leaves), func(_, i int) {
		leaf := &grown.Leaves[i]
		if len(leaf.Rows) > 0 {
			v := b.limited(r.RefineLeaf(b.train.Raw, output, b.positions(leaf.Rows)))
			leaf.Value = min(max(v, leaf.Lower), leaf.Upper)
		}
	})
}

// positions returns those of matrix rows that are trained on.
func (b *boost) positions(rows []int32) []int32 {
	if b.from == nil {
		return rows
	}
	positions := make([]int32, len(rows))
	for i, row := range rows {
		positions[i] = b.from[row]
	}
	return positions
}

// limited keeps a value within max_delta_step.
func (b *boost) limited(v float64) float64 {
	if most := b.learner.MaxDeltaStep; most > 0 {
		return min(max(v, -most), most)
	}
	return v
}

func (b *boost) workers() int { return parallel.Workers(b.Workers) }

// report tells the observer of the round.
func (b *boost) report() error {
	if b.Observe == nil {
		return nil
	}
	return b.Observe(learn.Round{Stage: "boost", N: b.history.Rounds, Of: b.learner.Trees, Metrics: b.history.Latest, Checkpoint: b.checkpoint})
}

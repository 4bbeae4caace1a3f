package gbm

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/internal/hist"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// vector reports whether one tree of a round has the values of all outputs.
func (b *boost) vector() bool { return b.learner.MultiOutput && len(b.model.Bias) > 1 }

// width returns the number of trees of a round.
func (b *boost) width() int {
	if b.vector() {
		return 1
	}
	return len(b.model.Bias)
}

// outputOf returns which output tree i of a round feeds.
func (b *boost) outputOf(i int) int32 {
	if b.vector() {
		return -1
	}
	return int32(i)
}

// checkVector finds what does not go with trees of several outputs.
func (l *Learner) checkVector() error {
	if !l.MultiOutput {
		return nil
	}
	switch {
	case l.Monotone != "":
		return errors.New("vector does not go with monotone, which a split may keep for one output and break for another: use multi_output=false")
	case l.LinearTree:
		return errors.New("vector does not go with linear, whose leaves say one equation, for one output: use multi_output=false")
	}
	return nil
}

// vectorTree grows the tree of all outputs, and adds it to the scores of the rows that scores are
// kept of.
func (b *boost) vectorTree(ctx context.Context, rows []int32, rate, weight float64) (*tree.Tree, error) {
	g, h := b.g, b.h
	if b.at != nil {
		k, m, n := len(b.model.Bias), b.matrix.Len(), len(b.train.Rows)
		g, h = make([]float64, k*m), make([]float64, k*m)
		for o := range k {
			for i, r := range b.at {
				g[o*m+int(r)], h[o*m+int(r)] = b.g[o*n+i], b.h[o*n+i]
			}
		}
	}
	done := b.before + b.history.Rounds
	grown, err := b.vectors[done%len(b.vectors)].Grow(ctx, g, h, rows, seedOf(b.Seed, purposeTree, uint64(done)))
	if err != nil {
		return nil, err
	}
	b.refitVector(grown)
	t, err := grown.Tree(rate)
	if err != nil {
		return nil, b.tooLarge(err)
	}
	grown.Add(b.raw, b.scored, rate*weight)
	if b.unbundled != nil {
		grown.AddTo(b.unbundled, b.valid.Raw, rate*weight)
	}
	return t, nil
}

// refitVector is refit for a tree of several outputs.
func (b *boost) refitVector(grown *hist.VectorGrown) {
	r := b.refiner()
	if r == nil {
		return
	}
	parallel.Each(b.workers(), len(grown.Leaves), func(_, i int) {
		leaf := &grown.Leaves[i]
		if len(leaf.Rows) == 0 {
			return
		}
		positions := b.positions(leaf.Rows)
		for o := range leaf.Value {
			leaf.Value[o] = b.limited(r.RefineLeaf(b.train.Raw, o, positions))
		}
	})
}

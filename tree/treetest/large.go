package treetest

import (
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// Large returns a tree as forests for two classes keep it, with at least the given number of nodes:
// split points at random numbers between 0 and 1 of random columns, split as a depth-first growth
// does, and leaves of one class each, with covers.
func Large(nodes, columns int, seed uint64) *tree.Tree {
	samples := rng.New(seed)
	b := tree.NewBuilder(tree.Counts, 2, false)
	open := []int32{0}
	for b.Len() < nodes {
		at := len(open) - 1 - samples.Intn(min(len(open), 8))
		first := b.Split(open[at], tree.Split{Kind: tree.Numeric,
			Feature: int32(samples.Intn(columns)), SplitPoint: samples.Float64()})
		open[at] = first
		open = append(open, first+1)
	}
	for n := range int32(b.Len()) {
		vote := []float64{0, 0}
		vote[samples.Intn(2)] = 1
		b.SetValue(n, vote)
		b.SetCover(n, float64(1+n%6))
	}
	t, err := b.Build()
	if err != nil {
		panic(err) // unreachable: what is built here is valid
	}
	return t.Compact()
}

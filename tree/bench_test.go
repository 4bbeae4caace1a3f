package tree_test

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// grown returns a compact tree of cuts at random columns, split in the order of a depth-first growth.
func grown(nodes int) *tree.Tree {
	draws := rng.New(1)
	b := tree.NewBuilder(tree.Counts, 2, false)
	open := []int32{0}
	for b.Len() < nodes {
		at := len(open) - 1 - draws.Intn(min(len(open), 8))
		first := b.Split(open[at], tree.Split{Kind: tree.Cut, Feature: int32(draws.Intn(28)), Cut: draws.Float64()})
		open[at] = first
		open = append(open, first+1)
	}
	for n := range int32(b.Len()) {
		b.SetValue(n, []float64{float64(n & 1), float64(1 - n&1)})
	}
	built, err := b.Build()
	if err != nil {
		panic(err)
	}
	return built.Compact()
}

// BenchmarkValidate measures what a node of a forest costs when its file is opened.
func BenchmarkValidate(b *testing.B) {
	for _, nodes := range []int{1_001, 28_001, 1_000_001} {
		t := grown(nodes)
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			b.SetBytes(int64(16 * nodes))
			for b.Loop() {
				if err := t.Validate(28); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}

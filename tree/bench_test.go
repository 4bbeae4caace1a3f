package tree_test

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/tree/treetest"
)

// BenchmarkValidate measures what a node of a forest costs when its file is opened.
func BenchmarkValidate(b *testing.B) {
	for _, nodes := range []int{1_001, 28_001, 1_000_001} {
		t := treetest.Large(nodes, 28, 1)
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			b.SetBytes(int64(16 * nodes))
			for b.Loop() {
				if err := t.Validate(28); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes),
				"ns/node")
		})
	}
}

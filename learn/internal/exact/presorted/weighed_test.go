package presorted

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestWeighedScan: on weights the scan of a criterion finds the tree that the plain walk finds.
// Trees have one split or more, with missing values and rows that stand several times.
func TestWeighedScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "rows")
		x := make([][]float64, n)
		pop := &grow.Population{Rows: data.AllRows(n)}
		name := rapid.SampledFrom([]string{"gini", "squared_error"}).Draw(t, "criterion")
		for i := range x {
			x[i] = []float64{float64(rapid.IntRange(0, 7).Draw(t, "x")),
				rapid.Float64Range(-2, 2).Draw(t, "z")}
			if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
				x[i][0] = math.NaN()
			}
			pop.Weight = append(pop.Weight, rapid.Float64Range(0.001, 9).Draw(t, "weight"))
			if name == "gini" {
				pop.Class = append(pop.Class, uint32(rapid.IntRange(0, 1).Draw(t, "y")))
				pop.Classes = 2
			} else {
				pop.Y = append(pop.Y, rapid.Float64Range(-5, 5).Draw(t, "y"))
			}
		}
		if rapid.Bool().Draw(t, "repeated") {
			for range x {
				pop.Count = append(pop.Count, uint32(rapid.IntRange(1, 3).Draw(t, "count")))
			}
		}
		frame, err := data.FromRows(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := Prepare(context.Background(), frame, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		row, _ := criterion.ByName(name)
		cfg := Config{Options: exact.Options{Criterion: row, Workers: 2,
			Limits: grow.Limits{Depth: rapid.IntRange(1, 3).Draw(t, "depth"),
				MinLeaf: rapid.IntRange(1, 4).Draw(t, "least")}}}
		got, err := prepared.Grow(context.Background(), pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.plain = true
		want, err := prepared.Grow(context.Background(), pop, cfg)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	})
}

func same(t *rapid.T, got, want *tree.Tree) {
	if got.Len() != want.Len() {
		t.Fatalf("%d nodes, want %d", got.Len(), want.Len())
	}
	for i := range got.Nodes {
		if got.Nodes[i] != want.Nodes[i] {
			t.Fatalf("node %d differs", i)
		}
		if g, w := got.Stats.Gain[i], want.Stats.Gain[i]; math.Abs(g-w) > 1e-9*(1+math.Abs(w)) {
			t.Fatalf("node %d has gain %v, want %v", i, g, w)
		}
	}
}

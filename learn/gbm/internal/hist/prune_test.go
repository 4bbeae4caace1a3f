package hist_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// TestLeavesOfPrunedTrees: leaves of a tree that was pruned from the bottom have the rows of the
// branches that were removed, in ascending order, and their Newton steps; also where workers had
// partitioned the rows of leaves ahead of their turn.
func TestLeavesOfPrunedTrees(t *testing.T) {
	const rows = 3000
	s := rng.New(8)
	x, y, g, h := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i], y[i], h[i] = s.Float64(), s.Float64(), 1
		g[i] = math.Floor(4*x[i])*math.Floor(3*y[i]) + 4*s.Float64()
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []hist.Config{
		{Shape: hist.Shape{Leaves: 60}, Regularization: hist.Regularization{GammaBottom: true, Gamma: 20}, Workers: 4},
		{Shape: hist.Shape{Leaves: 60}, Regularization: hist.Regularization{GammaBottom: true, Gamma: 20}, Workers: 1},
		{Shape: hist.Shape{Policy: hist.DepthWise, Depth: 8}, Regularization: hist.Regularization{GammaBottom: true, Gamma: 20}, Workers: 4},
	} {
		whole := c
		whole.Gamma = 0
		all, err := hist.NewGrower(m, whole).Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := hist.NewGrower(m, c).Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(grown.Leaves); n < 5 || n > len(all.Leaves)-10 {
			t.Errorf("%+v: %d leaves of %d are left", c, n, len(all.Leaves))
		}
		seen := 0
		for _, l := range grown.Leaves {
			sum := 0.0
			for _, r := range l.Rows {
				sum += g[r]
			}
			if step := -sum / float64(len(l.Rows)); math.Abs(step-l.Value[0]) > 1e-6 {
				t.Errorf("%+v: a leaf of %d rows has the value %v, want %v", c, len(l.Rows), l.Value, step)
			}
			if !slices.IsSorted(l.Rows) {
				t.Errorf("%+v: rows of a leaf do not ascend", c)
			}
			seen += len(l.Rows)
		}
		if seen != rows {
			t.Errorf("%+v: leaves have %d rows, want %d", c, seen, rows)
		}
	}
}

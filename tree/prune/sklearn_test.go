package prune_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// frozenTree is a tree of scikit-learn with its pruning path, as
// learn/cart/testdata/sklearn/freeze.py wrote them; see there. Leaves is nil for steps that differ
// from the next one by rounding only.
type frozenTree struct {
	Name    string
	Classes []string
	Tree    struct {
		Left, Right, Feature               []int32
		Threshold, Weight, Impurity, Value []float64
		Rows                               []int
	}
	Path struct {
		Alpha, Impurity []float64
		Leaves          []*int
	}
}

// frozenPaths returns the trees that have a path.
func frozenPaths(t *testing.T) []frozenTree {
	frozen := reference.Read[struct{ Cases []frozenTree }](t,
		"../../learn/cart/testdata/sklearn/trees.json.gz")
	var paths []frozenTree
	for _, c := range frozen.Cases {
		if len(c.Path.Alpha) > 0 {
			paths = append(paths, c)
		}
	}
	return paths
}

// build makes the frozen tree one of ours, node by node.
func (f *frozenTree) build(t *testing.T) *tree.Tree {
	t.Helper()
	kind, width := tree.Scalar, 1
	if f.Classes != nil {
		kind, width = tree.Counts, len(f.Classes)
	}
	b := tree.NewBuilder(kind, width, true)
	var add func(n int32, s int32)
	add = func(n, s int32) {
		from := &f.Tree
		b.SetValue(n, from.Value[int(s)*width:(int(s)+1)*width])
		b.SetStats(n, from.Rows[s], from.Weight[s], from.Impurity[s])
		if from.Left[s] < 0 {
			return
		}
		first := b.Split(n, tree.Split{Kind: tree.Numeric, Feature: from.Feature[s],
			SplitPoint: from.Threshold[s]})
		add(first, from.Left[s])
		add(first+1, from.Right[s])
	}
	add(0, 0)
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestPathEqualsScikitLearn prunes scikit-learn's own trees, so that no tie in growing matters.
// Alphas, leaves and costs of all steps must be those of its cost_complexity_pruning_path, to 1e-9.
// Where that is less, the tolerance is the rounding error of differences between costs as large as
// the root's.
func TestPathEqualsScikitLearn(t *testing.T) {
	tier.NotShort(t, "prunes trees of each set")
	paths := frozenPaths(t)
	if len(paths) < 15 {
		t.Fatalf("%d frozen paths", len(paths))
	}
	for _, f := range paths {
		t.Run(f.Name, func(t *testing.T) {
			built := f.build(t)
			cost, err := prune.Impurity(built)
			if err != nil {
				t.Fatal(err)
			}
			path := prune.NewPath(built, cost, nil)
			const ulps = 64.0 / (1 << 52)
			near := func(a, b float64) bool {
				return math.Abs(a-b) <= max(1e-9*max(math.Abs(a), math.Abs(b)), ulps*cost[0])
			}
			k := 0
			for i, leaves := range f.Path.Leaves {
				if leaves == nil {
					continue
				}
				if k == len(path.Steps) {
					t.Fatalf("%d steps; the next should have alpha %v and %d leaves", k,
						f.Path.Alpha[i], *leaves)
				}
				s := path.Steps[k]
				if !near(s.Alpha, f.Path.Alpha[i]) || s.Leaves != *leaves ||
					!near(s.Cost, f.Path.Impurity[i]) {
					t.Fatalf("step %d: alpha %v, %d leaves, cost %v, want %v, %d, %v", k, s.Alpha,
						s.Leaves, s.Cost,
						f.Path.Alpha[i], *leaves, f.Path.Impurity[i])
				}
				checkPruned(t, path, k)
				k++
			}
			if k != len(path.Steps) {
				t.Errorf("%d steps, want %d", len(path.Steps), k)
			}
			t.Logf("%d steps equal", k)
		})
	}
}

// checkPruned checks that pruning at a step's alpha, and between it and the next, gives the step's
// tree.
func checkPruned(t *testing.T, path *prune.Path, k int) {
	t.Helper()
	s := path.Steps[k]
	between := 2*s.Alpha + 1
	if k+1 < len(path.Steps) {
		between = (s.Alpha + path.Steps[k+1].Alpha) / 2
	}
	for _, alpha := range []float64{s.Alpha, between} {
		pruned, err := path.Prune(alpha)
		if err != nil {
			t.Fatal(err)
		}
		cost, err := prune.Impurity(pruned)
		if err != nil {
			t.Fatal(err)
		}
		left := 0.0
		for n, c := range cost {
			if pruned.Kind(int32(n)) == tree.Leaf {
				left += c
			}
		}
		if pruned.NumLeaves() != s.Leaves || math.Abs(left-s.Cost) > 1e-12*cost[0] {
			t.Fatalf("pruned at %v: %d leaves that cost %v, want %d, %v", alpha, pruned.NumLeaves(),
				left, s.Leaves, s.Cost)
		}
	}
}

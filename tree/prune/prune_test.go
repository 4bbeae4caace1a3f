package prune_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// randomTree makes a tree of up to the given number of leaves with random class counts; the counts
// of a node are the sums of its children's.
func randomTree(t *rapid.T, leaves int) *tree.Tree {
	b := tree.NewBuilder(tree.Counts, 3, true)
	open := []int32{0}
	child := map[int32]int32{}
	for range rapid.IntRange(0, leaves-1).Draw(t, "splits") {
		i := rapid.IntRange(0, len(open)-1).Draw(t, "leaf")
		n := open[i]
		first := b.Split(n, tree.Split{Kind: tree.Numeric, Feature: n % 3, SplitPoint: float64(n)})
		child[n] = first
		open = append(slices.Delete(open, i, i+1), first, first+1)
	}
	counts := make([][]float64, b.Len())
	for n := int32(b.Len()) - 1; n >= 0; n-- {
		counts[n] = make([]float64, 3)
		first, inner := child[n]
		for k := range counts[n] {
			if inner {
				counts[n][k] = counts[first][k] + counts[first+1][k]
			} else {
				counts[n][k] = float64(rapid.IntRange(0, 6).Draw(t, "count") + k%2)
			}
		}
		total := counts[n][0] + counts[n][1] + counts[n][2]
		b.SetValue(n, counts[n])
		gini := 1.0
		for _, c := range counts[n] {
			gini -= c / total * (c / total)
		}
		b.SetStats(n, int(total), total, gini)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// best finds, by recursion over all prunings, the smallest subtree that minimises cost + alpha x
// leaves.
func best(t *tree.Tree, cost, ended []float64, alpha float64, n int32) (total float64, leaves int) {
	if t.Kind(n) == tree.Leaf {
		return cost[n] + alpha, 1
	}
	if ended != nil {
		total = ended[n]
	}
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		sum, l := best(t, cost, ended, alpha, c)
		total, leaves = total+sum, leaves+l
	}
	if cost[n]+alpha <= total+1e-12 {
		return cost[n] + alpha, 1
	}
	return total, leaves
}

// TestPath compares the path with the definition: at each penalty between steps, and at the steps
// themselves, the pruned tree is the smallest minimiser.
func TestPath(t *testing.T) {
	for name, costs := range map[string]func(*tree.Tree) ([]float64,
		error){"error": prune.TrainingError, "impurity": prune.Impurity} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				grown := randomTree(t, 20)
				cost, err := costs(grown)
				if err != nil {
					t.Fatal(err)
				}
				ended := randomEnded(t, grown, cost)
				p := prune.NewPath(grown, cost, ended)
				checkSteps(t, p)
				for k, s := range p.Steps {
					next := s.Alpha + 1
					if k+1 < len(p.Steps) {
						next = p.Steps[k+1].Alpha
					}
					for _, alpha := range []float64{s.Alpha, (s.Alpha + next) / 2} {
						pruned, err := p.Prune(alpha)
						if err != nil {
							t.Fatal(err)
						}
						total, leaves := best(grown, cost, ended, alpha, 0)
						if pruned.NumLeaves() != leaves || s.Leaves != leaves {
							t.Fatalf("alpha %g: %d leaves, %d by the step, %d by the definition",
								alpha, pruned.NumLeaves(), s.Leaves, leaves)
						}
						if got := s.Cost + alpha*float64(leaves); math.Abs(got-total) > 1e-9 {
							t.Fatalf("alpha %g: cost complexity %g, want %g", alpha, got, total)
						}
					}
				}
			})
		})
	}
}

// randomEnded makes the costs of rows that end at inner nodes: some of what the children do not.
func randomEnded(t *rapid.T, grown *tree.Tree, cost []float64) []float64 {
	if rapid.Bool().Draw(t, "none end at inner nodes") {
		return nil
	}
	ended := make([]float64, grown.Len())
	for n := range ended {
		if grown.Kind(int32(n)) == tree.Leaf {
			continue
		}
		spared := cost[n] - cost[grown.Child(int32(n))] - cost[grown.Child(int32(n))+1]
		ended[n] = max(0, spared) * rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "ended")
	}
	return ended
}

func checkSteps(t *rapid.T, p *prune.Path) {
	if p.Steps[0].Alpha != 0 || p.Steps[len(p.Steps)-1].Leaves != 1 {
		t.Fatalf("path from alpha %g to %d leaves", p.Steps[0].Alpha,
			p.Steps[len(p.Steps)-1].Leaves)
	}
	for k := 1; k < len(p.Steps); k++ {
		if a, b := p.Steps[k-1], p.Steps[k]; a.Alpha >= b.Alpha || a.Leaves <= b.Leaves ||
			a.Cost > b.Cost+1e-12 {
			t.Fatalf("steps %+v and %+v are not nested", a, b)
		}
	}
}

// TestLevels: on a way down the tree, the ranges of the nodes meet every penalty once. The range
// that has a penalty is that of the node where the tree pruned at it ends the way.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown := randomTree(t, 20)
		cost, err := prune.TrainingError(grown)
		if err != nil {
			t.Fatal(err)
		}
		p := prune.NewPath(grown, cost, nil)
		alphas := []float64{0, 0.01, 0.03, 0.1, 0.3, math.Inf(1)}
		for _, s := range p.Steps {
			alphas = append(alphas, s.Alpha)
		}
		slices.Sort(alphas)
		seen := make([]int, len(alphas))
		parent, n := int32(-1), int32(0)
		for depth := 0; ; depth++ {
			from, to := p.Levels(alphas, parent, n)
			for k := from; k < to; k++ {
				seen[k]++
				pruned, err := p.Prune(alphas[k])
				if err != nil {
					t.Fatal(err)
				}
				if got := depthOf(pruned, grown, n); got != depth {
					t.Fatalf("alpha %g: the way ends at depth %d, by the range at %d", alphas[k],
						got, depth)
				}
			}
			if grown.Kind(n) == tree.Leaf {
				break
			}
			parent, n = n, grown.Child(n)+int32(rapid.IntRange(0, 1).Draw(t, "way"))
		}
		for k, times := range seen {
			if times != 1 {
				t.Fatalf("alpha %g was met %d times", alphas[k], times)
			}
		}
	})
}

// depthOf follows in a pruned tree the way that leads to node n of the whole tree, and returns the
// depth at which it ends.
func depthOf(pruned, whole *tree.Tree, n int32) int {
	parents := whole.Parents()
	var way []int32
	for m := n; m > 0; m = parents[m] {
		way = append(way, m-whole.Child(parents[m]))
	}
	slices.Reverse(way)
	at, depth := int32(0), 0
	for _, step := range way {
		if pruned.Kind(at) == tree.Leaf {
			return depth
		}
		at = pruned.Child(at) + step
		depth++
	}
	if pruned.Kind(at) != tree.Leaf {
		return depth + 1 // the way continues
	}
	return depth
}

// TestReducedError compares with all prunings: none has fewer validation errors, and of those with
// as few none is smaller.
func TestReducedError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown := randomTree(t, 12)
		cost := make([]float64, grown.Len())
		for i := range cost {
			cost[i] = float64(rapid.IntRange(0, 4).Draw(t, "cost"))
		}
		got, err := prune.ReducedError(grown, cost, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, leaves := best(grown, cost, nil, 0, 0); got.NumLeaves() != leaves {
			t.Fatalf("%d leaves, the definition has %d", got.NumLeaves(), leaves)
		}
	})
}

// TestCollapse: values, statistics and sets follow their nodes to the new numbers.
func TestCollapse(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 7, Gain: 5})
	b.Split(1, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{1}})
	b.Split(2, tree.Split{Kind: tree.SetLast, Feature: 2, Set: []uint64{6, 9},
		Missing: tree.MissingLast, Gain: 3})
	for n := range int32(7) {
		b.SetValue(n, []float64{float64(n)})
		b.SetStats(n, int(n)+10, float64(n)+0.5, float64(n)/8)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	got, err := prune.Collapse(grown, []bool{false, true, false, false, false, false, false})
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 5 || got.Kind(1) != tree.Leaf || got.Kind(2) != tree.SetLast ||
		got.Child(2) != 3 {
		t.Fatalf("wrong shape: nodes %v", got.Nodes)
	}
	if !slices.Equal(got.Set(2), []uint64{6, 9}) || got.Missing(2) != tree.MissingLast ||
		got.Stats.Gain[2] != 3 {
		t.Fatal("the split of node 2 was not kept")
	}
	for m, n := range []int32{0, 1, 2, 5, 6} {
		if got.Value(int32(m))[0] != float64(n) || got.Stats.Rows[m] != uint32(n)+10 ||
			got.Stats.Impurity[m] != float64(n)/8 {
			t.Errorf("node %d does not hold what node %d held", m, n)
		}
	}
}

func TestNoStats(t *testing.T) {
	grown, err := tree.NewBuilder(tree.Scalar, 1, false).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, costs := range []func(*tree.Tree) ([]float64, error){prune.TrainingError,
		prune.Impurity} {
		if _, err := costs(grown); !errors.Is(err, prune.ErrNoStats) {
			t.Errorf("error %v, want ErrNoStats", err)
		}
	}
}

// TestExpectedCost: each node costs what its label does that costs least; without costs that is the
// training error.
func TestExpectedCost(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, true)
	b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 1})
	for n, v := range [][]float64{{12, 8}, {9, 1}, {3, 7}} {
		b.SetValue(int32(n), v)
		b.SetStats(int32(n), int(v[0]+v[1]), v[0]+v[1], 0)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	costs := data.Costs{{0, 1}, {5, 0}}
	got, err := prune.ExpectedCost(grown, costs)
	if want := []float64{12. / 20, 5. / 20, 3. / 20}; err != nil || !slices.Equal(got, want) {
		t.Errorf("costs %v, %v, want %v", got, err, want)
	}
	plain, err := prune.ExpectedCost(grown, nil)
	if want, failed := prune.TrainingError(grown); err != nil || failed != nil ||
		!slices.Equal(plain, want) {
		t.Errorf("without costs %v, %v, %v, want %v", plain, err, failed, want)
	}
}

package prune_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// recursion prunes by the definition of bottom-up pruning. cost gives the cost of a node as a leaf
// that predicts as the node does. It takes the class weights that reach the node, and counts the
// rows that end there.
func recursion(
	t *rapid.T, grown *tree.Tree, rows prune.Training, slack float64,
	cost func(counts, ending []float64) float64,
) *tree.Tree {
	reach, end := arrived(grown, rows)
	stop := make([]bool, grown.Len())
	var below func(n int32) float64
	below = func(n int32) float64 {
		own := cost(reach[n], reach[n])
		if grown.Kind(n) == tree.Leaf {
			return own
		}
		sum := cost(reach[n], end[n])
		for c := grown.Child(n); c < grown.Child(n)+grown.Arity(n); c++ {
			sum += below(c)
		}
		if own <= sum+slack {
			stop[n] = true
			return own
		}
		return sum
	}
	below(0)
	pruned, err := prune.Collapse(grown, stop)
	if err != nil {
		t.Fatal(err)
	}
	return pruned
}

// TestPessimistic compares with the definition on what rows really do in the tree.
func TestPessimistic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 12)
		cf := rapid.SampledFrom([]float64{0.01, 0.25, 0.5}).Draw(t, "cf")
		want := recursion(t, grown, rows, 0.1+1e-6, func(counts, ending []float64) float64 {
			total, wrong := mistakes(ending, majority(counts))
			if total < 1e-6 {
				return 0
			}
			return wrong + prune.AddedErrors(total, wrong, cf)
		})
		got, err := prune.Pessimistic(grown, cf)
		if err != nil {
			t.Fatal(err)
		}
		if !sameShape(got, want) {
			t.Fatalf("%d nodes, by the definition %d", got.Len(), want.Len())
		}
	})
}

// TestMinimumErrorIsItsDefinition compares with the definition, for both estimates.
func TestMinimumErrorIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 12)
		m := rapid.SampledFrom([]float64{0, 0.5, 2, 100}).Draw(t, "m")
		all, _ := mistakes(grown.Value(0), 0)
		fraction := func(counts []float64, m float64, prior func(k int) float64) float64 {
			n, _ := mistakes(counts, 0)
			least := 1.0
			for k, w := range counts {
				if p := (w + prior(k)*m) / (n + m); 1-p < least {
					least = 1 - p
				}
			}
			return least
		}
		for name, c := range map[string]struct {
			prune    func(*tree.Tree) (*tree.Tree, error)
			fraction func(counts []float64) float64
		}{
			"laplace": {prune.MinimumError, func(counts []float64) float64 {
				return fraction(counts, 3, func(int) float64 { return 1.0 / 3 })
			}},
			"m": {func(t *tree.Tree) (*tree.Tree, error) { return prune.MinimumErrorM(t, m) },
				func(counts []float64) float64 {
					return fraction(counts, m,
						func(k int) float64 { return grown.Value(0)[k] / all })
				}},
		} {
			want := recursion(t, grown, rows, 1e-9, func(counts, ending []float64) float64 {
				if n, _ := mistakes(counts, 0); n == 0 {
					return 0
				}
				n, _ := mistakes(ending, 0)
				return n * c.fraction(counts)
			})
			got, err := c.prune(grown)
			if err != nil {
				t.Fatal(err)
			}
			if !sameShape(got, want) {
				t.Fatalf("%s: %d nodes, by the definition %d", name, got.Len(), want.Len())
			}
		}
	})
}

// TestPessimistic1987IsItsDefinition walks from the top down and counts errors and leaves of each
// whole subtree again.
func TestPessimistic1987IsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 12)
		reach, end := arrived(grown, rows)
		stop := make([]bool, grown.Len())
		var below func(n int32) (wrong, leaves float64)
		below = func(n int32) (wrong, leaves float64) {
			total, wrong := mistakes(end[n], majority(reach[n]))
			if total > 0 {
				leaves = 1
			}
			for c := grown.Child(n); c < grown.Child(n)+grown.Arity(n); c++ {
				w, l := below(c)
				wrong, leaves = wrong+w, leaves+l
			}
			return wrong, leaves
		}
		for n := range int32(grown.Len()) {
			total, own := mistakes(reach[n], majority(reach[n]))
			wrong, leaves := below(n)
			e := wrong + leaves/2
			stop[n] = total == 0 || own+0.5 <= e+math.Sqrt(max(0, e*(total-e)/total))+1e-6
		}
		want, err := prune.Collapse(grown, stop)
		if err != nil {
			t.Fatal(err)
		}
		got, err := prune.Pessimistic1987(grown)
		if err != nil {
			t.Fatal(err)
		}
		if !sameShape(got, want) {
			t.Fatalf("%d nodes, by the definition %d", got.Len(), want.Len())
		}
	})
}

// TestCollapseUseless: the result makes as many training errors as the tree, but for 0.001 at each
// node that went, and no inner node is left that makes as few alone.
func TestCollapseUseless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 12)
		got, err := prune.CollapseUseless(grown)
		if err != nil {
			t.Fatal(err)
		}
		whole, left := trainingErrors(grown, rows), trainingErrors(got, rows)
		if gone := float64(grown.NumLeaves() - got.NumLeaves()); math.Abs(left-whole) > 1e-3*gone+
			1e-9 {
			t.Fatalf("%v errors, the whole tree makes %v", left, whole)
		}
		for n := range int32(got.Len()) {
			if got.Kind(n) == tree.Leaf {
				continue
			}
			alone, _ := prune.Collapse(got, oneStop(got, n))
			if e := trainingErrors(alone, rows); e < left+1e-3-1e-9 {
				t.Fatalf("node %d as a leaf leaves %v errors of %v", n, e, left)
			}
		}
	})
}

func oneStop(t *tree.Tree, n int32) []bool {
	stop := make([]bool, t.Len())
	stop[n] = true
	return stop
}

// trainingErrors returns the weight of the rows, or fractions of them, that end where another class
// is larger.
func trainingErrors(t *tree.Tree, rows prune.Training) float64 {
	reach, end := arrived(t, rows)
	sum := 0.0
	for n := range end {
		_, wrong := mistakes(end[n], majority(reach[n]))
		sum += wrong
	}
	return sum
}

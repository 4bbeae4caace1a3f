package prune_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// node is a node of a tree written down by hand: its class weights and its children.
type node struct {
	counts []float64
	kids   []node
}

// byHand builds a tree whose nodes with two children split at their own number and others split by
// code; inner nodes look at column 0.
func byHand(t *testing.T, root node) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, len(root.counts), true)
	var add func(n int32, from node)
	add = func(n int32, from node) {
		total := 0.0
		for _, w := range from.counts {
			total += w
		}
		b.SetValue(n, from.counts)
		b.SetStats(n, int(total), total, 0)
		if len(from.kids) == 0 {
			return
		}
		s := tree.Split{Kind: tree.Numeric, SplitPoint: float64(n)}
		if len(from.kids) != 2 {
			s = tree.Split{Kind: tree.ByCode, Arity: int32(len(from.kids))}
		}
		first := b.Split(n, s)
		for i, kid := range from.kids {
			add(first+int32(i), kid)
		}
	}
	add(0, root)
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestVotes is the example of Quinlan 1993, section 4.2, from the votes of the US congress. Three
// leaves of 6, 9 and 1 rows without errors are expected to make 6 x 0.206 + 9 x 0.143 + 1 x 0.750 =
// 3.273 errors. One leaf with one error of 16 rows makes fewer (2.512 with his table of quantiles):
// it replaces them.
func TestVotes(t *testing.T) {
	for n, fraction := range map[float64]float64{6: 0.206, 9: 0.143, 1: 0.750} {
		if got := prune.AddedErrors(n, 0, 0.25) / n; math.Abs(got-fraction) > 5e-4 {
			t.Errorf("limit of 0 errors of %v: %v, by Quinlan %v", n, got, fraction)
		}
	}
	if got := 1 + prune.AddedErrors(16, 1, 0.25); math.Abs(got-2.512) > 0.04 {
		t.Errorf("estimate of 1 error of 16: %v, by Quinlan 2.512", got)
	}
	votes := byHand(t,
		node{[]float64{15, 1}, []node{{counts: []float64{6, 0}}, {counts: []float64{9, 0}},
			{counts: []float64{0, 1}}}})
	for name, method := range map[string]func(*tree.Tree) (*tree.Tree, error){
		"pessimistic": func(t *tree.Tree) (*tree.Tree, error) { return prune.Pessimistic(t, 0.25) },
		// below: 0 + 3/2, standard error sqrt(1.5 x 14.5 / 16) = 1.17; as a leaf: 1 + 1/2.
		"1987": prune.Pessimistic1987,
	} {
		got, err := method(votes)
		if err != nil {
			t.Fatal(err)
		}
		if got.Len() != 1 || !slices.Equal(got.Value(0), []float64{15, 1}) ||
			got.Stats.Rows[0] != 16 {
			t.Errorf("%s: %d nodes, root %v", name, got.Len(), got.Value(0))
		}
	}
}

// TestPessimistic1987ByHand: 40 rows, 10 of them errors as a leaf, 10.5 corrected. Two leaves with
// 2 errors each have 5 corrected errors with a standard error of sqrt(5 x 35 / 40) = 2.09: the
// split stays. Of the first leaf's own split, 20 rows with 2 errors, 2.5 corrected, into pure
// leaves, 1 error + sqrt(1 x 19 / 20) = 1.97 is left: it stays too. The second's own split saves
// nothing and goes.
func TestPessimistic1987ByHand(t *testing.T) {
	grown := byHand(t, node{[]float64{20, 20}, []node{
		{[]float64{18, 2}, []node{{counts: []float64{18, 0}}, {counts: []float64{0, 2}}}},
		{[]float64{2, 18}, []node{{counts: []float64{1, 10}}, {counts: []float64{1, 8}}}}}})
	got, err := prune.Pessimistic1987(grown)
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 5 || got.Kind(1) != tree.Numeric || got.Kind(2) != tree.Leaf {
		t.Errorf("nodes %v", got.Nodes)
	}
}

// TestMinimumErrorByHand is the tree of a textbook's figure on this method (Bratko, "Prolog
// Programming for Artificial Intelligence", chapter on learning): with the Laplace estimate
//
//	b  [4 2]   (6 - 4 + 1) / (6 + 2) = 0.375   below: 5/6 x 3/7 + 1/6 x 1/3 = 0.413   becomes a leaf
//	d  [1 2]   (3 - 2 + 1) / (3 + 2) = 0.4     below: 2/3 x 1/2 + 1/3 x 1/3 = 0.444   becomes a leaf
//	c  [2 2]   (4 - 2 + 1) / (4 + 2) = 0.5     below: 3/4 x 0.4 + 1/4 x 1/3 = 0.383   stays
//	a  [6 4]   (10 - 6 + 1) / (10 + 2) = 0.417 below: 6/10 x 0.375 + 4/10 x 0.383 = 0.378 stays
func TestMinimumErrorByHand(t *testing.T) {
	b := node{[]float64{4, 2}, []node{{counts: []float64{3, 2}}, {counts: []float64{1, 0}}}}
	d := node{[]float64{1, 2}, []node{{counts: []float64{1, 1}}, {counts: []float64{0, 1}}}}
	c := node{[]float64{2, 2}, []node{d, {counts: []float64{1, 0}}}}
	grown := byHand(t, node{[]float64{6, 4}, []node{b, c}})
	got, err := prune.MinimumError(grown)
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 5 || got.Kind(1) != tree.Leaf || got.Kind(2) != tree.Numeric ||
		!slices.Equal(got.Value(3), []float64{1, 2}) {
		t.Errorf("nodes %v, values %v", got.Nodes, got.Leaf.Value)
	}
	// With m = 2 and priors 0.6 and 0.4, c expects min((4 - 2 + 0.4 x 2), (4 - 2 + 0.6 x 2)) / 6 =
	// 0.467 as a leaf; d min(3 - 1 + 0.8, 3 - 2 + 1.2) / 5 = 0.44, below d are 2/3 x (2 - 1 + 0.8)
	// / 4 + 1/3 x 1.2 / 3 = 0.433: d stays, and below c are 3/4 x 0.433 + 1/4 x 0.8 / 3 = 0.392. b
	// expects (6 - 4 + 0.8) / 8 = 0.35, below it are 5/6 x (5 - 3 + 0.8) / 7 + 1/6 x 0.8 / 3 =
	// 0.378. a expects (10 - 6 + 0.8) / 12 = 0.4, below a are 0.367.
	got, err = prune.MinimumErrorM(grown, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 7 || got.Kind(1) != tree.Leaf || got.Kind(2) != tree.Numeric ||
		got.Kind(3) != tree.Numeric {
		t.Errorf("m = 2: nodes %v", got.Nodes)
	}
}

// TestEmptyLeaf: a leaf that no training row reached predicts like its parent and costs nothing.
func TestEmptyLeaf(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, true)
	b.Split(0, tree.Split{Kind: tree.ByCode, Arity: 3})
	for n, counts := range [][]float64{{30, 20}, {30, 0}, {30, 20}, {0, 20}} {
		b.SetValue(int32(n), counts)
		weight := counts[0] + counts[1]
		if n == 2 {
			weight = 0
		}
		b.SetStats(int32(n), int(weight), weight, 0)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	cost, err := prune.TrainingError(grown)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cost, []float64{0.4, 0, 0, 0}) {
		t.Errorf("costs %v", cost)
	}
	for name, method := range map[string]func(*tree.Tree) (*tree.Tree, error){
		"pessimistic": func(t *tree.Tree) (*tree.Tree, error) { return prune.Pessimistic(t, 0.25) },
		"1987":        prune.Pessimistic1987, "minimum": prune.MinimumError, "useless": prune.CollapseUseless,
	} {
		if got, err := method(grown); err != nil || got.Len() != 4 {
			t.Errorf("%s: %d nodes, error %v", name, got.Len(), err)
		}
	}
}

// TestAddedErrorsBounds: the estimate lies between the observed errors and all rows, and falls as
// the confidence rises.
func TestAddedErrorsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float64Range(1, 1e6).Draw(t, "n")
		e := rapid.Float64Range(0, n).Draw(t, "e")
		low, high := rapid.Float64Range(1e-6, 0.5).Draw(t, "cf"),
			rapid.Float64Range(1e-6, 0.5).Draw(t, "cf")
		if low > high {
			low, high = high, low
		}
		more, less := prune.AddedErrors(n, e, low), prune.AddedErrors(n, e, high)
		rounding := 1e-9 * n
		if less < -rounding || more < less-rounding || e+more > n+rounding {
			t.Fatalf("n %v, e %v: %v added at %v, %v at %v", n, e, more, low, less, high)
		}
	})
}

// TestMaxLeaves: the result is the first tree of the path that is small enough.
func TestMaxLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown := randomTree(t, 20)
		cost, err := prune.Impurity(grown)
		if err != nil {
			t.Fatal(err)
		}
		k := rapid.IntRange(1, 21).Draw(t, "leaves")
		got, err := prune.MaxLeaves(grown, cost, nil, k)
		if err != nil {
			t.Fatal(err)
		}
		largest := 0
		for _, s := range prune.NewPath(grown, cost, nil).Steps {
			if s.Leaves <= k {
				largest = max(largest, s.Leaves)
			}
		}
		if got.NumLeaves() != largest {
			t.Fatalf("%d leaves, the largest of the path up to %d has %d", got.NumLeaves(),
				k, largest)
		}
	})
}

// TestRefused: wrong numbers and trees that a method cannot prune.
func TestRefused(t *testing.T) {
	classes := byHand(t, node{counts: []float64{1, 2}})
	numbers, err := tree.NewBuilder(tree.Scalar, 1, true).Build()
	if err != nil {
		t.Fatal(err)
	}
	bare := byHand(t,
		node{[]float64{1, 2}, []node{{counts: []float64{1, 0}}, {counts: []float64{0, 2}}}})
	bare.Leaf.Slot, bare.Leaf.Value = []int32{-1, 0, 1}, bare.Leaf.Value[2:]
	for name, method := range map[string]func(*tree.Tree) (*tree.Tree, error){
		"pessimistic": func(t *tree.Tree) (*tree.Tree, error) { return prune.Pessimistic(t, 0.25) },
		"raise":       func(t *tree.Tree) (*tree.Tree, error) { return prune.PessimisticRaise(t, 0.25, prune.Training{}) },
		"minimum m":   func(t *tree.Tree) (*tree.Tree, error) { return prune.MinimumErrorM(t, 2) },
		"1987":        prune.Pessimistic1987, "minimum": prune.MinimumError, "useless": prune.CollapseUseless,
	} {
		if _, err := method(numbers); !errors.Is(err, prune.ErrNotClasses) {
			t.Errorf("%s: error %v, want ErrNotClasses", name, err)
		}
		if _, err := method(bare); !errors.Is(err, prune.ErrNoStats) {
			t.Errorf("%s: error %v, want ErrNoStats", name, err)
		}
	}
	for _, cf := range []float64{0, -1, 0.51, math.NaN(), math.Inf(1)} {
		if _, err := prune.Pessimistic(classes, cf); err == nil ||
			!strings.Contains(err.Error(), "must be above 0 and at most 0.5") {
			t.Errorf("confidence %v: error %v", cf, err)
		}
	}
	for _, m := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := prune.MinimumErrorM(classes, m); err == nil ||
			!strings.Contains(err.Error(), "must be a number from 0 up") {
			t.Errorf("m %v: error %v", m, err)
		}
	}
	if _, err := prune.MaxLeaves(classes, []float64{0}, nil, 0); err == nil {
		t.Error("a tree without leaves was made")
	}
	for want, rows := range map[string]prune.Training{
		"unequal length":                {Rows: []int32{0}},
		"class 2 of a training row":     {Rows: []int32{0}, Class: []uint32{2}},
		"rows of class 1 weigh 1, the":  {Rows: []int32{0, 1}, Class: []uint32{0, 1}},
		"rows of class 0 weigh 0.5, th": {Rows: []int32{0, 1, 2}, Class: []uint32{0, 1, 1}, Weight: []float64{0.5, 1, 1}},
	} {
		if _, err := prune.PessimisticRaise(classes, 0.25, rows); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

package prune_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// handmade builds a tree of split points at 0.5 from the column of each inner node, -1 for leaves,
// breadth first, with the class weights of all nodes.
func handmade(t *testing.T, column []int32, counts [][]float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, true)
	for n, c := range counts {
		if column[n] >= 0 {
			b.Split(int32(n), tree.Split{Kind: tree.Numeric, Feature: column[n], SplitPoint: 0.5})
		}
		b.SetValue(int32(n), c)
		b.SetStats(int32(n), int(c[0]+c[1]), c[0]+c[1], 0)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// twenty returns 20 rows of alternating class: column 0 is 0 for the first few rows, else 1,
// columns 1 and 2 are the class.
func twenty(few int) prune.Training {
	rows := prune.Training{Rows: data.AllRows(20), Columns: make([]data.Column, 3),
		Impurity: entropy}
	for i := range 20 {
		first, class := 1.0, i%2
		if i < few {
			first = 0
		}
		for c, x := range []float64{first, float64(class), float64(class)} {
			rows.Columns[c] = data.Numbers(append(rows.Columns[c].Numbers(), x))
		}
		rows.Class = append(rows.Class, uint32(class))
	}
	return rows
}

// TestRaiseByHand: the root splits 2 rows from 18, which column 1 splits into 9 of each class; it
// would split the 2 as well.
//
//	below   1 + 0.791 of the 2 rows, and 9 (1 - 0.25^(1/9)) = 1.285 of each 9: 4.361
//	leaf    10 + 1.9
//	branch  10 (1 - 0.25^(1/10)) = 1.294 of each 10: 2.589
//
// So the split of column 1 takes the root's place.
func TestRaiseByHand(t *testing.T) {
	rows := twenty(2)
	grown := handmade(t, []int32{0, -1, 1, -1, -1},
		[][]float64{{10, 10}, {1, 1}, {9, 9}, {9, 0}, {0, 9}})
	got, err := prune.PessimisticRaise(grown, 0.25, rows)
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 3 || got.Feature(0) != 1 ||
		!slices.Equal(got.Leaf.Value, []float64{10, 10, 10, 0, 0, 10}) {
		t.Fatalf("nodes %v, values %v", got.Nodes, got.Leaf.Value)
	}
	want := &tree.NodeStats{Rows: []uint32{20, 10, 10}, Weight: []float64{20, 10, 10},
		Impurity: []float64{1, 0, 0}, Gain: []float64{20, 0, 0}}
	if !reflect.DeepEqual(got.Stats, want) {
		t.Errorf("statistics %+v", got.Stats)
	}
	flat, err := prune.Pessimistic(grown, 0.25)
	if err != nil || flat.Len() != 5 {
		t.Errorf("without raising %d nodes, error %v", flat.Len(), err)
	}
}

// TestRaiseTwice: rows that stand for two each weigh twice as much.
func TestRaiseTwice(t *testing.T) {
	rows := twenty(2)
	rows.Count, rows.Weight = slices.Repeat([]uint32{2}, 20), slices.Repeat([]float64{2}, 20)
	grown := handmade(t, []int32{0, -1, 1, -1, -1},
		[][]float64{{20, 20}, {2, 2}, {18, 18}, {18, 0}, {0, 18}})
	got, err := prune.PessimisticRaise(grown, 0.25, rows)
	if err != nil || got.Len() != 3 || got.Stats.Rows[1] != 20 || got.Stats.Weight[1] != 20 {
		t.Errorf("statistics %+v, error %v", got.Stats, err)
	}
}

// TestRaiseLast: of two children of equal weight, each of which could take the root's place, the
// last does.
func TestRaiseLast(t *testing.T) {
	grown := handmade(t, []int32{0, 1, 2, -1, -1, -1, -1},
		[][]float64{{10, 10}, {5, 5}, {5, 5}, {5, 0}, {0, 5}, {5, 0}, {0, 5}})
	got, err := prune.PessimisticRaise(grown, 0.25, twenty(10))
	if err != nil || got.Len() != 3 || got.Feature(0) != 2 {
		t.Errorf("nodes %v, error %v", got.Nodes, err)
	}
}

// TestRaise: what a pruned tree predicts of its rows is true, and no rule requests another change.
// Each change that was made added no more than 0.1 to the estimate of its errors.
func TestRaise(t *testing.T) {
	raised := 0
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 12)
		got, err := prune.PessimisticRaise(grown, 0.25, rows)
		if err != nil {
			t.Fatal(err)
		}
		again, err := prune.PessimisticRaise(got, 0.25, rows)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again, got) {
			t.Fatalf("%d nodes, pruned again %d", got.Len(), again.Len())
		}
		before, after := estimate(grown, rows, 0.25), estimate(got, rows, 0.25)
		if gone := float64(grown.Len() - got.Len()); after > before+0.1001*gone+1e-9 {
			t.Fatalf("%v errors to expect after %v nodes went, before %v", after, gone, before)
		}
		flat, err := prune.Pessimistic(grown, 0.25)
		if err != nil {
			t.Fatal(err)
		}
		if !sameShape(flat, got) {
			raised++
		}
		same, err := prune.Collapse(grown, make([]bool, grown.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if got.Len() == same.Len() && !reflect.DeepEqual(got, same) {
			t.Fatal("no node went, yet the tree is another")
		}
		checkFit(t, got, rows)
		checkDone(t, got, rows)
	})
	t.Logf("raising changed %d trees", raised)
	if raised == 0 && !testing.Short() { // a fifth of the trees need not have one to raise
		t.Error("no tree was changed by raising")
	}
}

// checkDone makes both changes at every inner node of a pruned tree and estimates the errors of the
// whole: more than 0.1 must be added, to those of the tree itself or, for a leaf, to those with the
// heaviest child in its place.
func checkDone(t *rapid.T, got *tree.Tree, rows prune.Training) {
	const bonus = 0.1 + 0.9e-6
	now := estimate(got, rows, 0.25)
	for n := range int32(got.Len()) {
		if got.Kind(n) == tree.Leaf {
			continue
		}
		pruned, err := prune.Collapse(got, oneStop(got, n))
		if err != nil {
			t.Fatal(err)
		}
		leaf, branch := estimate(pruned, rows, 0.25),
			estimate(refit(t, raise(t, got, n), rows, true), rows, 0.25)
		if leaf <= min(now, branch)+bonus {
			t.Fatalf("node %d: %v errors to expect as a leaf, %v now, %v with a branch raised", n,
				leaf, now, branch)
		}
		if branch <= now+bonus {
			t.Fatalf("node %d: %v errors to expect with a branch raised, %v now", n, branch, now)
		}
	}
}

// raise returns the tree with node n replaced by its child of greatest weight, of equal ones the
// last.
func raise(t *rapid.T, from *tree.Tree, n int32) *tree.Tree {
	b := tree.NewBuilder(from.Leaf.Kind, from.Leaf.Width, false)
	var add func(m, at int32, fraction float64)
	add = func(m, at int32, fraction float64) {
		if at == n {
			heaviest := from.Child(n)
			for c := heaviest; c < from.Child(n)+from.Arity(n); c++ {
				if from.Stats.Weight[c] >= from.Stats.Weight[heaviest]-1e-6 {
					heaviest = c
				}
			}
			at = heaviest
		}
		b.SetFraction(m, fraction)
		if from.Kind(at) == tree.Leaf {
			return
		}
		first := b.Split(m, from.SplitOf(at))
		for c := range from.Arity(at) {
			add(first+c, from.Child(at)+c, from.Fraction[from.Child(at)+c])
		}
	}
	add(0, 0, 1)
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// checkFit compares values, statistics and fractions with what a tree fitted to the rows has.
// Fractions count where they divide rows; elsewhere the pruned tree keeps those it was grown with.
func checkFit(t *rapid.T, got *tree.Tree, rows prune.Training) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	reach, _ := arrived(got, rows)
	for n := range int32(got.Len()) {
		weight, _ := mistakes(reach[n], 0)
		if !near(got.Stats.Weight[n], weight) {
			t.Fatalf("node %d: weight %v, its rows weigh %v", n, got.Stats.Weight[n], weight)
		}
		if weight == 0 {
			continue
		}
		for k, w := range reach[n] {
			if !near(got.Value(n)[k], w) {
				t.Fatalf("node %d: value %v, its rows weigh %v", n, got.Value(n), reach[n])
			}
		}
		var impurity [1]float64
		if entropy(impurity[:],
			reach[n]); math.Abs(got.Stats.Impurity[n]*weight-impurity[0]) > 1e-9*max(1, weight) {
			t.Fatalf("node %d: impurity %v x %v, its rows have %v", n, got.Stats.Impurity[n],
				weight, impurity[0])
		}
		if got.Kind(n) != tree.Leaf && got.Missing(n) == tree.MissingFractional {
			checkFractions(t, got, n, rows)
		}
	}
}

// checkFractions: the fractions of a node's children are those of the weight of the rows with a
// known value.
func checkFractions(t *rapid.T, got *tree.Tree, n int32, rows prune.Training) {
	known, to := 0.0, make([]float64, got.Arity(n))
	for i, row := range rows.Rows {
		w := 1.0
		if rows.Weight != nil {
			w = rows.Weight[i]
		}
		got.Over(rows.Columns).Visit(row, func(m int32, fraction float64, _ bool) {
			if m != n {
				return
			}
			if c := got.Over(rows.Columns).Next(n, row); c >= 0 {
				to[c-got.Child(n)] += w * fraction
				known += w * fraction
			}
		})
	}
	for c, w := range to {
		want := 1 / float64(len(to))
		if known > 0 {
			want = w / known
		}
		if math.Abs(got.Fraction[int(got.Child(n))+c]-want) > 1e-9 {
			t.Fatalf("node %d: fraction %v of child %d, its rows make it %v", n,
				got.Fraction[int(got.Child(n))+c], c, want)
		}
	}
}

// estimate returns the errors to expect of a tree: those of each set of rows that ends at one node.
func estimate(t *tree.Tree, rows prune.Training, cf float64) float64 {
	reach, end := arrived(t, rows)
	sum := 0.0
	for n := range end {
		if total, wrong := mistakes(end[n], majority(reach[n])); total > 1e-6 {
			sum += wrong + prune.AddedErrors(total, wrong, cf)
		}
	}
	return sum
}

package prune_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// validation returns, for rows that a tree was not grown on, the errors of every node as the
// prediction for those that reach it, and for those that end there.
func validation(t *tree.Tree, rows prune.Training) (cost, ended []float64) {
	reach, end := arrived(t, rows)
	cost, ended = make([]float64, t.Len()), make([]float64, t.Len())
	for n := range cost {
		answer := majority(t.Value(int32(n)))
		_, cost[n] = mistakes(reach[n], answer)
		_, ended[n] = mistakes(end[n], answer)
	}
	return cost, ended
}

// prunings calls f with the stops of every subtree that has the root.
func prunings(t *tree.Tree, f func(stop []bool)) {
	var inner []int
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		if k != tree.Leaf {
			inner = append(inner, int(n))
		}
	}
	for choice := range 1 << len(inner) {
		stop := make([]bool, t.Len())
		for i, n := range inner {
			stop[n] = choice>>i&1 == 1
		}
		f(stop)
	}
}

// TestReducedErrorOfRows tries every pruning of trees of all kinds of nodes and missing rules, with
// several children and rows that are divided or end early: none makes fewer errors on the
// validation rows, and none that makes as few is smaller.
func TestReducedErrorOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grown, rows := randomGrown(t, 5)
		slices.Reverse(rows.Class) // other labels than those it was grown on
		cost, ended := validation(grown, rows)
		got, err := prune.ReducedError(grown, cost, ended)
		if err != nil {
			t.Fatal(err)
		}
		errors := func(t *tree.Tree) (sum float64) {
			_, ended := validation(t, rows)
			for _, e := range ended {
				sum += e
			}
			return sum
		}
		least := errors(got)
		prunings(grown, func(stop []bool) {
			other, err := prune.Collapse(grown, stop)
			if err != nil {
				t.Fatal(err)
			}
			if e := errors(other); e < least-1e-9 {
				t.Fatalf("%d nodes make %v errors, %d nodes only %v", got.Len(), least,
					other.Len(), e)
			} else if e < least+1e-9 && other.Len() < got.Len() {
				t.Fatalf("%d nodes make %v errors, %d nodes too", got.Len(), least, other.Len())
			}
		})
	})
}

// TestReducedErrorByHand: three children by code, and a row of unknown code divided among them by
// the fractions 1/2, 1/4, 1/4.
//
//	validation rows   2 of code 0, class 0;  1 of code 1, class 0;  1 unknown, class 1
//	as a leaf         class 0: the unknown row is wrong, 1
//	split             leaves are 0, 1, 1: the row of code 1 is wrong, and 1/2 of the unknown one, 1.5
//
// So the split goes; without the row of code 1 it would stay. Costs that differ by rounding only
// are the same.
func TestReducedErrorByHand(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.Split(0, tree.Split{Kind: tree.ByCode, Arity: 3, Missing: tree.MissingFractional})
	for n, counts := range [][]float64{{5, 3}, {4, 0}, {1, 1.5}, {0, 1.5}} {
		b.SetValue(int32(n), counts)
		b.SetFraction(int32(n), []float64{1, 0.5, 0.25, 0.25}[n])
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cost  []float64
		nodes int
	}{{[]float64{1, 0.5, 1, 0}, 1}, {[]float64{1, 0.5, 0, 0}, 4},
		{[]float64{math.Nextafter(1, 2), 0.5, 0.5, 0}, 1}} {
		if got, err := prune.ReducedError(grown, c.cost, nil); err != nil || got.Len() != c.nodes {
			t.Errorf("costs %v: %d nodes, want %d; error %v", c.cost, got.Len(), c.nodes, err)
		}
	}
}

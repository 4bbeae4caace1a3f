package tree_test

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// TestGraft: a tree grown by subtrees is the tree grown at once, its sets, fractions, directions
// and statistics included.
func TestGraft(t *testing.T) {
	value := func(b *tree.Builder, n int32, v float64) {
		b.SetValue(n, []float64{v})
		b.SetStats(n, int(v), v, v/2)
	}
	// subtree grows four nodes below n: a set above a direction.
	subtree := func(b *tree.Builder, n int32) {
		c := b.Split(n, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{5},
			Missing: tree.MissingMajority, Gain: 3})
		b.SetFraction(c, 0.25)
		b.SetFraction(c+1, 0.75)
		value(b, c, 7)
		value(b, c+1, 8)
		d := b.Split(c+1,
			tree.Split{Kind: tree.Oblique,
				Direction:  []tree.Term{{Feature: 0, Coef: 1}, {Feature: 2, Coef: -1}},
				SplitPoint: 2, Missing: tree.MissingLast})
		b.SetFraction(d, 0.5)
		b.SetFraction(d+1, 0.5)
		value(b, d, 9)
		value(b, d+1, 10)
	}
	whole, parts := tree.NewBuilder(tree.Scalar, 1, true), tree.NewBuilder(tree.Scalar, 1, true)
	for _, b := range []*tree.Builder{whole, parts} {
		value(b, 0, 20)
		c := b.Split(0, tree.Split{Kind: tree.SetLast, Feature: 1, Set: []uint64{2, 1},
			Missing: tree.MissingMajority, Gain: 5})
		b.SetFraction(c, 0.5)
		b.SetFraction(c+1, 0.5)
		value(b, c, 1)
		value(b, c+1, 2)
	}
	for _, n := range []int32{2, 1} {
		subtree(whole, n)
		separate := tree.NewBuilder(tree.Scalar, 1, true)
		value(separate, 0, float64(n))
		subtree(separate, 0)
		parts.Graft(n, separate)
	}
	want, err := whole.Build()
	if err != nil {
		t.Fatal(err)
	}
	got, err := parts.Build()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

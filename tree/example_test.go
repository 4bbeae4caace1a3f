package tree_test

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

func ExampleTree_Over() {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 20})
	b.SetValue(first, []float64{5})
	b.SetValue(first+1, []float64{12})
	t, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	degrees := []float64{18, 25, 20}
	walk := t.Over([]data.Column{data.Numbers(degrees)})
	for row, x := range degrees {
		leaf := walk.LeafOf(int32(row))
		fmt.Println(x, "degrees: leaf", leaf, "of", t.Value(leaf)[0], "rides")
	}
	// Output:
	// 18 degrees: leaf 1 of 5 rides
	// 25 degrees: leaf 2 of 12 rides
	// 20 degrees: leaf 1 of 5 rides
}

package draw_test

import (
	"fmt"
	"os"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/draw"
)

func Example() {
	b := tree.NewBuilder(tree.Counts, 2, true)
	b.SetValue(0, []float64{9, 5})
	b.SetStats(0, 14, 14, 0.4592)
	first := b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: 0, Set: []uint64{0b010}})
	b.SetValue(first, []float64{4, 0})
	b.SetStats(first, 4, 4, 0)
	b.SetValue(first+1, []float64{5, 5})
	b.SetStats(first+1, 10, 10, 0.5)
	t, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	outlook := data.Field{Name: "outlook", Kind: data.Categorical, Levels: []string{"sunny", "overcast", "rain"}, Missing: data.Refuse}
	names := draw.Names{
		Schema: &data.Schema{Fields: []data.Field{outlook}}, Classes: []string{"yes", "no"}, Label: "play", Impurity: "gini",
	}
	if err := draw.Text(os.Stdout, t, names, draw.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println("The last branch:", draw.Condition(t, 0, first+1, names))
	// Output:
	//                         rows  fraction    play  yes  no    gini
	// all rows                  14    100.0%    yes     9   5  0.4592
	// ├─ outlook = overcast      4     28.6%  → yes     4   0  0.0000
	// └─ outlook != overcast    10     71.4%  → yes     5   5  0.5000
	// The last branch: outlook != overcast
}

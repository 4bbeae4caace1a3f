package boost

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// The round and the output of a tree follow from its place, and from the outputs of the trees.
func TestPlacesOfTrees(t *testing.T) {
	trees := make([]*tree.Tree, 6)
	for i := range trees {
		trees[i] = &tree.Tree{}
	}
	for _, c := range []struct {
		what           string
		outputs        int
		output         []int32
		round, output5 int // of tree 5
		two            int // trees of two rounds
	}{
		{"one output", 1, nil, 5, 0, 2}, {"one output by name", 1, []int32{0, 0, 0, 0, 0, 0}, 5, 0, 2},
		{"trees of all", 3, nil, 5, allOutputs, 2}, {"trees of all by name", 3, slices.Repeat([]int32{-1}, 6), 5, allOutputs, 2},
		{"three outputs", 3, []int32{0, 1, 2, 0, 1, 2}, 1, 2, 6}, {"two outputs", 2, []int32{0, 1, 0, 1, 0, 1}, 2, 1, 4},
		{"of all among others", 3, []int32{0, 1, 2, -1, -1, -1}, 5, allOutputs, 6},
	} {
		m := &model.Ensemble{Bias: make([]float64, c.outputs), Output: c.output, Trees: trees,
			Weights: []float64{1, 2, 3, 4, 5, 6}, Best: 3, State: []byte{1}}
		if round, output := PlaceOf(m, 5); round != c.round || output != c.output5 {
			t.Errorf("%s: tree 5 is of round %d, output %d, want %d, %d", c.what, round, output, c.round, c.output5)
		}
		if round, output := PlaceOf(m, 0); round != 0 || output != min(0, c.output5) && c.what != "of all among others" {
			t.Errorf("%s: tree 0 is of round %d, output %d", c.what, round, output)
		}
		first := FirstRounds(m, 2)
		if len(first.Trees) != c.two || c.output != nil && !slices.Equal(first.Output, c.output[:c.two]) ||
			c.output == nil && first.Output != nil || !slices.Equal(first.Weights, m.Weights[:c.two]) ||
			first.Best != 0 || first.State != nil || len(m.Trees) != 6 || m.Best != 3 {
			t.Errorf("%s: two rounds are %+v", c.what, first)
		}
		m.Weights = nil
		if first := FirstRounds(m, 1); first.Weights != nil || len(first.Trees) != c.two/2 {
			t.Errorf("%s: one round is %+v", c.what, first)
		}
	}
}

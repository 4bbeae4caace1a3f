package boost

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
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

// The candidates of a node are those of the rows, derivatives and columns that the next round has:
// the split that this then makes is the best of its column.
func TestCandidatesOfTheNextRound(t *testing.T) {
	train, valid := halves(200)
	for what, change := range map[string]func(c *Config){
		"plain":        func(*Config) {},
		"some rows":    func(c *Config) { c.Fraction = 0.6 },
		"columns":      func(c *Config) { c.Engine.ColumnsByTree = 0.5 },
		"by weight":    func(c *Config) { c.ByWeight = true },
		"multi-output": func(c *Config) { c.MultiOutput = true },
	} {
		for _, ds := range []*data.Dataset{orderedTable(t, 200), classesTable(t, 200)} {
			for _, job := range []learn.Job{{Seed: 3, Workers: 1}, {Seed: 4, Workers: 1, Rows: train, Valid: valid}} {
				begin := func() *Training {
					return begun(t, ds, job, func(c *Config) {
						c.Trees, c.Engine.Leaves, c.Engine.MinLeaf = 3, 4, 5
						change(c)
					})
				}
				whole, before := begin(), begin()
				for n := range 3 {
					if _, err := whole.round(t.Context()); err != nil {
						t.Fatal(err)
					}
					if n < 2 {
						if _, err := before.round(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
				}
				m := whole.ensemble.model
				at := learn.TreeNode{Tree: len(m.Trees) - 1}
				round, output := PlaceOf(m, at.Tree)
				grown := m.Trees[at.Tree]
				for node := range int32(grown.Len()) {
					if at.Node = node; grown.Arity(node) != 2 {
						continue
					}
					c, err := before.Candidates(m, at, round, output, []string{"a note"})
					if err != nil {
						t.Fatal(err)
					}
					chosen := 0
					for _, one := range c.Columns[grown.Feature(node)] {
						if !one.Chosen {
							continue
						}
						chosen++
						if !one.Best || one.SplitPoint != grown.SplitPoint(node) || math.Abs(one.Gain-grown.Stats.Gain[node]) > 1e-6*one.Gain ||
							one.Branches[0].Rows != int(grown.Stats.Rows[grown.Child(node)]) {
							t.Errorf("%s, node %d: %+v was chosen, of gain %v", what, node, one, grown.Stats.Gain[node])
						}
					}
					if chosen != 1 || c.Best != int(grown.Feature(node)) || c.Whole.Rows != int(grown.Stats.Rows[node]) ||
						c.Notes[len(c.Notes)-1] != "a note" {
						t.Errorf("%s, node %d of %d rows: %d chosen, column %d of %d rows, notes %v", what, node,
							grown.Stats.Rows[node], chosen, c.Best, c.Whole.Rows, c.Notes)
					}
				}
			}
		}
	}
}

package engine

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// A survey is used for just the nodes that it was made of.
func TestSurveysOfNodes(t *testing.T) {
	kept, other := treetest.Large(101, 5, 1), treetest.Large(101, 5, 2)
	// A survey with another feature shows that it is used.
	surveys := Surveys{&kept.Nodes[0]: {nodes: len(kept.Nodes), features: []uint32{8}}}
	shorter := *kept
	shorter.Nodes = kept.Nodes[:1]
	for name, c := range map[string]struct {
		tree *tree.Tree
		want []int32
	}{
		"kept":    {kept, []int32{7}},
		"other":   {other, []int32{0, 1, 2, 3, 4}},
		"shorter": {&shorter, columnsOf(&shorter)},
	} {
		p := Compile(Source{Trees: []*tree.Tree{c.tree}, Outputs: 1, Surveys: surveys})
		if !slices.Equal(p.Columns(), c.want) {
			t.Errorf("%s: columns %v, want %v", name, p.Columns(), c.want)
		}
	}
}

func columnsOf(t *tree.Tree) []int32 {
	return Compile(Source{Trees: []*tree.Tree{t}, Outputs: 1}).Columns()
}

// One surveyor finds the features of each tree, and not those of the trees before it.
func TestSurveyorForgets(t *testing.T) {
	var v Surveyor
	v.SurveyValid(treetest.Large(301, 9, 1))
	few := treetest.Large(301, 2, 2)
	s := v.SurveyValid(few)
	got := slices.Sorted(slices.Values(s.Features()))
	if want := []uint32{0, 1, 2}; !slices.Equal(got, want) || !s.Plain() {
		t.Errorf("features %v, plain %v, want %v of a plain tree", got, s.Plain(), want)
	}
}

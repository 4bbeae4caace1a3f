package forest

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// finish makes the tree that the forest keeps of one that was grown: in its compact form, and for votes with a one for the
// class of a leaf in place of what it counted.
func (j *job) finish(t *tree.Tree) *tree.Tree {
	if !j.votes {
		return t.Compact()
	}
	voting := *t
	k := t.Leaf.Width
	voting.Leaf.Kind, voting.Leaf.Value = tree.Vector, make([]float64, len(t.Leaf.Value))
	for n := range t.Len() {
		voting.Leaf.Value[n*k+model.ArgMax(t.Value(int32(n)))] = 1
	}
	return voting.Compact()
}

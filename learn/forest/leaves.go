package forest

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// finish makes the tree that the forest keeps of one that was grown: without statistics, and of classes with what its leaves
// say in place of what they counted.
func (j *job) finish(t *tree.Tree) *tree.Tree {
	kept := *t
	kept.Stats = nil
	if t.Leaf.Kind == tree.Scalar {
		return &kept
	}
	k := t.Leaf.Width
	kept.Leaf.Kind, kept.Leaf.Value = tree.Vector, make([]float64, len(t.Leaf.Value))
	for n := range t.Len() {
		if t.Kind(int32(n)) != tree.Leaf {
			continue
		}
		said, counted := kept.Leaf.Value[n*k:(n+1)*k], t.Leaf.Value[n*k:(n+1)*k]
		if j.votes {
			said[model.ArgMax(counted)] = 1
		} else {
			tree.Shares(said, counted)
		}
	}
	return &kept
}

package forest

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// finish makes the tree that the forest keeps of one that was grown: in its compact form, and for
// votes with a one for the class of a leaf in place of what it counted.
func (j *job) finish(t *tree.Tree) *tree.Tree {
	if !j.votes {
		return t.Compact()
	}
	return t.Votes(model.ArgMax)
}

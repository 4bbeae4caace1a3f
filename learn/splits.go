package learn

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TreeNode is a node of one tree of a model, with what its training was given.
type TreeNode struct {
	Tree int   // place in Ensemble.Trees
	Node int32 // an inner node or a leaf
	// frame rows that the model was trained on, as Job.Rows; nil = all
	Rows []int32
	Seed uint64 // as Job.Seed, for models that do not store it
}

// SplitLister is a learner that lists the splits which it tries at a node of a tree. With the
// parameters, rows and seed of the training, the best candidate is the split that the tree has,
// unless a limit of the tree or pruning forbids it. catalog.Candidates finds the learner of a
// model.
type SplitLister interface {
	Learner
	// Candidates lists the splits of a node of m, which the learner trained with its parameters.
	// The columns of ds are those of m, in its order. It fails if no row reaches the node.
	Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
		at TreeNode) (*tree.Candidates, error)
}

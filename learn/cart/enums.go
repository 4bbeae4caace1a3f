package cart

import "github.com/coppice-ml/coppice/param"

// Growth is which node of a tree is split next.
type Growth = param.Enum[growthNames]

// The orders.
const (
	// best-first if the number of leaves is limited, else depth-first
	GrowthAuto Growth = iota
	// the left child, and all below it, before the right one
	GrowthDepthFirst
	// the node whose split decreases the impurity most
	GrowthBestFirst
)

type growthNames struct{}

func (growthNames) Enum() (string, []string) {
	return "growth", []string{"auto", "depth-first", "best-first"}
}

// PruneBy is the cost of a subtree in the cost-complexity path.
type PruneBy = param.Enum[pruneByNames]

// The costs. Regression has the same for both.
const (
	// the error on the training set, as rpart
	PruneByError PruneBy = iota
	// the impurity of the leaves, as scikit-learn
	PruneByImpurity
)

type pruneByNames struct{}

func (pruneByNames) Enum() (string, []string) { return "prune_by", []string{"error", "impurity"} }

// Missing is where rows go that have no value in the column of a node.
type Missing = param.Enum[missingNames]

// The rules: see missingRules.
const (
	// with the child that makes the better split, or separate from all known values
	MissingLearned Missing = iota
	// with the child of more known weight
	MissingMajority
	// where surrogate splits send them, else as Majority (Breiman et al. 1984)
	MissingSurrogate
	// where surrogate splits send them, else no further
	MissingSurrogateStop
	// no further: the node predicts
	MissingStop
	// to every child in fractions, by known weight (Quinlan 1993)
	MissingFractional
)

type missingNames struct{}

func (missingNames) Enum() (string, []string) {
	return "missing", []string{"learned", "majority", "surrogate", "surrogate-stop", "stop",
		"fractional"}
}

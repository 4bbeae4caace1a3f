package cart

import "github.com/coppice-ml/coppice/param"

// Growth is which node of a tree is split next.
type Growth uint8

// The orders.
const (
	// best-first if the number of leaves is limited, else depth-first
	GrowthAuto Growth = iota
	// the left child, and all below it, before the right one
	GrowthDepthFirst
	// the node whose split decreases the impurity most
	GrowthBestFirst
)

var growthNames = []string{"auto", "depth-first", "best-first"}

// String returns the name of the value, as the parameter growth has it.
func (g Growth) String() string { return param.EnumName(growthNames, g) }

// MarshalText writes the value by its name.
func (g Growth) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (g *Growth) UnmarshalText(text []byte) (err error) {
	*g, err = param.ParseEnum[Growth]("growth", growthNames, text)
	return err
}

// PruneBy is the cost of a subtree in the cost-complexity path.
type PruneBy uint8

// The costs. Regression has the same for both.
const (
	// the error on the training set, as rpart
	PruneByError PruneBy = iota
	// the impurity of the leaves, as scikit-learn
	PruneByImpurity
)

var pruneByNames = []string{"error", "impurity"}

// String returns the name of the value, as the parameter prune_by has it.
func (p PruneBy) String() string { return param.EnumName(pruneByNames, p) }

// MarshalText writes the value by its name.
func (p PruneBy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *PruneBy) UnmarshalText(text []byte) (err error) {
	*p, err = param.ParseEnum[PruneBy]("prune_by", pruneByNames, text)
	return err
}

// Missing is where rows go that have no value in the column of a node.
type Missing uint8

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

var missingNames = []string{"learned", "majority", "surrogate", "surrogate-stop", "stop",
	"fractional"}

// String returns the name of the value, as the parameter missing has it.
func (m Missing) String() string { return param.EnumName(missingNames, m) }

// MarshalText writes the value by its name.
func (m Missing) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (m *Missing) UnmarshalText(text []byte) (err error) {
	*m, err = param.ParseEnum[Missing]("missing", missingNames, text)
	return err
}

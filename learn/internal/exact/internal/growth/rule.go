package growth

import "github.com/coppice-ml/coppice/tree"

// Rule is where the rows of a node go that have no value in the column of its split.
type Rule uint8

// The rules for missing values.
const (
	// Learned tries each side for the rows without a value, and separates them from the others; the
	// best split wins.
	Learned Rule = iota

	// The other rules judge splits on the rows with a value. They differ in where those without one
	// go.

	Majority // with the heavier child
	// to every child, each with that fraction of the row which is the child's of the known weight
	Fractional
	// where the first surrogate split that has a value sends them, else with the heavier child
	Surrogate
	// where the first surrogate split that has a value sends them, else nowhere: they stop at the
	// node
	SurrogateStop
	Stop // nowhere: they stop at the node
)

// Node is what the rule is called in trees. Learned is not one of them.
func (m Rule) Node() tree.Missing {
	switch m {
	case Fractional:
		return tree.MissingFractional
	case Surrogate:
		return tree.MissingSurrogate
	case SurrogateStop, Stop:
		return tree.MissingStop
	}
	return tree.MissingMajority
}

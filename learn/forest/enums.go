package forest

import "github.com/coppice-ml/coppice/param"

// Vote is what a tree predicts of classes.
type Vote = param.Enum[voteNames]

// The votes.
const (
	// its leaf's largest class, so that probabilities are fractions of votes (Breiman 2001)
	VoteMajority Vote = iota
	// its leaf's class probabilities, as scikit-learn
	VoteProbability
)

type voteNames struct{}

func (voteNames) Enum() (string, []string) { return "vote", []string{"majority", "probability"} }

// Missing is where rows go whose value is missing at a node.
type Missing = param.Enum[missingNames]

// The directions.
const (
	// with the child that makes the better split, found in training
	MissingLearned Missing = iota
	// with the child of more known weight
	MissingMajority
)

type missingNames struct{}

func (missingNames) Enum() (string, []string) { return "missing", []string{"learned", "majority"} }

// Prune is whether trees are pruned.
type Prune = param.Enum[pruneNames]

// The ways to prune.
const (
	// they are not
	PruneNone Prune = iota
	// each is pruned where that costs nothing on its out-of-bag rows (Quinlan 1987)
	PruneOutOfBag
)

type pruneNames struct{}

func (pruneNames) Enum() (string, []string) { return "prune", []string{"none", "oob"} }

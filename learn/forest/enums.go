package forest

import "github.com/coppice-ml/coppice/param"

// Vote is what a tree predicts of classes.
type Vote uint8

// The votes.
const (
	// its leaf's largest class, so that probabilities are fractions of votes (Breiman 2001)
	VoteMajority Vote = iota
	// its leaf's class probabilities, as scikit-learn
	VoteProbability
)

var voteNames = []string{"majority", "probability"}

// String returns the name of the value, as the parameter vote has it.
func (v Vote) String() string { return param.EnumName(voteNames, v) }

// MarshalText writes the value by its name.
func (v Vote) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (v *Vote) UnmarshalText(text []byte) (err error) {
	*v, err = param.ParseEnum[Vote]("vote", voteNames, text)
	return err
}

// Missing is where rows go whose value is missing at a node.
type Missing uint8

// The directions.
const (
	// with the child that makes the better split, found in training
	MissingLearned Missing = iota
	// with the child of more known weight
	MissingMajority
)

var missingNames = []string{"learned", "majority"}

// String returns the name of the value, as the parameter missing has it.
func (m Missing) String() string { return param.EnumName(missingNames, m) }

// MarshalText writes the value by its name.
func (m Missing) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (m *Missing) UnmarshalText(text []byte) (err error) {
	*m, err = param.ParseEnum[Missing]("missing", missingNames, text)
	return err
}

// Prune is whether trees are pruned.
type Prune uint8

// The ways to prune.
const (
	// they are not
	PruneNone Prune = iota
	// each is pruned where that costs nothing on its out-of-bag rows (Quinlan 1987)
	PruneOutOfBag
)

var pruneNames = []string{"none", "oob"}

// String returns the name of the value, as the parameter prune has it.
func (p Prune) String() string { return param.EnumName(pruneNames, p) }

// MarshalText writes the value by its name.
func (p Prune) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (p *Prune) UnmarshalText(text []byte) (err error) {
	*p, err = param.ParseEnum[Prune]("prune", pruneNames, text)
	return err
}

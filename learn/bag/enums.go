package bag

import "github.com/coppice-ml/coppice/param"

// Vote is how members make one prediction for classes. Numbers are averaged.
type Vote uint8

// The votes.
const (
	// the mean of their class probabilities
	VoteProbability Vote = iota
	// each member counts for one class
	VoteMajority
)

var voteNames = []string{"probability", "majority"}

// String returns the name of the value, as the parameter vote has it.
func (v Vote) String() string { return param.EnumName(voteNames, v) }

// MarshalText writes the value by its name.
func (v Vote) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (v *Vote) UnmarshalText(text []byte) (err error) {
	*v, err = param.ParseEnum[Vote]("vote", voteNames, text)
	return err
}

// Importance is the importances of columns in the summary.
type Importance uint8

// The importances.
const (
	// decrease of impurity by the column's splits, if the members are trees
	ImportanceImpurity Importance = iota
	// that, and the increase of a member's out-of-bag error when the column's values are permuted
	// (Breiman 2001)
	ImportancePermutation
)

var importanceNames = []string{"impurity", "permutation"}

// String returns the name of the value, as the parameter importance has it.
func (i Importance) String() string { return param.EnumName(importanceNames, i) }

// MarshalText writes the value by its name.
func (i Importance) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (i *Importance) UnmarshalText(text []byte) (err error) {
	*i, err = param.ParseEnum[Importance]("importance", importanceNames, text)
	return err
}

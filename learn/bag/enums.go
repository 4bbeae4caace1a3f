package bag

import "github.com/coppice-ml/coppice/param"

// Vote is how members make one prediction for classes. Numbers are averaged.
type Vote = param.Enum[voteNames]

// The votes.
const (
	// the mean of their class probabilities
	VoteProbability Vote = iota
	// each member counts for one class
	VoteMajority
)

type voteNames struct{}

func (voteNames) Enum() (string, []string) { return "vote", []string{"probability", "majority"} }

// Importance is the importances of columns in the summary.
type Importance = param.Enum[importanceNames]

// The importances.
const (
	// decrease of impurity by the column's splits, if the members are trees
	ImportanceImpurity Importance = iota
	// that, and the increase of a member's out-of-bag error when the column's values are permuted
	// (Breiman 2001)
	ImportancePermutation
)

type importanceNames struct{}

func (importanceNames) Enum() (string, []string) {
	return "importance", []string{"impurity", "permutation"}
}

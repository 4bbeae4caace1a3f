package vote

import "github.com/coppice-ml/coppice/param"

// Vote is how members make one prediction.
type Vote = param.Enum[voteNames]

// The votes.
const (
	// the mean of their class probabilities, or of their numbers
	VoteProbability Vote = iota
	// each member counts for one class
	VoteMajority
	// the mean rank of their predictions among those for rows that they were not trained on
	VoteRanks
)

type voteNames struct{}

func (voteNames) Enum() (string, []string) {
	return "vote", []string{"probability", "majority", "ranks"}
}

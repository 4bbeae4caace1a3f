package vote

import "github.com/coppice-ml/coppice/param"

// Vote is how members make one prediction.
type Vote uint8

// The votes.
const (
	// the mean of their class probabilities, or of their numbers
	VoteProbability Vote = iota
	// each member counts for one class
	VoteMajority
	// the mean rank of their predictions among those for rows that they were not trained on
	VoteRanks
)

var voteNames = []string{"probability", "majority", "ranks"}

// String returns the name of the value, as the parameter vote has it.
func (v Vote) String() string { return param.EnumName(voteNames, v) }

// MarshalText writes the value by its name.
func (v Vote) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (v *Vote) UnmarshalText(text []byte) (err error) {
	*v, err = param.ParseEnum[Vote]("vote", voteNames, text)
	return err
}

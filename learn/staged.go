package learn

// Staged is a Learner that trains in rounds: its models tell what was measured of them, and answer
// with their first rounds alone where model.Options.Rounds asks for that.
type Staged interface {
	Learner
	// InRounds reports whether Fit trains in rounds, with the parameters as they are.
	InRounds() bool
}

// InRounds reports whether a learner trains in rounds, with the parameters as they are.
func InRounds(l Learner) bool {
	s, ok := l.(Staged)
	return ok && s.InRounds()
}

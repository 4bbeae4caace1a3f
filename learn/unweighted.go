package learn

// Unweighted is a Learner that does not look at Target.Weight. Boosting draws its rows by weight
// instead.
type Unweighted interface {
	Learner
	// IgnoresWeights reports whether Fit looks at no weights, with the parameters as they are.
	IgnoresWeights() bool
}

// TakesWeights reports whether a learner looks at Target.Weight, with the parameters as they are.
func TakesWeights(l Learner) bool {
	u, ok := l.(Unweighted)
	return !ok || !u.IgnoresWeights()
}

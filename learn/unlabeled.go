package learn

import "fmt"

// Unlabeled is a Learner that looks at no label. Its models tell nothing of the labels of a target,
// so that it is no base, member or combiner of learners that do.
type Unlabeled interface {
	Learner
	// IgnoresLabels reports whether Fit looks at no label, with the parameters as they are.
	IgnoresLabels() bool
}

// checkLabelled refuses a learner, called by name, that looks at no label.
func checkLabelled(name string, l Learner) error {
	if u, ok := l.(Unlabeled); ok && u.IgnoresLabels() {
		return fmt.Errorf("%s looks at no label, so it can be no part of what predicts one: use a learner such as cart", name)
	}
	return nil
}

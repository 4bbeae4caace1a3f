package learn

// Validated is a Learner that may look at the validation part of a Job. Others take such a part and look at none of its rows.
type Validated interface {
	Learner
	// UsesValid reports whether Fit looks at Job.Valid, with the parameters as they are.
	UsesValid() bool
}

// UsesValid reports whether a learner looks at Job.Valid, with the parameters as they are.
func UsesValid(l Learner) bool {
	v, ok := l.(Validated)
	return ok && v.UsesValid()
}

// Consistent is a Learner whose parameters may exclude each other. Of others any that are in their ranges go together.
type Consistent interface {
	Learner
	// Consistent reports which parameters, as they are, do not go together, all of them at once.
	Consistent() error
}

// Started is a Learner that may start from the scores of a Target's Offset. Others do not look at them.
type Started interface {
	Learner
	// UsesStart reports whether Fit looks at Target.Offset, with the parameters as they are.
	UsesStart() bool
}

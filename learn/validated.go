package learn

import "strings"

// ValidUse is what a learner uses the validation set of a Job for: a set of purposes.
type ValidUse uint8

// The purposes.
const (
	// Monitoring is that metrics of the set are recorded in training, and nothing is chosen by
	// them.
	Monitoring ValidUse = 1 << iota
	Pruning
	EarlyStopping
	MetaLearning // the meta-learner of a stack is fitted to the set
)

var purposeNames = []string{"monitoring", "pruning", "early stopping", "fitting the meta-learner"}

// Chosen leaves out Monitoring: what remains chose something of the model, so metrics on the
// validation set are too optimistic to be an estimate of the error on new rows. It is 0 where they
// are an estimate.
func (u ValidUse) Chosen() ValidUse { return u &^ Monitoring }

// String names the purposes: "", "pruning", "pruning and early stopping".
func (u ValidUse) String() string {
	var names []string
	for i, name := range purposeNames {
		if u&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// Validated is a Learner that may use the validation set of a Job. Others take such a set and look
// at none of its rows.
type Validated interface {
	Learner
	// ValidUse reports what Fit uses Job.Valid for, with the parameters as they are; 0 = nothing.
	ValidUse() ValidUse
}

// ValidUseOf reports what a learner uses Job.Valid for, with the parameters as they are; 0 =
// nothing. Of an Inner learner that only Prepare finds, and of nil, nothing is known: 0.
func ValidUseOf(l Learner) ValidUse {
	v, ok := l.(Validated)
	if !ok {
		return 0
	}
	return v.ValidUse()
}

// UsesValid reports whether a learner looks at Job.Valid, with the parameters as they are.
func UsesValid(l Learner) bool { return ValidUseOf(l) != 0 }

// Consistent is a Learner whose parameters may exclude each other. Of others any that are in their
// ranges go together.
type Consistent interface {
	Learner
	// Consistent reports which parameters, as they are, do not go together, all of them at once.
	Consistent() error
}

// Started is a Learner that may start from the scores of a Target's Offset. Others do not look at
// them.
type Started interface {
	Learner
	// UsesStart reports whether Fit looks at Target.Offset, with the parameters as they are.
	UsesStart() bool
}

package param

import "strings"

// Fault is one thing that is wrong with a parameter.
type Fault struct {
	Param   string // the name as it was given, which may be unknown
	Message string // one line: what is wrong and what would be right
}

func (f *Fault) Error() string { return f.Message }

// Faults is the error of Set.Set, Set.Validate and Set.UnmarshalJSON: everything that is wrong, at
// once.
type Faults []*Fault

// Error joins the messages to one line.
func (f Faults) Error() string {
	messages := make([]string, len(f))
	for i, fault := range f {
		messages[i] = fault.Message
	}
	return strings.Join(messages, "; ")
}

// Unwrap returns the single faults.
func (f Faults) Unwrap() []error {
	errs := make([]error, len(f))
	for i, fault := range f {
		errs[i] = fault
	}
	return errs
}

// orNil keeps an empty list from becoming an error that is not nil.
func (f Faults) orNil() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

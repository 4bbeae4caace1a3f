package learn

import (
	"strconv"
	"strings"
)

// MergeError says which of the models given to Merge are no parts that go together, and why.
type MergeError struct {
	Models []int // one or several, by their places among those given, from 0
	Err    error // what is wrong with them
}

// Error names the models by their numbers, from 1.
func (e *MergeError) Error() string {
	return e.Naming(func(i int) string { return "model " + strconv.Itoa(i+1) })
}

// Naming is the text of the error with names for the models, such as those of their files.
func (e *MergeError) Naming(name func(i int) string) string {
	names := make([]string, len(e.Models))
	for k, i := range e.Models {
		names[k] = name(i)
	}
	return strings.Join(names, " and ") + ": " + e.Err.Error()
}

func (e *MergeError) Unwrap() error { return e.Err }

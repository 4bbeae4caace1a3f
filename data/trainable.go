package data

import (
	"errors"
	"fmt"
)

// The reasons of CheckTrainable.
var (
	ErrOneRow     = errors.New("the table has only one row")
	ErrOneValue   = errors.New("the label has only one value")
	ErrNoFeatures = errors.New("the table has no feature columns")
)

// CheckTrainable reports whether there is anything to learn. It returns an error that wraps
// ErrOneRow, ErrOneValue or ErrNoFeatures if a table has one row, a label with one value, or no
// features. A learner makes a single leaf of such a table. Someone who trains by hand hardly
// expects that, so the command refuses it.
func CheckTrainable(ds *Dataset) error {
	t := &ds.Target
	switch {
	case ds.Rows() == 1:
		return fmt.Errorf("%s: %w, nothing can be learned from it", ds.Locate(0), ErrOneRow)
	case t.Class != nil && constant(t.Class):
		return fmt.Errorf("column %q: %w, %q: nothing can be learned from it", t.Name, ErrOneValue,
			t.Classes[t.Class[0]])
	case len(t.Y) == 1 && t.Event == nil && t.Upper == nil && constant(t.Y[0]):
		return fmt.Errorf("column %q: %w, %s: nothing can be learned from it", t.Name, ErrOneValue,
			NumberText(t.Y[0][0], 64))
	case len(ds.Columns) == 0 && t.Name == "":
		return ErrNoFeatures
	case len(ds.Columns) == 0:
		return fmt.Errorf("%w beside the label", ErrNoFeatures)
	}
	return nil
}

// constant reports whether there are values and all are equal.
func constant[T comparable](values []T) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return len(values) > 0
}

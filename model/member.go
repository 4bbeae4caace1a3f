package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// CheckPart checks a model that is a part of another: that there is one, and what it says of
// itself. Parts of the type of the whole, which may stand inside each other, are checked by nested
// instead.
func CheckPart[M Model](part Model, nested func(M) error) error {
	if part == nil {
		return errors.New("is nil")
	}
	switch m := part.(type) {
	case M:
		return nested(m)
	case Checked:
		return m.Validate()
	}
	return nil
}

// CheckAnswers checks that a part predicts what the whole does, which messages call what: "the
// stack".
func CheckAnswers(part Model, whole *Spec, what string) error {
	if s := part.Spec(); s.Task != whole.Task || !slices.Equal(s.Classes, whole.Classes) {
		return fmt.Errorf("predicts %s, classes %q, %s %s, classes %q", s.Task, s.Classes, what, whole.Task, whole.Classes)
	}
	return nil
}

// CheckColumns checks that a part looks at no column but those of the whole, which messages call
// what.
func CheckColumns(part Model, whole data.Kinds, what string) error {
	if f := whole.MissingFrom(&part.Spec().Schema); f != nil {
		return fmt.Errorf("looks at a %s column %q, which %s does not have", f.Kind, f.Name, what)
	}
	return nil
}

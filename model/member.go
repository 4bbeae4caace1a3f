package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// CheckInner checks a model inside another one: that there is one, and that its own Validate
// accepts it. A model of the outer type M, which may be nested to any depth, is checked by nested
// instead.
func CheckInner[M Model](part Model, nested func(M) error) error {
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

// CheckTask checks that an inner model has the task and classes of the outer one. Messages call the
// outer one what, such as "the stack".
func CheckTask(part Model, whole *Spec, what string) error {
	s := part.Spec()
	pointwise := s.Task == data.Regression && whole.Task == data.Ranking
	if s.Task != whole.Task && !pointwise || !slices.Equal(s.Classes, whole.Classes) {
		return fmt.Errorf("predicts %s, classes %q, %s %s, classes %q", s.Task, s.Classes, what,
			whole.Task, whole.Classes)
	}
	return nil
}

// CheckColumns checks that an inner model uses no columns but those of the outer one. Messages call
// the outer one what.
func CheckColumns(part Model, whole data.Kinds, what string) error {
	if f := whole.MissingFrom(&part.Spec().Schema); f != nil {
		return fmt.Errorf("uses a %s column %q, which %s does not have", f.Kind, f.Name, what)
	}
	return nil
}

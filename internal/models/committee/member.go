package committee

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// checkInner checks a model inside another one: that there is one, and that its own Validate
// accepts it. A model of the outer type M, which may be nested to any depth, is checked by nested
// instead.
func checkInner[M model.Model](part model.Model, nested func(M) error) error {
	if part == nil {
		return errors.New("is nil")
	}
	switch m := part.(type) {
	case M:
		return nested(m)
	case model.Checked:
		return m.Validate()
	}
	return nil
}

// checkTask checks that an inner model has the task and classes of the outer one. Messages call the
// outer one what, such as "the stack".
func checkTask(part model.Model, whole *model.Spec, what string) error {
	s := part.Spec()
	pointwise := s.Task == data.Regression && whole.Task == data.Ranking
	if s.Task != whole.Task && !pointwise || !slices.Equal(s.Classes, whole.Classes) {
		return fmt.Errorf("predicts %s, classes %q, %s %s, classes %q", s.Task, s.Classes, what,
			whole.Task, whole.Classes)
	}
	return nil
}

// checkColumns checks that an inner model uses no columns but those of the outer one. Messages call
// the outer one what.
func checkColumns(part model.Model, whole data.Kinds, what string) error {
	if f := whole.MissingFrom(&part.Spec().Schema); f != nil {
		return fmt.Errorf("uses a %s column %q, which %s does not have", f.Kind, f.Name, what)
	}
	return nil
}

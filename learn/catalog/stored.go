package catalog

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/offset"
	"github.com/coppice-ml/coppice/model"
)

// Offset returns a learner, called by a name, whose models add a column to their scores. A learner
// that uses no offset is an error.
func Offset(name string, l learn.Learner, column string) (learn.Learner, error) {
	o := offset.New(l, column)
	return o, o.Check(name)
}

// Stored returns the learner of a model with the parameters that the model stores. A model of
// another tool, and one that stores no parameters or those of a later release, is an error.
func Stored(m model.Model) (learn.Learner, error) {
	s := m.Spec()
	if e := m.Describe().Ensemble; e != nil && e.Origin != nil {
		return nil, fmt.Errorf("it was made by %s, whose training is not known", e.Origin.Tool)
	}
	if len(s.Params) == 0 {
		return nil, errors.New("it stores no parameters of its training")
	}
	l, err := New(s.Learner)
	if err != nil {
		return nil, err
	}
	if err := l.Params().UnmarshalJSON(s.Params); err != nil {
		return nil, err
	}
	if s.Roles.Offset == "" {
		return l, nil
	}
	return Offset(s.Learner, l, s.Roles.Offset)
}

package catalog

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

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
	return l, l.Params().UnmarshalJSON(s.Params)
}

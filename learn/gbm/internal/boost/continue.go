package boost

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/model"
)

// continued returns the model that training starts from: of a checkpoint, or any sum of trees that
// fits the table and the loss.
func (b *Training) continued() (*model.Ensemble, error) {
	start := b.setup.Job.Start
	m, ok := start.Model.(*model.Ensemble)
	if !ok || m.Combine != model.Sum {
		return nil, errors.New("the model to continue is no sum of trees: only models of boosted " +
			"trees can be added to")
	}
	if start.State != nil {
		if err := b.setup.Config.User.Same(m); err != nil {
			return nil, err
		}
	}
	if err := b.ensemble.accepts(m, b.setup.loss); err != nil {
		return nil, err
	}
	return m, table.SameColumns(&m.Meta.Schema, &b.setup.Frame.Schema)
}

// accepts checks that a model has the classes of this one, and scores of the same loss, by name.
func (e *ensemble) accepts(m *model.Ensemble, loss string) error {
	own, spec := &e.model.Meta, &m.Meta
	link := "identity"
	if m.Link != nil {
		link = m.Link.Name()
	}
	switch {
	case spec.Task != own.Task:
		return fmt.Errorf("the model to continue is for %s, the label is one of %s", spec.Task,
			own.Task)
	case !slices.Equal(spec.Classes, own.Classes):
		return fmt.Errorf("the model to continue has the classes %q, the label has %q",
			spec.Classes, own.Classes)
	case link != e.model.Link.Name():
		return fmt.Errorf("the model to continue has the link %s, loss=%s has %s", link, loss,
			e.model.Link.Name())
	case m.Inputs.Foreign() >= 0:
		return fmt.Errorf("the model to continue has the derived column %s, which training does "+
			"not make", m.Inputs.Name(m.Inputs.Foreign(), spec.Schema.Fields, nil))
	case m.Scores() != len(e.model.Bias):
		return fmt.Errorf("the model to continue has %d scores for a row, loss=%s has %d",
			m.Scores(), loss, len(e.model.Bias))
	}
	return nil
}

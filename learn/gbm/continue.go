package gbm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// continued returns the model that training starts from: of a checkpoint, or any sum of trees that
// fits the table and the loss.
func (b *training) continued() (*model.Ensemble, error) {
	start := b.job.Start
	m, ok := start.Model.(*model.Ensemble)
	if !ok || m.Combine != model.Sum {
		return nil, errors.New("the model to continue is no sum of trees: only models of boosted " +
			"trees can be added to")
	}
	if start.State != nil {
		if err := b.config.User.Same(m); err != nil {
			return nil, err
		}
	}
	if err := b.ensemble.accepts(m, b.loss); err != nil {
		return nil, err
	}
	return m, sameColumns(&m.Meta.Schema, &b.frame.Schema)
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

// sameColumns checks that the columns of a model are those of the table.
func sameColumns(then, now *data.Schema) error {
	if len(then.Fields) != len(now.Fields) {
		return differentColumns(then, now)
	}
	for i, f := range then.Fields {
		g := &now.Fields[i]
		if f.Name != g.Name || f.Kind != g.Kind {
			return fmt.Errorf("column %d of the model to continue is %s, %s, in the table it is "+
				"%s, %s", i+1, f.Name, f.Kind, g.Name, g.Kind)
		}
		if !f.MadeAs(g) {
			return fmt.Errorf("column %q is another part of its dates or texts than in the "+
				"model to continue: make the table's features like the model's", f.Name)
		}
		if !slices.Equal(f.Levels, g.Levels) {
			return fmt.Errorf("column %q has other categories than in the model to continue: read "+
				"the table by the model's schema", f.Name)
		}
	}
	return nil
}

// differentColumns names a column that only the model or only the table has.
func differentColumns(then, now *data.Schema) error {
	for _, name := range then.Names() {
		if now.Index(name) < 0 {
			return fmt.Errorf("the model to continue has a column %q, which is no feature of the "+
				"table", name)
		}
	}
	for _, name := range now.Names() {
		if then.Index(name) < 0 {
			return fmt.Errorf("the table has a column %q, which is no feature of the model to "+
				"continue: leave it out with --ignore", name)
		}
	}
	return fmt.Errorf("the model to continue has %d columns, the table has %d", len(then.Fields),
		len(now.Fields))
}

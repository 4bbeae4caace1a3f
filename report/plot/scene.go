package plot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Scene is what pictures of models of any kind are of: a model, and rows to compare it with. Make
// one with NewScene.
type Scene struct {
	Spec  *model.Spec
	Model model.Model
	// its columns are those of Spec.Schema, in that order, with those dictionaries
	Data *data.Dataset

	found *training.Summary
}

// severalNumbers is the error of a model that predicts n numbers.
func severalNumbers(n int) error {
	return fmt.Errorf("the model predicts %d numbers for each row: the pictures show one; coppice "+
		"effects and coppice report show all", n)
}

// NewScene checks that a model predicts classes, a number or a score of anomalies, and that a
// dataset has the model's columns (else *model.MissingColumnError or *model.KindError), its
// dictionaries and its kind of label. Rows for scores of anomalies need no label. found is what
// training found, as catalog.Training returns it; an empty one is allowed.
func NewScene(m model.Model, found *training.Summary, ds *data.Dataset) (*Scene, error) {
	s := &Scene{Spec: m.Spec(), Model: m, found: found}
	if n := m.Outputs(); !s.classes() && n != 1 {
		return nil, severalNumbers(n)
	}
	frame, err := model.Align(&s.Spec.Schema, ds.Frame)
	if err != nil {
		return nil, err
	}
	s.Data = &data.Dataset{Frame: frame, Target: ds.Target}
	if s.Spec.Task == data.Anomaly {
		if frame.Rows() == 0 {
			return nil, errNoRows
		}
		return s, nil
	}
	return s, checkTarget(s.Spec, s.Data)
}

var errNoRows = errors.New("the table has no rows")

// checkTarget checks that labeled rows have the label of a model.
func checkTarget(spec *model.Spec, ds *data.Dataset) error {
	t, classes := &ds.Target, spec.Task.Classes()
	switch {
	case classes != (t.Class != nil) || !classes && len(t.Y) != 1:
		return fmt.Errorf("the model was trained for %s, the label is one of %s", spec.Task,
			t.Task)
	case classes && !slices.Equal(t.Classes, spec.Classes):
		return fmt.Errorf("the model's classes are %q, the label's are %q", spec.Classes,
			t.Classes)
	case ds.Rows() == 0:
		return errNoRows
	}
	return nil
}

func (s *Scene) classes() bool { return s.Spec.Task.Classes() }

// numbers returns the labels that are numbers; nil where there are none.
func (s *Scene) numbers() []float64 {
	if s.Data.Target.Class == nil && len(s.Data.Target.Y) == 1 {
		return s.Data.Target.Y[0]
	}
	return nil
}

// label names what is predicted.
func (s *Scene) label() string {
	switch {
	case s.Spec.Task == data.Anomaly:
		return "anomaly score"
	case s.Spec.Label == "":
		return "prediction"
	}
	return s.Spec.Label
}

// predict returns a view's predictions for rows of the table, nil = all, and their width.
func (s *Scene) predict(v *view, rows []int32) (values []float64, width int, err error) {
	p, err := v.model.Bind(&s.Data.Schema, model.Options{Rounds: v.rounds})
	if err != nil {
		return nil, 0, err
	}
	n := len(rows)
	if rows == nil {
		n = s.Data.Rows()
	}
	values = make([]float64, n*p.Width())
	return values, p.Width(), p.Predict(values, s.Data.Frame, rows)
}

// view is a model as one panel of a picture shows it.
type view struct {
	title  string
	model  model.Model
	rounds int // the first ones that predict; 0 = all
	// the model predicts numbers that are added to a score, whatever the task of the scene
	adds bool
	// weights of the rows of the table, mean 1; nil = all 1
	weights []float64
}

// classes reports whether the model of a view predicts classes.
func (v *view) classes() bool { return v.model.Spec().Task.Classes() }

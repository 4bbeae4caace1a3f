// Package plot owns the charts that explain models. A Subject is a single tree with a table: the
// plane as the tree partitions it, errors against tree size, the gains of all candidate splits of a
// node. A Scene is a model of any kind with a table: what it predicts over two columns or one,
// member by member or round by round, its margins, and its errors against rounds. Impurity curves
// need neither. The package also owns Figure, a picture of curves with numbers of the caller.
// Pictures of the trees themselves are in tree/draw.
//
// Every picture is one self-contained SVG of 960 x 540 pixels, a 16:9 slide, with its fonts as
// text. Its title and notes describe what is shown. Geometry is rounded to tenths of a pixel and
// nothing is drawn in the order of a map, so the same input gives the same bytes on every machine.
package plot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// ErrManyTrees is returned for a model that is not a single tree.
var ErrManyTrees = errors.New("not a single tree, as the picture needs: the learner cart grows one")

// Subject is what most pictures are of: one tree, and labeled rows to compare it with. Make one
// with NewSubject.
type Subject struct {
	Spec *model.Spec
	Tree *tree.Tree
	// its columns are those of Spec.Schema, in that order, with those dictionaries
	Data *data.Dataset

	found     *training.Summary
	deviance  criterion.Deviance // what the tree's numbers are to be near to the labels by
	responder *responder
	// by node: what the model predicts for rows that end there; nil where it holds no value
	response [][]float64
}

// NewSubject checks that a model is one tree that predicts classes or a number, else the error is
// ErrManyTrees or a line of its own. It checks that a dataset has the model's columns (else
// *model.MissingColumnError or *model.KindError), its dictionaries and its kind of label. The
// learner does not matter: a random forest of one tree and a boosted model of one round are drawn
// by what they predict. found is what training found, as catalog.Training returns it; an empty one
// is allowed.
func NewSubject(m model.Model, found *training.Summary, ds *data.Dataset) (*Subject, error) {
	e, ok := model.Inner(m).(*model.Ensemble)
	switch {
	case !ok:
		return nil, fmt.Errorf("a model of learner %s is %w", m.Spec().Learner, ErrManyTrees)
	case len(e.Trees) != 1:
		return nil, fmt.Errorf("a model of %d trees is %w", len(e.Trees), ErrManyTrees)
	}
	if e.Inputs.Len() > 0 {
		return nil, errors.New("the model derives columns, which no table has: charts of it are " +
			"not drawn")
	}
	s := &Subject{Spec: &e.Meta, Tree: e.Trees[0], found: found}
	if task := s.Spec.Task; !task.Classes() && task != data.Regression {
		return nil, fmt.Errorf("the model was trained for %s: the pictures are of models for "+
			"classification and regression", task)
	}
	var err error
	if s.responder, err = newResponder(e); err != nil {
		return nil, err
	}
	frame, err := model.Align(&s.Spec.Schema, ds.Frame)
	if err != nil {
		return nil, err
	}
	s.Data = &data.Dataset{Frame: frame, Target: ds.Target}
	for _, name := range []string{"squared_error", s.found.Criterion} {
		if row, ok := criterion.ByName(name); ok && row.Deviance != nil {
			s.deviance = row.Deviance
		}
	}
	if err := checkTarget(s.Spec, s.Data); err != nil {
		return nil, err
	}
	s.response = make([][]float64, s.Tree.Len())
	for n := range s.response {
		s.response[n] = s.responder.at(int32(n))
	}
	return s, nil
}

func (s *Subject) classes() bool { return s.Spec.Task.Classes() }

// Response returns what the model predicts for rows that end at node n: the probabilities of all
// classes, or one number in the unit of the label. It is nil for nodes that hold no value, as inner
// nodes of forests. The caller must not change it.
func (s *Subject) Response(n int32) []float64 { return s.response[n] }

// label returns the class that the model predicts by the probabilities of all classes.
func (s *Subject) label(response []float64) int { return s.Spec.Decision.Label(response) }

// loss is what a response costs on a row: of classes 1, or by the model's costs, if the label is
// wrong; else the loss of the criterion.
func (s *Subject) loss(response []float64, row int32) float64 {
	if s.classes() {
		return s.Spec.Decision.Costs.Of(int(s.Data.Target.Class[row]), s.label(response))
	}
	return s.deviance.Loss(s.Data.Target.Y[0][row], response[0])
}

// lossWords describes what the mean of losses is.
func (s *Subject) lossWords() string {
	switch {
	case s.classes() && s.Spec.Decision.Costs != nil:
		return "mean cost of predictions"
	case s.classes():
		return "error rate"
	case s.found.Criterion == "":
		return "mean squared error"
	}
	return "mean " + strings.ReplaceAll(s.found.Criterion, "_", " ")
}

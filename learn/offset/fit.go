package offset

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Fit fits the base from the offset on, and adds the offset to its model. Labels are numbers or two
// classes, and the loss has one score.
func (f *fitter) Fit(ctx context.Context, t *data.Target, job learn.Job) (model.Model, error) {
	switch {
	case t.Task != data.Regression && t.Task != data.Binary:
		return nil, fmt.Errorf("an offset is one score, of a number or of two classes: the label is one "+
			"of %s", t.Task)
	case len(t.Y) > 1:
		return nil, errors.New("an offset is one score, and the label has several numbers")
	case t.Offset != nil:
		return nil, errors.New("initial scores do not go with an offset, from which training starts")
	case job.Start != nil:
		return nil, errors.New("a training with an offset does not continue a model")
	}
	if err := job.Check(f.frame, f.rows); err != nil {
		return nil, err
	}
	rows := t.WithWeight(job.RowsOf(f.rows))
	if err := f.check(slices.Concat(rows, job.Valid)); err != nil {
		return nil, err
	}
	constant, err := f.loss.constant(t, rows, f.values)
	if err != nil {
		return nil, err
	}
	own := *t
	own.Offset = make([]float64, f.frame.Rows())
	for i, v := range f.values {
		own.Offset[i] = v + constant
	}
	m, ended := f.base.Fit(ctx, &own, job)
	if m == nil {
		return nil, ended
	}
	sum, err := f.add(m, t, constant)
	if err != nil {
		return nil, err
	}
	return sum, ended
}

// add makes the sum of a model of the base and the offset.
func (f *fitter) add(m model.Model, t *data.Target, constant float64) (model.Model, error) {
	whole, ok := model.AsSum(m)
	scores, err := scoresOf(m)
	if err != nil || !ok {
		return nil, errors.Join(errors.New("the learner's models have no score that an offset adds to"), err)
	}
	s := m.Spec()
	field := f.frame.Schema.Fields[f.column]
	field.Missing = data.Refuse
	c := &committee.Committee{Meta: model.NewSpec(s.Learner, f.frame.Schema, t),
		Combine: committee.Sum, Bias: []float64{constant}, Link: whole.Link,
		Members: []model.Model{scores, column(field)}}
	c.Meta.Schema.Fields[f.column] = field
	c.Meta.Params, c.Meta.Roles.Offset = s.Params, field.Name
	c.Meta.Decision = s.Decision
	return c, c.Validate()
}

// scoresOf returns a model of numbers: the one score of a model, before the link.
func scoresOf(m model.Model) (model.Model, error) {
	number := func(s model.Spec) model.Spec {
		s.Task, s.Classes, s.Decision, s.Quantiles = data.Regression, nil, model.Decision{}, nil
		s.Summary = nil // of the model of the label
		return s
	}
	scores := 0
	var made model.Model
	switch m := m.(type) {
	case *model.Ensemble:
		own := *m
		own.Meta, own.Link, scores = number(m.Meta), nil, m.Scores()
		made = &own
	case *committee.Committee:
		own := *m
		own.Meta, own.Link, scores = number(m.Meta), nil, m.Scores()
		made = &own
	case *dense.Linear:
		own := *m
		own.Meta, own.Link, scores = number(m.Meta), nil, m.Scores()
		made = &own
	}
	if scores != 1 {
		return nil, fmt.Errorf("an offset is one score, and the model has %d", scores)
	}
	return made, nil
}

// column is the model that predicts the value of a numeric column.
func column(field data.Field) model.Model {
	return &dense.Linear{Bias: []float64{0}, Coef: []float64{1}, Model: dense.Model{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{field}}, Task: data.Regression,
			Learner: "linear"},
		Encoding: dense.Encoding{Columns: []dense.Column{{Scale: 1, Low: -dense.Limit,
			High: dense.Limit, Missing: -1, Unseen: -1}}}}}
}

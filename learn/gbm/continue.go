package gbm

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// goOn goes on from the checkpoint of the job: to the bytes of a training that was interrupted, or
// from any sum of trees.
func (b *boost) goOn() error {
	m, ok := b.Start.Model.(*model.Ensemble)
	if !ok || m.Combine != model.Sum {
		return errors.New("the model to go on from is no sum of trees: only models of boosted trees can be added to")
	}
	if b.Start.State != nil {
		if err := sameParameters(b.asGiven(), m); err != nil {
			return err
		}
	}
	if err := b.fits(m); err != nil {
		return err
	}
	if b.Start.State != nil {
		return b.resume(m, b.Start.State)
	}
	k := len(b.model.Bias)
	b.first, b.before = len(m.Trees), len(m.Trees)/k
	if k > 1 && len(m.Trees) > 0 && (m.Output == nil || m.Output[0] < 0) {
		b.before = len(m.Trees) // each has the values of all outputs
	}
	b.model.Trees = slices.Clone(m.Trees)
	b.model.Output = slices.Repeat([]int32{-1}, len(m.Trees))
	for i := range m.Trees {
		if m.Output != nil {
			b.model.Output[i] = m.Output[i]
		}
		if k == 1 {
			b.model.Output[i] = 0
		}
	}
	if b.model.Weights = slices.Clone(m.Weights); b.learner.Boosting.Dart != nil && m.Weights == nil {
		b.model.Weights = slices.Repeat([]float64{1}, len(m.Trees))
	}
	copy(b.model.Bias, slices.Concat(m.Bias, make([]float64, k))) // no start values are zeros
	return nil
}

// fits checks that a model is of the table's columns and classes, and that its scores are those of
// the loss.
func (b *boost) fits(m *model.Ensemble) error {
	own, spec := &b.model.Meta, &m.Meta
	link := "identity"
	if m.Link != nil {
		link = m.Link.Name()
	}
	switch {
	case spec.Task != own.Task:
		return fmt.Errorf("the model to go on from is for %s, the label is one of %s", spec.Task, own.Task)
	case !slices.Equal(spec.Classes, own.Classes):
		return fmt.Errorf("the model to go on from has the classes %q, the label has %q", spec.Classes, own.Classes)
	case link != b.model.Link.Name():
		return fmt.Errorf("the model to go on from makes its predictions of scores by the link %s, loss=%s by %s", link, b.loss, b.model.Link.Name())
	case m.Scores() != len(b.model.Bias):
		return fmt.Errorf("the model to go on from has %d scores for a row, loss=%s has %d", m.Scores(), b.loss, len(b.model.Bias))
	}
	return b.sameColumns(spec)
}

// sameColumns checks that a model is of the table's columns.
func (b *boost) sameColumns(spec *model.Spec) error {
	if len(spec.Schema.Fields) != len(b.frame.Schema.Fields) {
		return differentColumns(&spec.Schema, &b.frame.Schema)
	}
	for i, f := range spec.Schema.Fields {
		g := &b.frame.Schema.Fields[i]
		if f.Name != g.Name || f.Kind != g.Kind {
			return fmt.Errorf("column %d of the model to go on from is %s, %s, in the table it is %s, %s", i+1, f.Name, f.Kind, g.Name, g.Kind)
		}
		if !f.From.Equal(g.From) {
			return fmt.Errorf("column %q is another part of its dates than in the model to go on from: make the table's features like the model's", f.Name)
		}
		if !slices.Equal(f.Levels, g.Levels) {
			return fmt.Errorf("column %q has other categories than in the model to go on from: read the table by the model's schema", f.Name)
		}
	}
	return nil
}

// differentColumns names a column that only the model or only the table has.
func differentColumns(then, now *data.Schema) error {
	for _, name := range then.Names() {
		if now.Index(name) < 0 {
			return fmt.Errorf("the model to go on from has a column %q, which is no feature of the table", name)
		}
	}
	for _, name := range now.Names() {
		if then.Index(name) < 0 {
			return fmt.Errorf("the table has a column %q, which is no feature of the model to go on from: leave it out with --ignore", name)
		}
	}
	return fmt.Errorf("the model to go on from has %d columns, the table has %d", len(then.Fields), len(now.Fields))
}

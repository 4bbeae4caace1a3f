package boost

import (
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// describe gives a model of all rounds so far its summary and parameters.
func (b *Training) describe(m *model.Ensemble) error {
	kept := (len(m.Trees) - b.ensemble.first) / b.ensemble.width
	s := report.Boosting{Trained: report.TrainedOn(b.setup.Target, b.setup.Rows),
		Valid: len(b.setup.Valid), Loss: b.setup.loss, Kept: b.ensemble.before + kept, Before: b.ensemble.before,
		Rate: b.setup.Config.LearningRate, Chosen: b.setup.Choice, Rehearsal: b.setup.Rehearsal,
		TimeOrder: b.setup.TimeOrder,
		Log:       b.watch.Log}
	s.Weightless += b.setup.Weightless
	if effect := b.setup.Config.User.InEffect(b.effect(kept)); len(effect) > 0 {
		var err error
		if s.InEffect, err = effect.MarshalJSON(); err != nil {
			return err
		}
	}
	m.Meta.Schema, m.Inputs = b.setup.Frame.Schema.Clone(), b.table.Inputs
	return fitting.Describe(&m.Meta, b.setup.Config.User.Params(), &s)
}

// effect returns what a training has chosen that keeps so many of its rounds.
func (b *Training) effect(kept int) *Effect {
	c, m := &b.setup.Config, b.table.Matrices[0]
	e := &Effect{Trees: kept, LearningRate: c.LearningRate, Depth: c.Engine.Depth,
		Leaves: c.Engine.Leaves, Symmetric: c.Engine.Policy == hist.Symmetric, MinLeaf: c.FewestRows(m.Len()),
		ColumnsByTree: c.FractionOfColumns(len(m.Columns)),
		ColumnsByNode: c.Engine.ColumnsByNode, Fraction: c.Fraction, Steps: c.leafStepsOf(b.setup.loss),
		Categories: c.Categories, Rehearsed: b.setup.Rehearsal != nil}
	if b.setup.Choice != nil {
		e.Later = b.setup.Choice.Later
	}
	if e.ColumnsByTree == 0 {
		e.ColumnsByTree = 1
	}
	if e.Categories == table.AutoEncoding && table.HasCategories(b.table.Frame.Schema.Fields) {
		if e.Categories = table.NativeEncoding; len(b.table.Inputs.Columns) > 0 {
			e.Categories = table.TargetEncoding
		}
	}
	return e
}

package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// Summary is the training summary of a model, which learn.ReadSummary reads: the rounds that were
// trained and kept, the best round, and the learning curves of the metrics.
type Summary struct{ report.Boosting }

// describe gives a model of all rounds so far its summary and parameters.
func (b *training) describe(m *model.Ensemble) error {
	kept := (len(m.Trees) - b.ensemble.first) / b.ensemble.width
	s := Summary{report.Boosting{Trained: report.TrainedOn(b.target, b.rows), Valid: len(b.valid),
		Loss: b.loss, Kept: b.ensemble.before + kept, Before: b.ensemble.before,
		Rate: b.config.LearningRate, Chosen: b.choice, Rehearsal: b.rehearsal,
		Log: b.watch.Log}}
	s.Weightless += b.weightless
	if effect := b.config.User.InEffect(b.effect(kept)); len(effect) > 0 {
		var err error
		if s.InEffect, err = effect.MarshalJSON(); err != nil {
			return err
		}
	}
	m.Meta.Schema, m.Inputs = b.frame.Schema.Clone(), b.table.inputs
	return fitting.Describe(&m.Meta, b.config.User.Params(), &s)
}

// effect returns what a training has chosen that keeps so many of its rounds.
func (b *training) effect(kept int) *Effect {
	c, m := &b.config, b.table.matrices[0]
	e := &Effect{Trees: kept, LearningRate: c.LearningRate, Depth: c.Engine.Depth,
		Leaves: c.Engine.Leaves, MinLeaf: c.fewestRows(m.Len()),
		ColumnsByTree: c.fractionOfColumns(len(m.Columns)),
		ColumnsByNode: c.Engine.ColumnsByNode, Steps: c.leafStepsOf(b.loss),
		Categories: c.Categories, Rehearsed: b.rehearsal != nil}
	if e.ColumnsByTree == 0 {
		e.ColumnsByTree = 1
	}
	if e.Categories == AutoEncoding &&
		slices.ContainsFunc(b.table.frame.Schema.Fields, categorical) {
		if e.Categories = NativeEncoding; len(b.table.inputs.Columns) > 0 {
			e.Categories = TargetEncoding
		}
	}
	return e
}

func categorical(f data.Field) bool { return f.Kind == data.Categorical }

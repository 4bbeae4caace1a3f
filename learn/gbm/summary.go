package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Summary is the training summary of a model, which learn.ReadSummary reads: the rounds that were
// trained and kept, the best round, and the learning curves of the metrics.
type Summary struct{ report.Boosting }

// describe gives a model of all rounds so far its summary and parameters.
func (b *training) describe(m *model.Ensemble) error {
	kept := (len(m.Trees) - b.ensemble.first) / b.ensemble.width
	s := Summary{report.Boosting{Trained: report.TrainedOn(b.target, b.rows), Valid: len(b.valid),
		Loss: b.loss, Kept: b.ensemble.before + kept, Before: b.ensemble.before,
		Rate: b.learner.LearningRate, Chosen: b.choice, Rehearsal: b.rehearsal,
		Log: b.watch.Log}}
	s.Weightless += b.weightless
	if effect := b.inEffect(b.table, b.loss, kept); len(effect) > 0 {
		var err error
		if s.InEffect, err = effect.MarshalJSON(); err != nil {
			return err
		}
	}
	m.Meta.Schema, m.Inputs = b.frame.Schema.Clone(), b.table.inputs
	return fitting.Describe(&m.Meta, b.given.Params(), &s)
}

// inEffect returns the parameters whose values were left to training, with the values that it
// chose. kept is the number of rounds that the model keeps of this training.
func (p *plan) inEffect(t *table, loss string, kept int) param.Set {
	given, own, m := p.given.Params(), p.learner, t.matrices[0]
	own.Trees = kept
	own.MinLeaf = own.fewestRows(m.Len())
	if own.Colsample = own.fractionOfColumns(len(m.Columns)); own.Colsample == 0 {
		own.Colsample = 1
	}
	if own.Growth == GrowthSymmetric && own.Depth == 0 {
		own.Depth = symmetricDepth
	}
	if own.LeafSteps == 0 && own.Compat == CompatCatBoost {
		own.LeafSteps = own.leafStepsOf(loss)
	}
	if own.Categories == CategoriesAuto && slices.ContainsFunc(t.frame.Schema.Fields, categorical) {
		own.Categories = CategoriesNative
		if len(t.inputs.Columns) > 0 {
			own.Categories = CategoriesTarget
		}
	}
	names := []string{"trees", "learning_rate", "depth", "min_leaf", "colsample", "leaf_steps",
		"categories"}
	if p.rehearsal != nil {
		names = append(names, "leaves")
	}
	if own.ColsampleNode < 1 {
		names = append(names, "colsample_node")
	}
	var changed param.Set
	for _, name := range names {
		if p := own.Params().Lookup(name); p.Value() != given.Lookup(name).Value() {
			changed = append(changed, *p)
		}
	}
	return changed
}

func categorical(f data.Field) bool { return f.Kind == data.Categorical }

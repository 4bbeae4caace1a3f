package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Summary is what a model of gbm tells of its training.
type Summary = boosting.Summary

// Course is what is known of the rounds so far.
type Course = boosting.Course

// Curve is a metric on some rows after the rounds at which it was measured.
type Curve = boosting.Curve

// open lays out what is measured.
func (b *boost) open() error {
	l := &b.learner
	return b.history.Open(boosting.Measuring{Target: b.target, Loss: b.loss, Metric: l.Metric, Own: l.Metrics, Train: b.train, Valid: b.valid,
		Every: l.TrainingMetric, Rounds: l.Trees, EarlyStopping: l.EarlyStopping, Workers: b.workers(),
		Advice: "use a lower learning_rate, or max_delta_step; or divide labels by some number if they are very large"})
}

// evaluate measures the parts after a round, and finds out whether it is time to stop.
func (b *boost) evaluate() error {
	if err := b.history.Evaluate(); err != nil || b.valid == nil {
		return err
	}
	k := &b.history
	if k.Best == k.Rounds {
		b.bestWeights = slices.Clone(b.model.Weights)
	}
	earlyStopping := b.learner.EarlyStopping
	k.Stopped = k.Stopped || b.auto && earlyStopping > 0 && slow(k.First().Values, earlyStopping, b.target.Task.Classes())
	return nil
}

// finish cuts the model to its best round and describes it.
func (b *boost) finish() (model.Model, error) {
	if b.history.Best > 0 && b.learner.EarlyStopping > 0 {
		b.keep(b.history.Best)
		if b.model.Weights != nil {
			b.model.Weights = b.bestWeights[:len(b.model.Trees)]
		}
	}
	if err := b.describe(b.model); err != nil {
		return nil, err
	}
	return b.model, b.model.Validate()
}

// keep cuts the model to its first n rounds, of as many as were trained.
func (b *boost) keep(n int) {
	trained := b.history.Rounds
	b.cut(min(n, trained))
	b.history.Rounds = trained
}

// asGiven returns the learner with the parameters as they were given.
func (f *fitter) asGiven() *Learner {
	if f.given == nil {
		return &f.learner
	}
	return f.given
}

// describe gives a model of all rounds so far its summary and parameters.
func (b *boost) describe(m *model.Ensemble) error {
	kept := (len(m.Trees) - b.first) / b.width()
	s := Summary{Trained: learn.TrainedOn(b.target, b.train.Rows), Loss: b.loss, Kept: b.before + kept, Before: b.before,
		Rate: b.learner.LearningRate, Chosen: b.choice, Course: b.history.Course}
	if effect := b.inEffect(kept); len(effect) > 0 {
		var err error
		if s.InEffect, err = effect.MarshalJSON(); err != nil {
			return err
		}
	}
	if b.valid != nil {
		s.Valid = len(b.valid.Rows)
	}
	m.Meta.Schema, m.Inputs = b.frame.Schema.Clone(), b.inputs
	return learn.Describe(&m.Meta, b.asGiven().Params(), &s)
}

// inEffect returns the parameters whose values were left to training, with the values that it
// chose. kept is the number of rounds that the model keeps of this training.
func (b *boost) inEffect(kept int) param.Set {
	given, own := b.asGiven().Params(), b.learner
	own.Trees = kept
	own.MinLeaf = own.fewestRows(b.matrix.Len())
	if own.Colsample = own.fractionOfColumns(len(b.matrices[0].Columns)); own.Colsample == 0 {
		own.Colsample = 1
	}
	if own.Growth == GrowthSymmetric && own.Depth == 0 {
		own.Depth = symmetricDepth
	}
	if own.Categories == CategoriesAuto && slices.ContainsFunc(b.frame.Schema.Fields, categorical) {
		own.Categories = CategoriesNative
		if len(b.inputs.Columns) > 0 {
			own.Categories = CategoriesTarget
		}
	}
	var changed param.Set
	for _, name := range []string{"trees", "learning_rate", "depth", "min_leaf", "colsample", "categories"} {
		if p := own.Params().Lookup(name); p.Value() != given.Lookup(name).Value() {
			changed = append(changed, *p)
		}
	}
	return changed
}

func categorical(f data.Field) bool { return f.Kind == data.Categorical }

package gbm

import (
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/rounds"
	"github.com/coppice-ml/coppice/model"
)

// Summary is what a model of gbm tells of its training.
type Summary = rounds.Summary

// Course is what is known of the rounds so far.
type Course = rounds.Course

// Curve is a metric on some rows after the rounds at which it was measured.
type Curve = rounds.Curve

// open lays out what is measured.
func (b *boost) open() error {
	l := &b.learner
	return b.book.Open(rounds.Measuring{Target: b.target, Loss: b.loss, Metric: l.Metric, Train: b.train, Valid: b.valid,
		Every: l.TrainMeasure, Rounds: l.Trees, Patience: l.EarlyStopping, Workers: b.workers(),
		Advice: "use a lower learning_rate, or max_delta_step; or divide labels by some number if they are very large"})
}

// measure measures the parts after a round, and finds out whether it is time to stop.
func (b *boost) measure() error {
	if err := b.book.Measure(); err != nil || b.valid == nil {
		return err
	}
	k := &b.book
	if k.Best == k.Rounds {
		b.bestWeights = slices.Clone(b.model.Weights)
	}
	patience := b.learner.EarlyStopping
	k.Stopped = k.Stopped || b.auto && patience > 0 && slow(k.First().Values, patience, b.target.Task.Classes())
	return nil
}

// finish cuts the model to its best round and describes it.
func (b *boost) finish() (model.Model, error) {
	if b.book.Best > 0 && b.learner.EarlyStopping > 0 {
		trained := b.book.Rounds
		b.cut(min(b.book.Best, trained))
		if b.model.Weights != nil {
			b.model.Weights = b.bestWeights[:len(b.model.Trees)]
		}
		b.book.Rounds = trained
	}
	if err := b.describe(b.model); err != nil {
		return nil, err
	}
	return b.model, b.model.Validate()
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
	s := Summary{Trained: learn.TrainedOn(b.target, b.train.Rows), Loss: b.loss, Kept: b.before + (len(m.Trees)-b.first)/b.width(), Before: b.before, Rate: b.learner.Rate, Chosen: b.choice, Course: b.book.Course}
	if b.valid != nil {
		s.Valid = len(b.valid.Rows)
	}
	m.Meta.Schema, m.Inputs = b.frame.Schema.Clone(), b.inputs
	return learn.Describe(&m.Meta, b.asGiven().Params(), &s)
}

package anyboost

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is the training summary, as JSON in the model's Spec.
type Summary struct {
	training.Boosting
	Step string `json:"step"` // the parameter
	// of each round of the model: how far it went, before the learning rate
	Steps []float64 `json:"steps,omitempty"`
	// of each: that of the angle between its predictions and the negative gradient
	Cosines []float64 `json:"cosines,omitempty"`
}

// Check implements learn.Summary.
func (s *Summary) Check(m model.Model) error {
	var c training.Checks
	c.Length("steps", len(s.Steps), s.Kept)
	c.Length("cosines", len(s.Cosines), s.Kept)
	c.Part("rounds", s.Boosting.Check(m))
	return c.Err()
}

// finish removes the rounds behind the best one, and joins the members: to one ensemble where they
// are trees.
func (b *boost) finish() (model.Model, error) {
	kept := b.monitor.Rounds
	if b.monitor.Best > 0 && b.learner.EarlyStopping > 0 {
		kept = b.monitor.Best
	}
	// a model has a member, even one that predicts 0
	members := b.members[:max(1, kept)*len(b.bias)]
	spec, err := b.spec(kept)
	if err != nil {
		return nil, err
	}
	output, weights := make([]int32, len(members)), make([]float64, len(members))
	trees := true
	for i, m := range members {
		output[i], weights[i] = int32(i%len(b.bias)), m.weight
		trees = trees && m.tree != nil
	}
	if trees {
		e := &model.Ensemble{Meta: *spec, Output: output, Weights: weights, Bias: b.bias,
			Link: b.train.Objective.Link()}
		for _, m := range members {
			e.Trees = append(e.Trees, m.tree)
		}
		return e, e.Validate()
	}
	c := &committee.Committee{Meta: *spec, Combine: committee.Sum, Output: output, Weights: weights,
		Bias: b.bias, Link: b.train.Objective.Link()}
	for _, m := range members {
		c.Members = append(c.Members, m.model)
	}
	return c, c.Validate()
}

// spec describes a model of some rounds.
func (b *boost) spec(kept int) (*model.Spec, error) {
	t, l := b.target, &b.learner
	s := Summary{Step: l.Step.String(), Steps: b.steps[:kept], Cosines: b.cosines[:kept],
		Boosting: training.Boosting{Trained: training.TrainedOn(t, data.Distinct(b.train.Rows)),
			Loss: b.loss, Base: l.Base.Name, Kept: kept, Rate: l.LearningRate,
			Log: b.monitor.Log}}
	s.Weightless = b.weightless
	if b.valid != nil {
		s.Valid = len(b.valid.Rows)
	}
	spec := model.NewSpec(Name, b.frame.Schema, t)
	if q, ok := b.train.Objective.(loss.Quantiler); ok {
		spec.Quantiles = q.Quantiles()
	}
	return &spec, fitting.Describe(&spec, l.Params(), &s)
}

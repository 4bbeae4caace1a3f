package portfolio

import (
	"encoding/json"
	"math"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	training.Trained
	// of the cross-validation; 1 = one hold-out set; 0: no row could be held out
	Folds int `json:"folds,omitempty"`
	// where there are rows or groups for fewer: how many they were to be
	Requested int  `json:"folds_requested,omitempty"`
	HoldOut   int  `json:"hold_out"`        // rows that the configurations predicted
	Refit     bool `json:"refit,omitempty"` // members were trained again, on all rows
	// of Loss and Configuration.Loss: logloss, rmse, ndcg@10 or concordance
	Metric string `json:"metric,omitempty"`
	// of the ensemble, out of fold; a little too low, since it was selected by it
	Loss *float64 `json:"loss,omitempty"`
	// Comparison decided between the ensemble and the first configuration; nil: there was one only.
	Comparison *Comparison `json:"comparison,omitempty"`
	// Configurations has all that were tried, in order.
	Configurations []Configuration `json:"configurations"`
}

// Configuration is what was found of one configuration.
type Configuration struct {
	Member   string   `json:"member"`
	Learner  string   `json:"learner"`
	Settings []string `json:"settings"` // KEY=VALUE, beside those of the member
	Loss     *float64 `json:"loss,omitempty"`
	Weight   float64  `json:"weight,omitempty"` // in the ensemble; 0 = it is not in it
	// whether its model is trained on all rows, in place of the models of the folds
	AllRows bool   `json:"all_rows,omitempty"`
	Error   string `json:"error,omitempty"` // why it could not be trained
}

// Check implements learn.Summary.
func (s *Summary) Check(_ model.Model) error {
	var c training.Checks
	c.Require(len(s.Configurations) > 0, "configurations", "there are none")
	for i := range s.Configurations {
		own := &s.Configurations[i]
		c.Name("learner", own.Learner)
		c.Name("member", own.Member)
		c.Require(own.Weight >= 0 && own.Weight <= 1, "weight", "%g", own.Weight)
	}
	return c.Err()
}

// model joins what was selected:
//
//	mean by weights
//	  gbm       mean of the models of its folds, or one model
//	  forest    the same
func (j *job) model() (model.Model, error) {
	found := &Summary{Trained: j.counted, Folds: len(j.folds),
		Requested: j.requested, HoldOut: len(j.tested), Refit: j.refit,
		Comparison: j.comparison}
	total := 0
	for _, t := range j.tried {
		total += t.weight
	}
	c := &committee.Committee{Meta: model.NewSpec(Name, j.frame.Schema, j.target)}
	c.Meta.Params = j.params
	for _, t := range j.tried {
		own := Configuration{Member: t.member.name, Learner: t.member.learned,
			Settings: append([]string{}, t.settings...)}
		switch {
		case t.err != nil:
			own.Error = t.err.Error()
		case len(j.folds) > 0:
			if v := t.shown(j); !math.IsNaN(v) && !math.IsInf(v, 0) {
				own.Loss = &v
			}
		}
		if t.weight > 0 {
			own.Weight, own.AllRows = float64(t.weight)/float64(total), t.allRows
			member, err := j.joined(t)
			if err != nil {
				return nil, err
			}
			c.Members, c.Weights = append(c.Members, member), append(c.Weights, own.Weight)
		}
		found.Configurations = append(found.Configurations, own)
	}
	j.score(found)
	var err error
	if c.Meta.Summary, err = json.Marshal(found); err != nil {
		return nil, err
	}
	return ensembles.Joined(c)
}

// joined returns the model of a configuration.
func (j *job) joined(t *tried) (model.Model, error) {
	if len(t.models) == 1 {
		return t.models[0], nil
	}
	c := &committee.Committee{Meta: model.NewSpec(t.member.learned, j.frame.Schema, j.target),
		Members: t.models}
	c.Meta.Params = t.params
	if flat, ok := c.Flatten(); ok {
		return flat, c.Validate()
	}
	return c, nil
}

// score sets the metric, and that of the ensemble.
func (j *job) score(found *Summary) {
	if len(j.folds) == 0 || j.tried[0].x == nil {
		return
	}
	found.Metric = j.metric()
	sum, n := make([]float64, len(j.tested)), 0.0
	for _, t := range j.tried {
		if t.weight == 0 {
			continue
		}
		n += float64(t.weight)
		for i, v := range t.x {
			sum[i] += float64(float64(t.weight) * v)
		}
	}
	all := &tried{loss: j.pool(nil, nil).loss(sum, nil, n)}
	if v := all.shown(j); !math.IsNaN(v) && !math.IsInf(v, 0) {
		found.Loss = &v
	}
}

// metric names what losses are shown by.
func (j *job) metric() string { return metric.Main(j.target.Task) }

// shown returns the loss of a configuration as the metric.
func (t *tried) shown(j *job) float64 {
	if !j.additive() {
		return 1 - t.loss
	}
	total := 0.0
	for _, row := range j.tested {
		total += j.target.WeightAt(row)
	}
	mean := t.loss / total
	if j.target.Task.Classes() {
		return mean
	}
	return math.Sqrt(mean)
}

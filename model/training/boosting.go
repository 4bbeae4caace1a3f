package training

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/model"
)

// The sets that a LearningCurve is of.
const (
	TrainingSet   = "training"
	ValidationSet = "validation"
	OutOfBagSet   = "out-of-bag"
)

// Log is the training log of boosting: the rounds so far and their metrics.
type Log struct {
	// rounds that were trained, those behind the best one included
	Rounds int `json:"trained_rounds"`
	// round of the best first metric on the validation set
	Best      int     `json:"best_round,omitempty"`
	Value     float64 `json:"best_value,omitempty"` // that metric there
	Stopped   bool    `json:"stopped,omitempty"`    // by early stopping
	Exhausted bool    `json:"exhausted,omitempty"`  // no split lowers the loss
	// the second derivatives of a loss of one's own did not add up to a number above 0
	Flat   bool            `json:"flat,omitempty"`
	Curves []LearningCurve `json:"curves,omitempty"`
}

// LearningCurve is the learning curve of a metric: its values after the rounds at which it was
// evaluated.
type LearningCurve struct {
	Set    string    `json:"set"` // TrainingSet or ValidationSet
	Metric string    `json:"metric"`
	Higher bool      `json:"higher,omitempty"` // greater values are better
	Rounds []int     `json:"rounds"`
	Values []float64 `json:"values"`
}

// Boosting is the training summary of a model that was trained in rounds, as JSON in its Spec.
type Boosting struct {
	Trained        // repetitions not counted
	Valid   int    `json:"valid,omitempty"` // rows of the validation set
	Loss    string `json:"loss"`            // name of the loss that was minimised
	Base    string `json:"base,omitempty"`  // learner of the members, where any can be
	Kept    int    `json:"rounds"`          // of the model
	// of those, rounds of the model that training resumed from
	Before int     `json:"before,omitempty"`
	Rate   float64 `json:"learning_rate"` // of the first round
	// how the number of rounds was chosen, where it was
	Chosen *Choice `json:"chosen,omitempty"`
	// how values of parameters were chosen before that, where they were
	Rehearsal *Rehearsal `json:"rehearsal,omitempty"`
	// whether rows that are later than those of training are predicted worse; nil: that was not
	// found, or the job did not ask for it
	TimeOrder *TimeOrder `json:"time_order,omitempty"`
	// InEffect is an object of the parameters whose values were left to training, as it chose them;
	// the parameters of the model stay as they were given. Empty: there are none.
	InEffect json.RawMessage `json:"in_effect,omitempty"`
	Log
}

// Check implements learn.Summary.
func (s *Boosting) Check(_ model.Model) error {
	var c Checks
	c.Require(s.Best <= s.Log.Rounds, "best_round", "%d of %d rounds", s.Best, s.Log.Rounds)
	c.Require(s.Best == 0 || len(s.Curves) > 0, "best_round", "%d by no curve", s.Best)
	c.Part("curves", s.checkCurves())
	if s.Rehearsal != nil {
		c.Part("rehearsal", s.Rehearsal.check())
	}
	if s.TimeOrder != nil {
		c.Require(len(s.TimeOrder.Columns) > 0, "time_order", "no column")
	}
	return c.Err()
}

// checkCurves requires a curve of each metric on each set at most, and as many values as rounds.
func (s *Boosting) checkCurves() error {
	var c Checks
	type key struct{ set, metric string }
	found := map[key]bool{}
	for i := range s.Curves {
		k := &s.Curves[i]
		c.Fields(k)
		c.Require(!found[key{k.Set, k.Metric}], "metric", "two curves of %q", k.Metric)
		found[key{k.Set, k.Metric}] = true
		c.Rising("rounds", k.Rounds)
		c.Length("values", len(k.Values), len(k.Rounds))
	}
	c.Require(len(found) <= mostCurves, "metric", "%d curves", len(found))
	return c.Err()
}

// mostCurves is more than the curves of all metrics on both sets.
const mostCurves = 1000

// RateFrom is a learning rate that starts at a round.
type RateFrom struct {
	Round int     `json:"round"` // from 0
	Rate  float64 `json:"learning_rate"`
}

// Choice is how cross-validation chose the number of rounds.
type Choice struct {
	// folds that were trained; 1 = one validation set; 0 = no rows could be held out, and the
	// number of rounds is the default
	Folds int `json:"folds"`
	Of    int `json:"of_folds,omitempty"` // into which the rows are divided; 0 = as many
	// rows are held out by time: in expanding folds, the latest ones of all, or the latest rows
	Time bool `json:"by_time,omitempty"`
	// of least mean metric, scaled to all rows: these are trained
	Rounds int `json:"rounds"`
	Best   int `json:"best_round"` // of least mean metric
	// all rows over those that a fold trains on, times FoldRate over Rate: Rounds is Best times
	// it, rounded, or as many as learn as much with Later rates
	Factor float64 `json:"factor,omitempty"`
	Rate   float64 `json:"learning_rate"` // the one that was trained with, at first
	// the rates that followed; nil: none did
	Later    []RateFrom `json:"later_rates,omitempty"`
	FoldRate float64    `json:"fold_learning_rate,omitempty"` // that of the folds; 0 = the same
	// that rounds were chosen by; "" where there were too few rows to choose by any
	Metric string    `json:"metric,omitempty"`
	Value  float64   `json:"value,omitempty"` // its mean at the best round
	Curve  []float64 `json:"curve,omitempty"` // its mean after each round
	Correction
}

// Correction is what a training does to the scores of its model, by those of the best round for
// rows that its trees have not seen.
type Correction struct {
	// of quantiles: what was added to the scores of each level, so that the fraction of hold-out
	// labels below is the level; nil: nothing
	Shifts []float64 `json:"shifts,omitempty"`
	// of classes: what all scores were divided by, so that the log loss is least; 0: they were not
	Temperature float64 `json:"temperature,omitempty"`
}

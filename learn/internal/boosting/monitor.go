// Package boosting owns what is common to learners that train in rounds: the choice of the loss,
// the training set and the validation set with their scores, and the monitor of a training. The
// monitor evaluates the metrics after each round, finds the best round, and decides on early
// stopping.
//
// A learner uses it in this order:
//
//	LossFor             the loss for the task of the label
//	SplitValidation     rows of the training set and of the validation set
//	NewSet              each set, with the loss bound to its labels
//	Monitor.Open        looks up the metrics
//	each round          the learner updates the scores of both sets and counts Rounds;
//	                    Monitor.Evaluate writes Log, and sets Stopped
//	ReportHoldOut       hands the predictions for the validation set to the job
//	training.Boosting   holds the Log in the model
package boosting

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model/training"
)

// Monitoring is what a Monitor evaluates, and when it stops a training.
type Monitoring struct {
	Target *data.Target
	Loss   string // its name
	Metric string // value of the parameter metric
	// metrics of the caller's own, evaluated before those of Metric; nil = none
	Own   []metric.Metric
	Train *Set
	Valid *Set // nil: there is none
	// Compat follows XGBoost and LightGBM in metrics of rankings; see metric.Sample
	Compat bool
	// rounds after which the training set is evaluated, and the last one; 0 = never, as for a
	// ranking of which no row is relevant
	Every  int
	Rounds int // that the training has at most
	// rounds without improvement on the validation set that end the training; 0 = none do
	EarlyStopping int
	Workers       int    // above 0
	Advice        string // ends the error of a metric that is not finite
}

// Monitor evaluates metrics after each round of a training, and writes its Log.
type Monitor struct {
	training.Log
	Latest []learn.Metric // of the last round

	of      Monitoring
	metrics []namedMetric
}

var errNoRows = errors.New("there are no rows to train on")

// Open looks the metrics up and lays out their curves. Those of the training set are left out where
// it is never evaluated; the first metric on the validation set decides early stopping:
//
//	| training: metric 0, metric 1, ... | validation: metric 0, metric 1, ... |
func (k *Monitor) Open(m Monitoring) error {
	if m.Every > 0 && !m.Compat && !m.Target.Relevant(m.Train.Rows) {
		m.Every = 0
	}
	k.of = m
	var err error
	if k.metrics, err = k.of.lookUp(); err != nil {
		return err
	}
	for _, p := range []*Set{m.Train, m.Valid} {
		if p == nil || p == m.Train && m.Every == 0 {
			continue
		}
		for _, m := range k.metrics {
			k.Curves = append(k.Curves,
				training.LearningCurve{Set: p.Name, Metric: m.name, Higher: m.higher,
					Rounds: []int{}, Values: []float64{}})
		}
	}
	return nil
}

// Evaluate evaluates both sets after a round, whose number is Rounds. It finds the best round so
// far, and decides whether to stop.
func (k *Monitor) Evaluate() error {
	m := &k.of
	k.Latest = nil
	at := 0
	if m.Every > 0 {
		if k.Due() {
			if err := k.enter(m.Train, k.Curves); err != nil {
				return err
			}
		}
		at = len(k.metrics)
	}
	if m.Valid == nil {
		return nil
	}
	if err := k.enter(m.Valid, k.Curves[at:]); err != nil {
		return err
	}
	first := k.First()
	v := first.Values[len(first.Values)-1]
	if k.Best == 0 || first.Higher && v > k.Value || !first.Higher && v < k.Value {
		k.Best, k.Value = k.Rounds, v
	}
	k.Stopped = m.EarlyStopping > 0 && k.Rounds-k.Best >= m.EarlyStopping
	return nil
}

// Due reports whether the training set is evaluated after the round that has ended.
func (k *Monitor) Due() bool {
	return k.of.Every > 0 && (k.Rounds%k.of.Every == 0 || k.Rounds == k.of.Rounds)
}

// Limit sets how many rounds the training has at most, if that was not known when it began.
func (k *Monitor) Limit(rounds int) { k.of.Rounds = rounds }

// Truncate takes back the rounds behind the first n, of a training without a validation set.
func (k *Monitor) Truncate(n int) {
	k.Rounds = min(k.Rounds, n)
	for i := range k.Curves {
		c := &k.Curves[i]
		end := 0
		for end < len(c.Rounds) && c.Rounds[end] <= n {
			end++
		}
		c.Rounds, c.Values = c.Rounds[:end], c.Values[:end]
	}
}

// First returns the curve of the first metric on the validation set, which must be there.
func (k *Monitor) First() *training.LearningCurve { return &k.Curves[len(k.Curves)-len(k.metrics)] }

// ValueOf evaluates the first metric on another set.
func (k *Monitor) ValueOf(p *Set) (float64, error) {
	return k.of.evaluate(&k.metrics[0], p, k.Rounds)
}

// enter evaluates a set and appends to its curves, the first ones of some.
func (k *Monitor) enter(p *Set, curves []training.LearningCurve) error {
	for i := range k.metrics {
		v, err := k.of.evaluate(&k.metrics[i], p, k.Rounds)
		if err != nil {
			return err
		}
		curves[i].Rounds, curves[i].Values = append(curves[i].Rounds, k.Rounds),
			append(curves[i].Values, v)
		k.Latest = append(k.Latest, learn.Metric{Set: p.Name, Name: k.metrics[i].name, Value: v})
	}
	return nil
}

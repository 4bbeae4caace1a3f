// Package boosting owns what learners that train in rounds share: the loss that they minimise,
// chosen by name; the rows that they measure, with their scores; and the book of a training, which
// says what was measured after each round, which round was the best, and when it is time to stop.
package boosting

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
)

// Course is what is known of the rounds so far.
type Course struct {
	// that were trained, those behind the best one included
	Rounds int `json:"trained_rounds"`
	// of the least or greatest first metric on the validation part
	Best      int     `json:"best_round,omitempty"`
	Value     float64 `json:"best_value,omitempty"` // that metric there
	Stopped   bool    `json:"stopped,omitempty"`    // for want of gain on the validation part
	Exhausted bool    `json:"exhausted,omitempty"`  // nothing was left to be learnt
	Curves    []Curve `json:"curves,omitempty"`
}

// Curve is a metric on some rows after the rounds at which it was measured.
type Curve struct {
	Part   string    `json:"part"` // training or validation
	Metric string    `json:"metric"`
	Higher bool      `json:"higher,omitempty"` // more is better
	Rounds []int     `json:"rounds"`
	Values []float64 `json:"values"`
}

// Measuring is what is measured of a training, and what is made of it.
type Measuring struct {
	Target *data.Target
	Loss   string // its name
	Metric string // of the parameter metric
	// metrics of the caller's own, evaluated before those of Metric; nil = none
	Own   []metric.Metric
	Train *Part
	Valid *Part // nil: only the training part is measured
	// rounds after which the training part is measured, and at the last one; 0 = never
	Every  int
	Rounds int // that there are to be
	// rounds without gain on the validation part that end the training; 0 = none do
	EarlyStopping int
	Workers       int    // above 0
	Advice        string // what to do about measures that are not finite
}

// History keeps the course of a training.
type History struct {
	Course
	Latest []learn.Metric // of the last round

	measuring Measuring
	metrics   []measure
}

var errNoRows = errors.New("there are no rows to train on")

// Open looks the metrics up and lays out their curves, of the training part first.
func (k *History) Open(m Measuring) error {
	k.measuring = m
	var err error
	if k.metrics, err = k.measuring.lookUp(); err != nil {
		return err
	}
	for _, p := range []*Part{m.Train, m.Valid} {
		if p == nil || p == m.Train && m.Every == 0 {
			continue
		}
		for _, m := range k.metrics {
			k.Curves = append(k.Curves, Curve{Part: p.Name, Metric: m.name, Higher: m.higher, Rounds: []int{}, Values: []float64{}})
		}
	}
	return nil
}

// Evaluate measures the parts after a round, whose number is Rounds, and finds out whether it is
// the best, and time to stop.
func (k *History) Evaluate() error {
	m := &k.measuring
	k.Latest = nil
	at := 0
	if m.Every > 0 {
		if k.Rounds%m.Every == 0 || k.Rounds == m.Rounds {
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

// First returns the curve of the first metric on the validation part; there must be one.
func (k *History) First() *Curve { return &k.Curves[len(k.Curves)-len(k.metrics)] }

// enter measures a part and continues its curves, the first ones of some.
func (k *History) enter(p *Part, curves []Curve) error {
	for i := range k.metrics {
		v, err := k.measuring.measureOf(&k.metrics[i], p, k.Rounds)
		if err != nil {
			return err
		}
		curves[i].Rounds, curves[i].Values = append(curves[i].Rounds, k.Rounds), append(curves[i].Values, v)
		k.Latest = append(k.Latest, learn.Metric{Part: p.Name, Name: k.metrics[i].name, Value: v})
	}
	return nil
}

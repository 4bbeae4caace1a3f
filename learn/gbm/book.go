package gbm

import (
	"encoding/json"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Summary is what a model of gbm tells of its training.
type Summary struct {
	Rows   int     `json:"rows"`             // that were trained on, repetitions not counted
	Valid  int     `json:"valid,omitempty"`  // that rounds were measured by
	Loss   string  `json:"loss"`             // name of the loss that was minimised
	Kept   int     `json:"rounds"`           // of the model
	Before int     `json:"before,omitempty"` // of those, rounds of the model that training went on from
	Rate   float64 `json:"learning_rate"`    // of the first round
	Chosen *Choice `json:"chosen,omitempty"` // how the number of rounds was chosen, where it was
	Course
}

// Course is what is known of the rounds so far.
type Course struct {
	Rounds    int     `json:"trained_rounds"`       // that were trained, those behind the best one included
	Best      int     `json:"best_round,omitempty"` // of the least or greatest first metric on the validation part
	Value     float64 `json:"best_value,omitempty"` // that metric there
	Stopped   bool    `json:"stopped,omitempty"`    // for want of gain on the validation part
	Exhausted bool    `json:"exhausted,omitempty"`  // nothing was left to be split
	Curves    []Curve `json:"curves,omitempty"`
}

// book keeps the course of a training.
type book struct {
	Course
	metrics []measure
	latest  []learn.Metric // of the last round
}

// Curve is a metric on some rows after the rounds at which it was measured.
type Curve struct {
	Part   string    `json:"part"` // training or validation
	Metric string    `json:"metric"`
	Higher bool      `json:"higher,omitempty"` // more is better
	Rounds []int     `json:"rounds"`
	Values []float64 `json:"values"`
}

// open looks the metrics up and lays out their curves.
func (k *book) open(b *boost) error {
	var err error
	if k.metrics, err = b.measures(); err != nil {
		return err
	}
	for _, p := range []*part{b.train, b.valid} {
		if p == nil || p == b.train && b.learner.TrainMeasure == 0 {
			continue
		}
		for _, m := range k.metrics {
			k.Curves = append(k.Curves, Curve{Part: p.name, Metric: m.name, Higher: m.higher, Rounds: []int{}, Values: []float64{}})
		}
	}
	return nil
}

// measure measures the parts after a round, and finds out whether it is time to stop.
func (k *book) measure(b *boost) error {
	k.latest = nil
	at := 0
	if every := b.learner.TrainMeasure; every > 0 {
		if k.Rounds%every == 0 || k.Rounds == b.learner.Trees {
			if err := k.enter(b, b.train, k.Curves); err != nil {
				return err
			}
		}
		at = len(k.metrics)
	}
	if b.valid == nil {
		return nil
	}
	curves := k.Curves[at:]
	if err := k.enter(b, b.valid, curves); err != nil {
		return err
	}
	first := &curves[0]
	v := first.Values[len(first.Values)-1]
	if k.Best == 0 || first.Higher && v > k.Value || !first.Higher && v < k.Value {
		k.Best, k.Value = k.Rounds, v
		b.bestWeights = slices.Clone(b.model.Weights)
	}
	patience := b.learner.EarlyStopping
	k.Stopped = patience > 0 && (k.Rounds-k.Best >= patience || b.auto && slow(first.Values, patience, b.target.Task.Classes()))
	return nil
}

// enter measures a part and continues its curves, the first ones of some.
func (k *book) enter(b *boost, p *part, curves []Curve) error {
	for i := range k.metrics {
		v, err := k.metrics[i].measureOf(b, p)
		if err != nil {
			return err
		}
		curves[i].Rounds, curves[i].Values = append(curves[i].Rounds, k.Rounds), append(curves[i].Values, v)
		k.latest = append(k.latest, learn.Metric{Part: p.name, Name: k.metrics[i].name, Value: v})
	}
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
	s := Summary{Rows: len(b.train.rows), Loss: b.loss, Kept: b.before + (len(m.Trees)-b.first)/b.width(), Before: b.before, Rate: b.learner.Rate, Chosen: b.choice, Course: b.book.Course}
	if b.valid != nil {
		s.Valid = len(b.valid.rows)
	}
	var err error
	if m.Meta.Summary, err = json.Marshal(s); err != nil {
		return err
	}
	m.Meta.Schema, m.Inputs = b.schema, b.inputs
	m.Meta.Params, err = json.Marshal(b.asGiven().Params())
	return err
}

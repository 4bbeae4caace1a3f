package model

import (
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// WithDecision returns a model of classes with another decision: its labels are those that d
// chooses by the probabilities of m, whose other outputs stay. m is not changed. A decision that
// does not fit the classes, as a threshold between three, is an error.
//
// A threshold of 0 is none, see Decision: to label all rows of a probability above 0 as positive
// use math.SmallestNonzeroFloat64.
func WithDecision(m Model, d Decision) (Model, error) {
	spec := *m.Spec()
	if !spec.Task.Classes() {
		return nil, fmt.Errorf("a decision chooses one of several classes, and the model "+
			"predicts none: its task is %s", spec.Task)
	}
	spec.Decision = d
	return &decided{m, &spec}, spec.Validate()
}

// decided is a model whose labels another decision chooses.
type decided struct {
	Model
	spec *Spec
}

func (m *decided) Spec() *Spec { return m.spec }

// Bind binds labels by the probabilities that they are chosen by, all else as the model does. An
// ensemble of trees chooses its labels itself, by as many trees as it needs for the decision.
func (m *decided) Bind(s *data.Schema, o Options) (Predictor, error) {
	if o.Output != Label {
		return m.Model.Bind(s, o)
	}
	if e, ok := m.Model.(*Ensemble); ok {
		own := *e
		own.Meta = *m.spec
		return own.Bind(s, o)
	}
	o.Output = Response
	p, err := m.Model.Bind(s, o)
	return &decider{of: p, decision: &m.spec.Decision}, err
}

// decider chooses labels by what a predictor of probabilities predicts.
type decider struct {
	of       Predictor
	decision *Decision
	buffers  sync.Pool // of *[]float64: responses of single rows
}

func (p *decider) Width() int { return 1 }

func (p *decider) Predict(dst []float64, f *data.Frame, rows []int32) error {
	rows = f.Chosen(rows)
	if len(dst) < len(rows) {
		return &SizeError{Want: len(rows), Got: len(dst)}
	}
	width := p.of.Width()
	response := make([]float64, len(rows)*width)
	if err := p.of.Predict(response, f, rows); err != nil {
		return err
	}
	for i := range rows {
		dst[i] = float64(p.decision.Label(response[i*width : (i+1)*width]))
	}
	return nil
}

func (p *decider) PredictRow(dst, row []float64) error {
	return p.decide(dst, func(response []float64) error { return p.of.PredictRow(response, row) })
}

func (p *decider) PredictSparse(dst []float64, index []int32, value []float64) error {
	return p.decide(dst, func(response []float64) error {
		return p.of.PredictSparse(response, index, value)
	})
}

// decide writes the label of one row, which predict predicts.
func (p *decider) decide(dst []float64, predict func(response []float64) error) error {
	if len(dst) < 1 {
		return &SizeError{Want: 1, Got: len(dst)}
	}
	b, _ := p.buffers.Get().(*[]float64)
	if b == nil {
		b = new([]float64)
		*b = make([]float64, p.of.Width())
	}
	defer p.buffers.Put(b)
	if err := predict(*b); err != nil {
		return err
	}
	dst[0] = float64(p.decision.Label(*b))
	return nil
}

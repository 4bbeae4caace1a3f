package committee

import (
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Bind matches the columns, by name, to those of a table. Response are the calibrated
// probabilities, Label the class that the model's own decision chooses by them; Raw, Leaf and
// Options.Rounds are those of the base. There are no Quantiles.
func (c *Calibrated) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	switch o.Output {
	case model.Quantiles:
		return nil, model.ErrNoQuantiles
	case model.Raw, model.Leaf:
		return c.Base.Bind(s, o)
	}
	return model.BindTexts(&c.Meta.Schema, s, func(s *data.Schema) (model.Predictor, error) {
		return c.bind(s, o)
	})
}

// bind is Bind to a table that has the columns that the model has of texts.
func (c *Calibrated) bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	label := o.Output == model.Label
	o.Output = model.Response
	base, err := c.Base.Bind(s, o)
	if err != nil {
		return nil, err
	}
	if base.Width() != c.Outputs() {
		return nil, fmt.Errorf("the base predicts %d values for %d classes",
			base.Width(), c.Outputs())
	}
	guard, err := model.Guard(&c.Meta.Schema, s)
	return &calibratedPredictor{model: c, base: base, guard: guard, label: label, workers: o.Workers}, err
}

// calibratedPredictor is a calibrated model bound to a table.
type calibratedPredictor struct {
	model       *Calibrated
	base, guard model.Predictor
	label       bool
	workers     int
	buffers     sync.Pool // of *[]float64: class probabilities of single rows, for labels
}

// Width returns the number of values per row.
func (p *calibratedPredictor) Width() int {
	if p.label {
		return 1
	}
	return p.model.Outputs()
}

// Predict predicts rows; nil means all.
func (p *calibratedPredictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	rows = f.Chosen(rows)
	if want := len(rows) * p.Width(); len(dst) < want {
		return &model.SizeError{Want: want, Got: len(dst)}
	}
	if err := p.guard.Predict(nil, f, rows); err != nil {
		return err
	}
	k := p.model.Outputs()
	probabilities := dst
	if p.label {
		probabilities = make([]float64, len(rows)*k)
	}
	if err := p.base.Predict(probabilities, f, rows); err != nil {
		return err
	}
	return model.InBlocks(len(rows), p.workers, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			p.finish(dst, probabilities[i*k:(i+1)*k], i)
		}
		return nil
	})
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *calibratedPredictor) PredictRow(dst, row []float64) error {
	return p.one(dst, func(of model.Predictor, dst []float64) error {
		return of.PredictRow(dst, row)
	})
}

// PredictSparse predicts one row given as values of some columns of the bound schema.
func (p *calibratedPredictor) PredictSparse(dst []float64, index []int32, value []float64) error {
	return p.one(dst, func(of model.Predictor, dst []float64) error {
		return of.PredictSparse(dst, index, value)
	})
}

// one predicts one row by a function that calls a predictor.
func (p *calibratedPredictor) one(
	dst []float64, predict func(of model.Predictor, dst []float64) error,
) error {
	if len(dst) < p.Width() {
		return &model.SizeError{Want: p.Width(), Got: len(dst)}
	}
	if err := predict(p.guard, nil); err != nil {
		return err
	}
	probabilities := dst
	if p.label {
		b, _ := p.buffers.Get().(*[]float64)
		if b == nil {
			b = new([]float64)
			*b = make([]float64, p.model.Outputs())
		}
		defer p.buffers.Put(b)
		probabilities = *b
	}
	probabilities = probabilities[:p.model.Outputs()]
	if err := predict(p.base, probabilities); err != nil {
		return err
	}
	p.finish(dst, probabilities, 0)
	return nil
}

// finish calibrates the fractions of row i, and writes its label if that is requested.
func (p *calibratedPredictor) finish(dst, probabilities []float64, i int) {
	p.model.Apply(probabilities)
	if p.label {
		dst[i] = float64(p.model.Meta.Decision.Label(probabilities))
	}
}

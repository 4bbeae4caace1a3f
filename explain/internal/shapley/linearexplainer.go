package shapley

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// linearExplainer explains weighted sums. What a column contributes is its terms less their mean.
type linearExplainer struct {
	terms model.Predictor // sum of each column's terms, by score and field
	mean  []float64       // of the terms
	bias  []float64
}

// newLinearExplainer finds the columns of a model in a table. The mean is that of the background,
// or without one that of the training rows, which the encoding has for values that it does not
// know.
func newLinearExplainer(
	ctx context.Context, m *dense.Linear, s *data.Schema, o Options,
) (*linearExplainer, error) {
	width := len(m.Bias) * len(m.Meta.Schema.Fields)
	bind := func(s *data.Schema) (model.Predictor, error) {
		return m.Encoding.Bind(s, model.Options{Output: model.Raw, Workers: o.Workers},
			dense.Scores{Spec: &m.Meta, Scores: width, Start: func() func(dst, x []float64) {
				return func(dst, x []float64) { addTerms(dst, m, x) }
			}})
	}
	e := &linearExplainer{mean: make([]float64, width), bias: slices.Clone(m.Bias)}
	if o.Background == nil {
		addTerms(e.mean, m, trainingMeans(m))
	} else {
		terms, err := bind(&o.Background.Schema)
		if err != nil {
			return nil, fmt.Errorf("background table: %w", err)
		}
		if err := e.average(ctx, terms, o.Background); err != nil {
			return nil, err
		}
	}
	for i, v := range e.mean {
		e.bias[i/len(m.Meta.Schema.Fields)] += v
	}
	var err error
	e.terms, err = bind(s)
	return e, err
}

// trainingMeans returns the mean vector of the training rows.
func trainingMeans(m *dense.Linear) []float64 {
	var x []float64
	for i := range m.Encoding.Columns {
		if c := &m.Encoding.Columns[i]; c.Numeric() {
			x = append(x, 0)
		} else {
			x = append(x, c.Fraction...)
		}
	}
	return x
}

// addTerms writes the sum of each column's terms of a vector.
func addTerms(dst []float64, m *dense.Linear, x []float64) {
	fields := len(m.Meta.Schema.Fields)
	clear(dst)
	for s := range m.Bias {
		coefs, of := m.Of(s), dst[s*fields:][:fields]
		at := 0
		for i := range m.Encoding.Columns {
			c := &m.Encoding.Columns[i]
			for range c.Width() {
				of[c.Field] += float64(coefs[at] * x[at])
				at++
			}
		}
	}
}

// linearRows is the number of rows whose terms are in memory at a time.
const linearRows = 1024

// average sets mean to the mean terms of a table.
func (e *linearExplainer) average(ctx context.Context, terms model.Predictor, f *data.Frame) error {
	if f.Rows() == 0 {
		return ErrNoBackground
	}
	buffer := make([]float64, linearRows*len(e.mean))
	for part := range slices.Chunk(f.Chosen(nil), linearRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := terms.Predict(buffer, f, part); err != nil {
			return fmt.Errorf("background table: %w", err)
		}
		for i, v := range buffer[:len(part)*len(e.mean)] {
			e.mean[i%len(e.mean)] += v
		}
	}
	for i := range e.mean {
		e.mean[i] /= float64(f.Rows())
	}
	return nil
}

// explain writes the contributions to the scores of rows.
func (e *linearExplainer) explain(
	ctx context.Context, dst []float64, f *data.Frame, rows []int32,
) error {
	width := len(e.mean)
	for part := range slices.Chunk(rows, linearRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.terms.Predict(dst, f, part); err != nil {
			return err
		}
		for i := range len(part) * width {
			dst[i] -= e.mean[i%width]
		}
		dst = dst[len(part)*width:]
	}
	return nil
}

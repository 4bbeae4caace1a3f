package parity

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// CompareOther is compareLinear for a model without trees; of others than linear ones it returns
// nil, since no rows are known to compare them on.
func CompareOther(
	ctx context.Context, m model.Model, ref codec.Reference, single bool, most int,
) (*model.Certificate, error) {
	l, ok := m.(*dense.Linear)
	if !ok {
		return nil, nil
	}
	return compareLinear(ctx, l, ref, single, most)
}

// compareLinear compares the scores and responses of a linear model of numbers with a reference
// that was read from the same file, as Compare does. There are rows with one column alone, at some
// values and missing, and up to most rows in all; the others have random values in all columns.
// single reports that the reference has single precision. The certificate has no rows for Verify,
// and the largest difference that it allows is that of the largest scores.
func compareLinear(
	ctx context.Context, m *dense.Linear, ref codec.Reference, single bool, most int,
) (*model.Certificate, error) {
	if ref.Trees() != 0 || ref.Scores() != m.Scores() || ref.Outputs() != m.Outputs() {
		return nil, fmt.Errorf("the model has %d scores and %d outputs, the file %d, %d and %d "+
			"trees", m.Scores(), m.Outputs(), ref.Scores(), ref.Outputs(), ref.Trees())
	}
	p, err := linearProbes(m, most)
	if err != nil {
		return nil, err
	}
	c := &comparison{probes: p, cert: &model.Certificate{Rows: p.Rows()}, slack: 1e-12,
		scores: make([]float64, ref.Scores()), response: make([]float64, ref.Outputs())}
	if single {
		c.slack = 1e-6
	}
	chunk := max(1, min(mostChunk, chunkOutputs/max(1, m.Outputs(), m.Scores())))
	for from := 0; from < p.Rows(); from += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+chunk, p.Rows())
		scores, width, err := outputs(m, p, model.Raw, from, to)
		if err != nil {
			return nil, err
		}
		responses, outputs, err := outputs(m, p, model.Response, from, to)
		if err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			allowed := c.cert.Allowed
			c.cert.Allowed = allowedLinear(m, p.Row(i), single)
			err := c.values(ref, scores[(i-from)*width:][:width],
				responses[(i-from)*outputs:][:outputs], i)
			if err != nil {
				return nil, err
			}
			c.cert.Allowed = max(c.cert.Allowed, allowed)
		}
	}
	c.cert.Largest = c.largest
	return c.cert, nil
}

// linearProbes makes the rows for a linear model.
func linearProbes(m *dense.Linear, most int) (*Probes, error) {
	fields := m.Meta.Schema.Fields
	for i := range fields {
		if fields[i].Kind != data.Numeric {
			return nil, fmt.Errorf("the column %q of a linear model is %s", fields[i].Name,
				fields[i].Kind)
		}
	}
	p := &Probes{Columns: len(fields)}
	alone := []float64{1, math.NaN(), 0.1, -2.5, 1e-3}
	for _, x := range alone[:min(len(alone), max(1, most/max(1, 2*len(fields))))] {
		for c := range fields {
			row := make([]float64, len(fields))
			row[c] = x
			p.Values = append(p.Values, row...)
		}
	}
	random := rng.New(1)
	for range max(1, min(most/2, 256)) {
		p.Values = append(p.Values, randomRow(fields, random)...)
	}
	return p, nil
}

// allowedLinear returns the difference that rounding may make to a score of a row: as Allowed, of
// the sizes of all that is added, which in single precision are rounded themselves.
func allowedLinear(m *dense.Linear, row []float64, single bool) float64 {
	most := 0.0
	for s, b := range m.Bias {
		sum := math.Abs(b)
		for place, c := range m.Encoding.Columns {
			if x := row[c.Field]; !math.IsNaN(x) {
				sum += math.Abs(m.Of(s)[place] * (x - c.Mean) / c.Scale)
			}
		}
		most = max(most, sum)
	}
	if single {
		return float64(len(row)+4) * 0x1p-24 * most
	}
	return 1e-12 * max(1, most)
}

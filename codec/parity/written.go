package parity

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Written compares the responses of a model with those of a file that was written of it, on probes.
// With single the file is one of single precision: it is compared on rows that single precision can
// hold, for which decisions stay the same. It returns the largest difference; one beyond the
// rounding of leaves and sums is a *DifferenceError.
func Written(
	ctx context.Context, m *model.Ensemble, ref codec.Reference, single bool, p *Probes,
) (float64, error) {
	if ref.Outputs() != m.Outputs() {
		return 0, fmt.Errorf("the model has %d outputs, the file %d", m.Outputs(), ref.Outputs())
	}
	if single {
		p = p.rounded(&m.Meta.Schema)
	}
	c := &comparison{probes: p, scores: make([]float64, ref.Scores()),
		response: make([]float64, ref.Outputs()), steps: steps(m)}
	bound := Allowed(m, single)
	if single {
		bound += 1e-6 // the tool's exponential is one of single precision
	}
	chunk := chunkOf(m)
	for from := 0; from < p.Rows(); from += chunk {
		to := min(from+chunk, p.Rows())
		got, width, err := outputs(m, p, model.Response, from, to)
		if err != nil {
			return 0, err
		}
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if ref.Raw(c.scores, p.Row(i)); c.undecided(bound) {
				continue
			}
			ref.Response(c.response, p.Row(i))
			for k, want := range c.response {
				err := c.compare(i, fmt.Sprintf("response %d", k), got[(i-from)*width+k], want,
					bound*max(1, 2*math.Abs(want)))
				if err != nil {
					return 0, err
				}
			}
		}
	}
	return c.largest, nil
}

// rounded returns the rows with numbers of single precision.
func (p *Probes) rounded(s *data.Schema) *Probes {
	own := *p
	own.Values = make([]float64, len(p.Values))
	for i, x := range p.Values {
		if own.Values[i] = x; s.Fields[i%p.Columns].Kind == data.Numeric {
			own.Values[i] = float64(float32(x))
		}
	}
	return &own
}

package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// huberLoss is half the squared error up to a distance Delta and grows linearly beyond (Huber
// 1964). The second derivative is 0 beyond; 1 replaces it there. The best values of leaves are
// searched for.
type huberLoss struct {
	Delta float64 // in units of the label
}

// Params declares delta.
func (l *huberLoss) Params() param.Set { return param.Set{deltaParam(&l.Delta)} }

func deltaParam(p *float64) param.Param {
	return param.Float(p, "delta", 1, 0, math.MaxFloat64,
		"distance from the label, in its unit, from which on the loss grows linearly",
		param.ExcludeMin)
}

// Bind takes all numbers.
func (l *huberLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	o, err := numbersByRow(l, huber{l.Delta}, t, rows,
		domain{loss: "huber", want: "that are finite"}, link.Identity())
	if err != nil {
		return nil, err
	}
	return shifting{o}, nil
}

type huber struct{ delta float64 }

func (f huber) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		g[i], h[i] = min(max(x-y[i], -f.delta), f.delta), 1
	}
}

func (f huber) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		d := math.Abs(x - y[i])
		m := min(d, f.delta)
		v[i] = m * (d - float64(m/2))
	}
}

func (f huber) start(c *cases, y []float64) float64 { return c.flat(f, y) }

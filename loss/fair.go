package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// fairLoss is Scale^2 (d / Scale - log(1 + d / Scale)) with d = |y - x| (Fair 1974).
type fairLoss struct {
	Scale float64 // in units of the label
}

// Params declares scale.
func (l *fairLoss) Params() param.Set {
	return param.Set{param.Float(&l.Scale, "scale", 1, 0, math.MaxFloat64,
		"distance from the label, in its unit, at which the slope is half its limit",
		param.ExcludeMin)}
}

// Bind takes all numbers.
func (l *fairLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, fair{l.Scale}, t, rows, domain{loss: "fair", want: "that are finite"},
		link.Identity())
}

type fair struct{ scale float64 }

func (f fair) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		d := x - y[i]
		s := 1 / (1 + math.Abs(d)/f.scale)
		g[i], h[i] = d*s, s*s
	}
}

func (f fair) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		z := math.Abs(x-y[i]) / f.scale
		v[i] = f.scale * f.scale * (z - kernel.Log1p(z))
	}
}

func (f fair) start(c *cases, y []float64) float64 { return c.flat(f, y) }

package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// expectileLoss is the asymmetric squared error, Level (y - x)^2 where y >= x, else (1 - Level) (y
// - x)^2 (Newey & Powell 1987). The start value is searched for; at level 1/2 it is the mean.
type expectileLoss struct {
	Level float64 // between 0 and 1
}

// Params declares level.
func (l *expectileLoss) Params() param.Set {
	return param.Set{param.Float(&l.Level, "level", 0.5, 0, 1,
		"weight of labels above the prediction, the rest to 1 is that of labels below",
		param.ExcludeMin, param.ExcludeMax)}
}

// Bind takes all numbers.
func (l *expectileLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, expectile{l.Level}, t, rows,
		domain{loss: "expectile", want: "that are finite"}, link.Identity())
}

type expectile struct{ level float64 }

// side returns the factor of the square of x - y.
func (f expectile) side(d float64) float64 {
	if d > 0 {
		return 1 - f.level
	}
	return f.level
}

func (f expectile) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		d := x - y[i]
		h[i] = 2 * f.side(d)
		g[i] = h[i] * d
	}
}

func (f expectile) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		d := x - y[i]
		v[i] = f.side(d) * d * d
	}
}

func (f expectile) start(c *cases, y []float64) float64 { return c.flat(f, y) }

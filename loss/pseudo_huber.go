package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// pseudoHuberLoss is a smooth form of huber, Delta^2 (sqrt(1 + (y - x)^2 / Delta^2) - 1).
type pseudoHuberLoss struct {
	Delta float64 // in units of the label
}

// Params declares delta.
func (l *pseudoHuberLoss) Params() param.Set { return param.Set{deltaParam(&l.Delta)} }

// Bind takes all numbers.
func (l *pseudoHuberLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, pseudoHuber{l.Delta}, t, rows,
		domain{loss: "pseudo_huber", want: "that are finite"}, link.Identity())
}

type pseudoHuber struct{ delta float64 }

func (f pseudoHuber) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		d := x - y[i]
		z := d / f.delta
		s := math.Sqrt(1 + float64(z*z))
		g[i], h[i] = d/s, 1/(s*s*s)
	}
}

func (f pseudoHuber) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		d := x - y[i]
		z := d / f.delta
		// the difference of the definition, without its cancellation
		v[i] = d * d / (1 + math.Sqrt(1+float64(z*z)))
	}
}

func (f pseudoHuber) start(c *cases, y []float64) float64 { return c.flat(f, y) }

package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// squaredLoss is half the squared error, (y - x)^2 / 2, for one label or several. The start value
// is the mean.
type squaredLoss struct{ fixed }

// Bind takes all numbers.
func (l *squaredLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, squared{}, t, rows, domain{loss: "squared", want: "that are finite"},
		link.Identity())
}

type squared struct{}

func (squared) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		g[i], h[i] = x-y[i], 1
	}
}

func (squared) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		d := y[i] - x
		v[i] = d * d / 2
	}
}

func (squared) start(c *cases, y []float64) float64 { return c.mean(y) }

package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// gammaLoss is half the gamma deviance of y > 0 from e^x: y e^-x + x - log y - 1. The start value
// is the log of the mean.
type gammaLoss struct{ fixed }

// Bind takes numbers above 0.
func (l *gammaLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, gamma{}, t, rows,
		domain{"gamma", "above 0", func(y float64) bool { return y > 0 }}, link.Exp())
}

type gamma struct{}

func (gamma) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		h[i] = -x
	}
	kernel.Exps(h, h[:len(raw)])
	for i, e := range h[:len(raw)] {
		r := float64(y[i] * e)
		g[i], h[i] = 1-r, r
	}
}

func (gamma) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = float64(y[i]*kernel.Exp(-x)) + (x - kernel.Log(y[i]) - 1)
	}
}

func (gamma) start(c *cases, y []float64) float64 { return c.logMean(y) }

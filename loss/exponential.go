package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// exponentialLoss is AdaBoost's loss of two classes: e^(-x/2) for rows of the second and e^(x/2)
// for the others. Here x is the log odds, twice the score of Friedman, Hastie & Tibshirani (2000).
// The start value is that of logistic.
type exponentialLoss struct{ fixed }

// Bind takes labels of two classes, or of one.
func (l *exponentialLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindClasses(l, exponential{}, "exponential", t, rows, link.Logistic())
}

type exponential struct{}

func (exponential) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		side := 0.5 - y[i]
		v := kernel.Exp(side * x)
		g[i], h[i] = side*v, v/4
	}
}

func (exponential) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = kernel.Exp((0.5 - y[i]) * x)
	}
}

func (exponential) start(c *cases, y []float64) float64 { return c.logOdds(y) }

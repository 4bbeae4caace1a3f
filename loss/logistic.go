package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// logisticLoss is the log loss of two classes: log(1 + e^-x) for rows of the second class, log(1 +
// e^x) for the others; x is the log odds of the second. The start value is the log odds of the
// class frequencies, at most 36 away from 0.
type logisticLoss struct{ fixed }

// Bind takes labels of two classes, or of one.
func (l *logisticLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindClasses(l, logistic{}, "logistic", t, rows, link.Logistic())
}

type logistic struct{}

func (logistic) derive(g, h, y, raw []float64) { kernel.Logistic(g, h, y, raw) }

func (logistic) evaluate(v, y, raw []float64) {
	v, y = v[:len(raw)], y[:len(raw)]
	for i, x := range raw {
		v[i] = -math.Abs(x)
	}
	kernel.Exps(v, v)
	kernel.Log1ps(v, v)
	for i, x := range raw {
		v[i] += max(x, 0) - float64(y[i]*x)
	}
}

func (logistic) start(c *cases, y []float64) float64 { return c.logOdds(y) }

// logOdds returns the log odds of the mean of values from 0 to 1.
func (c *cases) logOdds(y []float64) float64 {
	first := make([]float64, len(y))
	for i := range y {
		first[i] = 1 - y[i]
	}
	odds := kernel.Log(c.mean(y)) - kernel.Log(c.mean(first))
	return min(max(odds, -certain), certain)
}

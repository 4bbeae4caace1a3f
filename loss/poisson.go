package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// poissonLoss is half the Poisson deviance of counts or rates y >= 0 from e^x: e^x - y x - y + y
// log y. The start value is the log of the mean; where all labels are 0 it is -36.
//
// The second derivative is e^x. A step that is too long for it makes e^x very large. Ahead takes it
// at the score x + Ahead, which makes steps shorter by e^Ahead. XGBoost and LightGBM do so with
// 0.7, as their max_delta_step. An Ahead below 0 is unset, and counts as 0 unless a learner has a
// better default.
type poissonLoss struct {
	Ahead float64
}

// Params declares ahead.
func (l *poissonLoss) Params() param.Set {
	return param.Set{param.Float(&l.Ahead, "ahead", -1, -1, 50, "how far above the score the "+
		"second derivative is taken, which shortens steps e^ahead times; below 0 = the default "+
		"of compat, else 0")}
}

// Bind takes numbers of 0 or more.
func (l *poissonLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, poisson{kernel.Exp(max(0, l.Ahead))}, t, rows,
		domain{"poisson", "of 0 or more", func(y float64) bool { return y >= 0 }}, link.Exp())
}

type poisson struct{ shorten float64 } // what second derivatives are multiplied by

func (f poisson) derive(g, h, y, raw []float64) {
	kernel.Exps(g, raw)
	for i, m := range g[:len(raw)] {
		g[i], h[i] = m-y[i], float64(m*f.shorten)
	}
}

func (poisson) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = kernel.Exp(x)
		if y[i] > 0 {
			v[i] += float64(y[i] * (kernel.Log(y[i]) - x - 1))
		}
	}
}

func (poisson) start(c *cases, y []float64) float64 { return c.logMean(y) }

// logMean returns the log of the mean of values that are not negative, -certain if all are 0.
func (c *cases) logMean(y []float64) float64 {
	if m := c.mean(y); m > 0 {
		return kernel.Log(m)
	}
	return -certain
}

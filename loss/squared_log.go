package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// squaredLogLoss is half the squared error of logarithms, (log(1+x) - log(1+y))^2 / 2 with labels y
// > -1. Below 1+x = min(1, 1+y) / 1000 it continues in a straight line, so that it is defined for
// all scores. The start value is that of the mean of log(1+y).
//
// The loss is concave above 1+x = e (1+y), where Newton's steps lead away. With Curvature "chord"
// the second derivative is taken where x < y. Above it the slope is that of the line from the first
// derivative at x to that at y, 0: the step of one row alone leads to y. With "xgboost" it is the
// second derivative, at least 10^-6, as in XGBoost's reg:squaredlogerror.
type squaredLogLoss struct {
	Curvature string // "chord" or "xgboost"
}

// Params declares curvature.
func (l *squaredLogLoss) Params() param.Set {
	return param.Set{param.Choice(&l.Curvature, "curvature", "chord", []string{"chord", "xgboost"},
		"second derivative where there is none above 0: chord = steps to the label, "+
			"xgboost = 0.000001")}
}

// Bind takes numbers above -1.
func (l *squaredLogLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	d := domain{"squared_log", "above -1", func(y float64) bool { return y > -1 }}
	return bindNumbers(l, squaredLog{l.Curvature == "xgboost"}, t, rows, d, link.Identity())
}

type squaredLog struct{ xgboost bool }

// at returns the score below which the loss of a row is a straight line, or x if that is above. d
// is the difference of the logarithms there.
func (squaredLog) at(x, y float64) (c, d float64) {
	c = max(x, float64(min(1, 1+y)*1e-3)-1)
	if d = c - y; math.Abs(d) < (1+y)/2 {
		return c, kernel.Log1p(d / (1 + y)) // keeps the digits of small differences
	}
	return c, kernel.Log1p(c) - kernel.Log1p(y)
}

func (f squaredLog) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		c, d := f.at(x, y[i])
		g[i], h[i] = d/(1+c), (1-d)/((1+c)*(1+c))
		switch {
		case f.xgboost:
			h[i] = max(h[i], 1e-6)
		case x < c || x > y[i]:
			h[i] = g[i] / (x - y[i])
		}
	}
}

func (f squaredLog) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		c, d := f.at(x, y[i])
		v[i] = float64(d*d/2) + float64((x-c)*(d/(1+c)))
	}
}

func (f squaredLog) start(c *cases, y []float64) float64 {
	logs := make([]float64, len(y))
	for i, v := range y {
		logs[i] = kernel.Log1p(v)
	}
	low, high := c.bounds(y)
	return min(max(kernel.Exp(c.mean(logs))-1, low), high)
}

package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// focalLoss is the log loss of two classes times (1-p)^Gamma with p the probability of the row's
// own class (Lin et al. 2017, equation 5). So rows that are already classified well count little.
// Rows of the second class count Alpha, others 1 - Alpha. Its outputs are not calibrated
// probabilities: they are shifted towards 1/2.
//
// The start value is searched for within 36 of even odds. Where p is small the loss is concave.
// There p (1-p)^(Gamma+1), the second derivative if (1-p)^Gamma were constant, replaces a lesser
// one.
type focalLoss struct {
	Alpha float64 // what rows of the second class count, between 0 and 1
	Gamma float64 // from 0 up
}

// Params declares alpha and gamma.
func (l *focalLoss) Params() param.Set {
	return param.Set{
		param.Float(&l.Alpha, "alpha", 0.25, 0, 1,
			"what a row of the second class counts, the rest to 1 is what one of the first counts",
			param.ExcludeMin, param.ExcludeMax),
		param.Float(&l.Gamma, "gamma", 2, 0, math.MaxFloat64,
			"exponent of (1 - p), the weight of a row whose class has probability p; 0 is log loss"),
	}
}

// Bind takes labels of two classes, or of one.
func (l *focalLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindClasses(l, focal{l.Alpha, l.Gamma}, "focal", t, rows, link.Logistic())
}

type focal struct{ alpha, gamma float64 }

// of returns the loss of a row and its derivatives by z, the log odds of the row's own class, with
// a count of 1:
//
//	v = -(1-p)^gamma log p      dv/dz = (1-p)^gamma (gamma p log p - (1-p))
//
// Neither p nor q is 1 minus the other, so both keep their digits near 0.
func (f focal) of(z float64) (v, g, h float64) {
	e := kernel.Exp(-math.Abs(z))
	p := 1 / (1 + e)
	q := e * p
	less := kernel.Log1p(e)
	logP, logQ := -less, -math.Abs(z)-less
	if z < 0 {
		p, q, logP, logQ = q, p, logQ, logP
	}
	m := 1.0
	if f.gamma > 0 {
		m = kernel.Exp(f.gamma * logQ)
	}
	slow := float64(f.gamma * logP) // 0 or less
	plain := float64(q*(1+float64(2*f.gamma)+slow)) - float64(f.gamma*slow*p)
	return -m * logP, m * (float64(p*slow) - q), m * p * max(plain, q)
}

// row returns the sign of z and what a row counts.
func (f focal) row(y float64) (side, count float64) {
	if y > 0.5 {
		return 1, f.alpha
	}
	return -1, 1 - f.alpha
}

func (f focal) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		side, count := f.row(y[i])
		_, slope, bend := f.of(side * x)
		g[i], h[i] = side*count*slope, count*bend
	}
}

func (f focal) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		side, count := f.row(y[i])
		value, _, _ := f.of(side * x)
		v[i] = count * value
	}
}

// start halves the interval in which the sum of slopes changes its sign. It changes once, because
// the slopes of each class have one sign.
func (f focal) start(c *cases, y []float64) float64 {
	second := float64(c.mean(y) * f.alpha)
	first := make([]float64, len(y))
	for i := range y {
		first[i] = 1 - y[i]
	}
	other := float64(c.mean(first) * (1 - f.alpha))
	low, high := -float64(certain), float64(certain)
	for {
		x := low + float64((high-low)*0.5)
		if x <= low || x >= high {
			return x
		}
		_, up, _ := f.of(x)
		_, down, _ := f.of(-x)
		if float64(second*up) < float64(other*down) {
			low = x
		} else {
			high = x
		}
	}
}

package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// tweedieLoss is half the Tweedie deviance of y >= 0 from e^x, for sums of gamma many claims of
// which there may be none (Jorgensen 1987). With power p:
//
//	e^((2-p) x) / (2-p) - y e^((1-p) x) / (1-p) + y^(2-p) / ((1-p) (2-p))
//
// The start value is the log of the mean; where all labels are 0 it is -36.
type tweedieLoss struct {
	Power float64 // of the mean that the variance grows with, between 1 (Poisson) and 2 (gamma)
}

// Params declares power.
func (l *tweedieLoss) Params() param.Set {
	return param.Set{param.Float(&l.Power, "power", 1.5, 1, 2,
		"power of the mean that the variance grows with, between 1 (Poisson) and 2 (gamma)",
		param.ExcludeMin, param.ExcludeMax)}
}

// Bind takes numbers of 0 or more.
func (l *tweedieLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindNumbers(l, tweedie{l.Power}, t, rows,
		domain{"tweedie", "of 0 or more", func(y float64) bool { return y >= 0 }}, link.Exp())
}

type tweedie struct{ p float64 }

func (f tweedie) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		g[i], h[i] = (2-f.p)*x, (1-f.p)*x
	}
	kernel.Exps(g, g[:len(raw)])
	kernel.Exps(h, h[:len(raw)])
	for i := range raw {
		a, b := g[i], float64(y[i]*h[i])
		g[i], h[i] = a-b, float64((2-f.p)*a)+float64((f.p-1)*b)
	}
}

func (f tweedie) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = kernel.Exp((2-f.p)*x) / (2 - f.p)
		if y[i] > 0 {
			v[i] += y[i]*kernel.Exp((1-f.p)*x)/(f.p-1) -
				kernel.Exp((2-f.p)*kernel.Log(y[i]))/((f.p-1)*(2-f.p))
		}
	}
}

func (f tweedie) start(c *cases, y []float64) float64 { return c.logMean(y) }

package loss

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// hingeLoss is the loss of support vector machines for two classes (Cortes & Vapnik 1995): max(0, 1
// - x) for rows of the second class, max(0, 1 + x) for the others. The start value is 1 or -1, the
// side of the heavier class, 0 between equal ones.
//
// The second derivative is 0 almost everywhere; 1 replaces it within the margin and 0 beyond, as in
// XGBoost's binary:hinge. A row on the edge of the margin, as the heavier class is at the start, is
// within: else the first trees would not be fitted to it. The response is a class, not a
// probability: 1 where x > 0, else 0.
type hingeLoss struct{ fixed }

// Bind takes labels of two classes, or of one.
func (l *hingeLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	return bindClasses(l, hinge{}, "hinge", t, rows, link.Step())
}

type hinge struct{}

// sideOf returns 1 for a row of the second class, -1 for others.
func sideOf(y float64) float64 { return float64(2*y) - 1 }

func (hinge) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		if s := sideOf(y[i]); s*x <= 1 {
			g[i], h[i] = -s, 1
		} else {
			g[i], h[i] = 0, 0
		}
	}
}

func (hinge) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = max(0, 1-float64(sideOf(y[i])*x))
	}
}

func (hinge) start(c *cases, y []float64) float64 {
	sides := make([]float64, len(y))
	for i := range y {
		sides[i] = sideOf(y[i])
	}
	m := c.mean(sides)
	if m == 0 {
		return 0
	}
	return math.Copysign(1, m)
}

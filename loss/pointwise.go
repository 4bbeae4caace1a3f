package loss

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// Pointwise is a loss of one's own: a function of a row's label y and its raw score x. The label of
// two classes is 0 for the first and 1 for the second.
//
//	logCosh := &loss.Pointwise{
//		Loss:   func(y, x float64) float64 { return math.Log(math.Cosh(x - y)) },
//		Derive: func(y, x float64) (g, h float64) { t := math.Tanh(x - y); return t, 1 - t*t },
//	}
//
// Boosting refuses second derivatives that add up to no number above 0 over all rows of the first
// round. Where they do so later, training ends with the rounds before.
//
// Loss and Derive are called by several goroutines at once, and must be given. The start value is
// the one of least loss for a convex loss, found by the derivatives. A learner has it by a name of
// the caller's (Choice); models do not need it.
type Pointwise struct {
	// Loss returns the loss of a row, not weighted.
	Loss func(y, x float64) float64
	// Derive returns the first derivative of the loss by x and the second one. Where the second is
	// not above 0, return a bound above it instead: steps are g/h.
	Derive func(y, x float64) (g, h float64)
	// Link makes the response of the raw score, such as link.Logistic() a probability; nil = it is
	// the raw score itself. Two classes need a link to a number from 0 to 1.
	Link link.Link
}

// Params declares nothing.
func (*Pointwise) Params() param.Set { return nil }

// Bind takes finite numbers, or two classes where there is a link. The errors are those of Loss,
// and one of a function that was not given.
func (l *Pointwise) Bind(t *data.Target, rows []int32) (Objective, error) {
	if l.Loss == nil || l.Derive == nil {
		return nil, errors.New("loss.Pointwise needs both Loss and Derive")
	}
	response := l.Link
	if response == nil {
		response = link.Identity()
	}
	const name = "pointwise"
	if t.Class == nil {
		return bindNumbers(l, pointwise{l, false}, t, rows,
			domain{loss: name, want: "that are finite"}, response)
	}
	if l.Link == nil {
		return nil, &LabelError{-1, "loss.Pointwise needs a Link for two classes, such as " +
			"link.Logistic()"}
	}
	return bindClasses(l, pointwise{l, true}, name, t, rows, response)
}

// pointwise is a Pointwise of numbers or of two classes.
type pointwise struct {
	*Pointwise
	classes bool
}

func (p pointwise) derive(g, h, y, raw []float64) {
	for i, x := range raw {
		g[i], h[i] = p.Derive(y[i], x)
	}
}

func (p pointwise) evaluate(v, y, raw []float64) {
	for i, x := range raw {
		v[i] = p.Loss(y[i], x)
	}
}

func (p pointwise) start(c *cases, y []float64) float64 {
	if !p.classes {
		return c.flat(p, y)
	}
	return c.flatBetween(p, y, -certain, certain, 0)
}

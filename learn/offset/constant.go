package offset

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
)

// lossOf is the loss that a learner minimises, by its parameter of that name; nil: it has none, and
// finds its constant itself.
type lossOf struct {
	name     string
	settings []string
}

// lossBy reads the parameters of a learner.
func lossBy(l learn.Learner) *lossOf {
	p := l.Params().Lookup("loss")
	if p == nil {
		return nil
	}
	own := &lossOf{name: p.Value()}
	all := l.Params().All()
	for i := range all {
		if name, ok := strings.CutPrefix(all[i].Name, "loss."); ok {
			own.settings = append(own.settings, name+"="+all[i].Value())
		}
	}
	return own
}

// Newton's method ends where a step is this small, or after so many.
const (
	fewestDigits = 1e-12
	mostSteps    = 100
)

// constant returns the number that, added to the offset of all rows, makes the loss least; 0 for
// learners that find it themselves.
func (l *lossOf) constant(t *data.Target, rows []int32, offset []float64) (float64, error) {
	if l == nil {
		return 0, nil
	}
	name := l.name
	if name == param.Auto {
		name = map[data.Task]string{data.Regression: "squared", data.Binary: "logistic"}[t.Task]
	}
	made, err := loss.New(name, l.settings...)
	if err != nil {
		return 0, fmt.Errorf("an offset needs a loss of coppice: %w", err)
	}
	o, err := made.Bind(t, rows)
	if err != nil {
		return 0, err
	}
	if o.Outputs() != 1 {
		return 0, fmt.Errorf("an offset is one score, and loss=%s has %d", name, o.Outputs())
	}
	return newton(o, rows, offset), nil
}

// newton finds the least loss, by steps that never raise it.
func newton(o loss.Objective, rows []int32, offset []float64) float64 {
	x, n := 0.0, len(rows)
	raw, g, h := make([]float64, n), make([]float64, n), make([]float64, n)
	at := func(x float64) float64 {
		for i, r := range rows {
			raw[i] = offset[r] + x
		}
		return o.Value(raw, 1)
	}
	value := at(x)
	for range mostSteps {
		at(x)
		o.Gradients(g, h, raw, 1)
		slope, bend := 0.0, 0.0
		for i := range g {
			slope += g[i]
			bend += h[i]
		}
		step := -slope / bend
		if math.IsNaN(step) || math.IsInf(step, 0) {
			break
		}
		step = max(-1e3, min(1e3, step))
		next := at(x + step)
		for ; !(next <= value) && math.Abs(step) > fewestDigits; next = at(x + step) {
			step = float64(step / 2)
		}
		if !(next <= value) {
			break
		}
		x, value = x+step, next
		if math.Abs(step) <= fewestDigits*max(1, math.Abs(x)) {
			break
		}
	}
	return x
}

package stack

import (
	"math"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// ridgeName is the combiner that is no learner.
const ridgeName = "ridge"

// Combiner chooses what combines: the ridge, or a learner.
type Combiner struct {
	learn.Inner
	Ridge *Ridge // of the name ridge; nil = with its defaults
}

// Ridge is least squares with weights that are not negative.
type Ridge struct {
	L2 float64 // added for each weight's square, in units of the label's variance: as a row's worth
}

// Params declares the parameters. One row's worth changes little on any table, and decides between members that say the same.
func (r *Ridge) Params() param.Set {
	return param.Set{param.Float(&r.L2, "l2", 1, 0, math.Inf(1),
		"weight of the squared weights against the squared errors, where numbers are divided by the label's standard deviation")}
}

// ridge reports whether the ridge combines.
func (c *Combiner) ridge() bool { return c.Name == ridgeName && c.Learner == nil }

// Chosen returns the combiner's name and parameters.
func (c *Combiner) Chosen() (string, param.Set) {
	if c.ridge() {
		if c.Ridge == nil {
			c.Ridge = &Ridge{}
			c.Ridge.Params().Reset()
		}
		return ridgeName, c.Ridge.Params()
	}
	return c.Inner.Chosen()
}

// Choose makes the combiner of a name.
func (c *Combiner) Choose(name string) (param.Set, func(), error) {
	if name != ridgeName {
		return c.Inner.Choose(name)
	}
	made := &Ridge{}
	params := made.Params()
	params.Reset()
	return params, func() { c.Ridge, c.Name, c.Learner = made, ridgeName, nil }, nil
}

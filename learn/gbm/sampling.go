package gbm

import (
	"reflect"

	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// Sampling is how the rows of a round are chosen. The zero value takes all rows.
type Sampling struct {
	Way sample.Gradient // one of learn/sample, or one's own; nil: all rows
	// name of a Way of one's own, which models store; those of learn/sample have names
	Name string
}

// allRows is the sampling that takes all rows.
const allRows = "none"

// name returns the name of the way, "" for one of one's own without a name.
func (c *Sampling) name() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Way == nil:
		return allRows
	}
	for _, e := range sample.GradientTable() {
		if reflect.TypeOf(e.New()) == reflect.TypeOf(c.Way) {
			return e.Name
		}
	}
	return ""
}

// Chosen implements param.Chooser.
func (c *Sampling) Chosen() (string, param.Set) {
	if c.Way == nil {
		return c.name(), nil
	}
	return c.name(), c.Way.Params()
}

// Choose implements param.Chooser.
func (c *Sampling) Choose(name string) (param.Set, func(), error) {
	e, ok := sample.GradientByName(name)
	if !ok {
		return nil, nil, param.Unknown("sampling", name, sample.GradientNames())
	}
	w := e.New()
	return w.Params(), func() { *c = Sampling{Way: w} }, nil
}

// copy returns the choice with a value of its own if it is one of learn/sample; one that has a name
// of the user's own is shared.
func (c *Sampling) copy() (Sampling, error) {
	e, listed := sample.GradientByName(c.name())
	if c.Way == nil || c.Name != "" || !listed {
		return *c, nil
	}
	w := e.New()
	return Sampling{Way: w}, w.Params().Assign(c.Way.Params())
}

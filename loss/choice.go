package loss

import (
	"reflect"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// Choice is the loss that a learner minimises: one of this package, or one's own. The zero value is
// auto, by the task of the label: squared for regression, logistic for two classes, softmax for
// more, lambdamart for rankings and cox for survival. Examples:
//
//	Choice{Name: "huber"}                         one of this package, with its defaults
//	l, err := loss.New("huber", "delta=2")        the same, with parameters
//	Choice{Loss: l}
//	Choice{Name: "mine", Loss: &loss.Pointwise{   one's own, with the name that models store
//		Loss: ..., Derive: ...}}
type Choice struct {
	// Loss is one of this package, or one's own. nil: that of Name, with its default parameters.
	Loss Loss
	// Name is that of an entry of Table, or auto; "" is auto too. Beside a Loss of one's own it is
	// the name that models store. A Loss of this package needs none.
	Name string
}

// Entry returns the entry of the loss in Table; of auto that for a task. false: there is none,
// because the loss is one's own or no loss is for the task.
func (c *Choice) Entry(task data.Task) (Entry, bool) {
	name := c.name()
	if name == param.Auto {
		name = ofTask[task]
	}
	e, ok := byName(name)
	return e, ok && (c.Loss == nil || sameType(e.New(), c.Loss))
}

// Is reports whether the loss is a value of the type of an entry of Table.
func (c *Choice) Is(e Entry) bool { return c.Loss != nil && sameType(e.New(), c.Loss) }

// Metric returns the name of the metric that the loss minimises, where it is another than that of
// the label's task; else "".
func (c *Choice) Metric() string {
	return map[string]string{"quantile": "pinball", "absolute": "mae"}[c.name()]
}

// name returns the name of the loss, "" for one of one's own without a name.
func (c *Choice) name() string {
	switch {
	case c.Loss == nil && c.Name == "":
		return param.Auto
	case c.Loss == nil || c.Name != "" && c.Name != param.Auto:
		return c.Name
	}
	for _, e := range Table() {
		if sameType(e.New(), c.Loss) {
			return e.Name
		}
	}
	return ""
}

func sameType(a, b Loss) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }

// Chosen implements param.Chooser: it returns the name of the loss and its parameters.
func (c *Choice) Chosen() (string, param.Set) {
	if c.Loss == nil {
		return c.name(), nil
	}
	return c.name(), c.Loss.Params()
}

// Choose implements param.Chooser: it makes the loss of a name or of an alias. Any other text but
// auto is an error.
func (c *Choice) Choose(name string) (param.Set, func(), error) {
	if name == param.Auto {
		return nil, func() { *c = Choice{} }, nil
	}
	l, err := New(name)
	if err != nil {
		return nil, nil, param.Unknown("loss", name, append([]string{param.Auto}, Names()...))
	}
	return l.Params(), func() { *c = Choice{Loss: l} }, nil
}

// ofTask are the losses of auto.
var ofTask = map[data.Task]string{data.Regression: "squared", data.Binary: "logistic",
	data.Multiclass: "softmax", data.Ranking: "lambdamart", data.Survival: "cox"}

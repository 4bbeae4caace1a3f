package boosting

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
)

// Loss is the loss that is minimised. The zero value is auto: squared for regression, logistic for
// two classes, softmax for more, lambdamart for rankings and cox for survival.
type Loss struct {
	Loss loss.Loss // one of package loss, or one's own; nil: that of Name
	// name of loss.Table, or auto; of a Loss of one's own the name that models store. Losses of
	// package loss have names, and need none here
	Name string
}

// name returns the name of the loss, "" for one of one's own without a name.
func (c *Loss) name() string {
	switch {
	case c.Loss == nil && c.Name == "":
		return param.Auto
	case c.Loss == nil || c.Name != "" && c.Name != param.Auto:
		return c.Name
	}
	for _, e := range loss.Table() {
		if reflect.TypeOf(e.New()) == reflect.TypeOf(c.Loss) {
			return e.Name
		}
	}
	return ""
}

// listed returns the entry of the loss; false: it is one's own.
func (c *Loss) listed() (loss.Entry, bool) {
	e, ok := loss.ByName(c.name())
	return e, ok && (c.Loss == nil || reflect.TypeOf(e.New()) == reflect.TypeOf(c.Loss))
}

// LossParam declares the parameter loss; the loss's own parameters are set as loss.KEY.
func LossParam(p *Loss) param.Param {
	return param.Chosen(p, "loss", param.Auto, strings.Join(lossNames(), "|"),
		"what is minimised; auto: squared for regression, logistic for two classes, softmax for "+
			"more; its parameters are set as loss.KEY (coppice learners gbm loss=NAME lists them)")
}

// Chosen implements param.Chooser.
func (c *Loss) Chosen() (string, param.Set) {
	if c.Loss == nil {
		return c.name(), nil
	}
	return c.name(), c.Loss.Params()
}

// Choose implements param.Chooser.
func (c *Loss) Choose(name string) (param.Set, func(), error) {
	if name == param.Auto {
		return nil, func() { *c = Loss{} }, nil
	}
	e, ok := loss.Find(name)
	if !ok {
		return nil, nil, param.Unknown("loss", name, lossNames())
	}
	l := e.New()
	return l.Params(), func() { *c = Loss{Loss: l} }, nil
}

// Copy returns the choice with a loss of its own if it is one of package loss; others are shared.
func (c *Loss) Copy() (Loss, error) {
	e, listed := c.listed()
	if c.Loss == nil || !listed {
		return *c, nil
	}
	l := e.New()
	return Loss{Loss: l}, l.Params().Assign(c.Loss.Params())
}

// For returns the loss for the task of a target, with its name. usual is called on the parameters
// of a loss that auto has chosen, nil = they keep their defaults. A target that has no label, or
// one of a task without a loss, is a *learn.TaskError of the learner.
func (c *Loss) For(learner string, t *data.Target,
	usual func(param.Set) error) (string, loss.Loss, error) {
	if t.Class == nil && len(t.Y) == 0 || t.Task == data.Auto || t.Task == data.Anomaly {
		return "", nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	e, listed := c.listed()
	switch {
	case c.Loss != nil && !listed:
		return c.name(), c.Loss, nil // which checks the labels
	case c.name() == param.Auto:
		e, listed = loss.ByName(ofTask[t.Task])
	}
	switch {
	case !listed:
		return "", nil, &learn.TaskError{Learner: learner, Task: t.Task}
	case !slices.Contains(e.Tasks, t.Task):
		return "", nil, fmt.Errorf("loss=%s is for %s, the label is one of %s", e.Name,
			taskWords(e.Tasks), t.Task)
	case c.Loss != nil:
		return e.Name, c.Loss, nil
	}
	made := e.New()
	if usual == nil {
		return e.Name, made, nil
	}
	return e.Name, made, usual(made.Params())
}

// Task returns the task of a loss that is for one alone: regression, ranking or survival. Losses of
// classes return data.Auto, since the label decides whether there are two; so do losses of one's
// own.
func (c *Loss) Task() data.Task {
	if e, ok := c.listed(); ok && len(e.Tasks) == 1 && !e.Tasks[0].Classes() {
		return e.Tasks[0]
	}
	return data.Auto
}

// ofTask are the losses of loss=auto.
var ofTask = map[data.Task]string{data.Regression: "squared", data.Binary: "logistic",
	data.Multiclass: "softmax",
	data.Ranking:    "lambdamart", data.Survival: "cox"}

func taskWords(tasks []data.Task) string {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = t.String()
	}
	return strings.Join(names, " and ")
}

// lossNames lists the values of the parameter loss.
func lossNames() []string {
	names := []string{param.Auto}
	for _, r := range loss.Table() {
		names = append(names, r.Name)
	}
	return names
}

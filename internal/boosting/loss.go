package boosting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
)

// Loss is the loss that is minimised: chosen by name, or given as a value by Go code, which names
// it as it likes.
type Loss struct {
	Name string    // of loss.Table, or auto; or of one's own for a Loss that is none of the table
	Loss loss.Loss // nil: what auto is for the task

	made loss.Loss // what Choose made
}

// LossParam declares the parameter loss; the loss's own parameters are set as loss.KEY.
func LossParam(p *Loss) param.Param {
	return param.Chosen(p, "loss", param.Auto, strings.Join(lossNames(), "|"),
		"what is minimised; auto: squared for numbers, logistic for two classes, softmax for more; its parameters are set as loss.KEY (coppice learners gbm loss=NAME lists them)")
}

// Chosen returns the loss's name and parameters.
func (c *Loss) Chosen() (string, param.Set) {
	if c.Loss == nil {
		return c.Name, nil
	}
	return c.Name, c.Loss.Params()
}

// Choose makes the loss of a name.
func (c *Loss) Choose(name string) (param.Set, func(), error) {
	if name == param.Auto {
		return nil, func() { *c = Loss{Name: name} }, nil
	}
	row, ok := loss.Find(name)
	if !ok {
		return nil, nil, param.Unknown("loss", name, lossNames())
	}
	l := row.New()
	return l.Params(), func() { *c = Loss{row.Name, l, l} }, nil
}

// Copy returns the choice with a loss of its own if it was chosen by name; one that was given as a
// value is shared.
func (c *Loss) Copy() (Loss, error) {
	if c.Loss == nil || c.Loss != c.made {
		return *c, nil
	}
	row, _ := loss.ByName(c.Name)
	l := row.New()
	return Loss{c.Name, l, l}, l.Params().Assign(c.Loss.Params())
}

// For returns the loss for the task of a target, with its name. usual is called on the parameters
// of a loss that auto has chosen, nil = they keep their defaults. A target that has no label, or
// one of a task without a loss, is a *learn.TaskError of the learner.
func (c *Loss) For(learner string, t *data.Target, usual func(param.Set) error) (string, loss.Loss, error) {
	if t.Class == nil && len(t.Y) == 0 || t.Task == data.Auto || t.Task == data.Anomaly {
		return "", nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	name := c.Name
	if name == param.Auto {
		name = ofTask[t.Task]
	}
	row, listed := loss.ByName(name)
	switch {
	case c.Loss != nil && (c.Loss != c.made || !listed):
		return name, c.Loss, nil // of the user's own, which checks the labels
	case !listed:
		return "", nil, &learn.TaskError{Learner: learner, Task: t.Task}
	case !slices.Contains(row.Tasks, t.Task):
		return "", nil, fmt.Errorf("loss=%s is for %s, the label is one of %s", name, taskWords(row.Tasks), t.Task)
	case c.Loss != nil:
		return name, c.Loss, nil
	}
	made := row.New()
	if usual == nil {
		return name, made, nil
	}
	return name, made, usual(made.Params())
}

// Task returns the task of a loss that was chosen by name and is for one alone: numbers, rankings
// or times. Others, which are for classes, leave to the label whether there are two; they return
// data.Auto.
func (c *Loss) Task() data.Task {
	if row, ok := loss.ByName(c.Name); ok && len(row.Tasks) == 1 && !row.Tasks[0].Classes() {
		return row.Tasks[0]
	}
	return data.Auto
}

// ofTask are the losses of loss=auto.
var ofTask = map[data.Task]string{data.Regression: "squared", data.Binary: "logistic", data.Multiclass: "softmax",
	data.Ranking: "lambdamart", data.Survival: "cox"}

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

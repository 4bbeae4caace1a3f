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

// LossParam declares the parameter loss; the loss's own parameters are set as loss.KEY.
func LossParam(p *loss.Choice) param.Param {
	return param.Chosen(p, "loss", param.Auto, param.Auto+"|"+strings.Join(loss.Names(), "|"),
		"what is minimised; auto: squared for regression, logistic for two classes, softmax for "+
			"more; its parameters are set as loss.KEY (coppice learners gbm loss=NAME lists them)")
}

// CopyLoss returns the choice with a loss of its own if it is one of package loss; others are
// shared.
func CopyLoss(c *loss.Choice) (loss.Choice, error) {
	e, listed := c.Entry(data.Auto)
	if c.Loss == nil || !listed {
		return *c, nil
	}
	l := e.New()
	return loss.Choice{Loss: l}, l.Params().Assign(c.Loss.Params())
}

// LossFor returns the loss for the task of a target, with its name. usual is called on the
// parameters of a loss that the choice has not made, nil = they keep their defaults. A target that
// has no label, or one of a task without a loss, is a *learn.TaskError of the learner.
func LossFor(c *loss.Choice, learner string, t *data.Target,
	usual func(param.Set) error) (string, loss.Loss, error) {
	if t.Class == nil && len(t.Y) == 0 || t.Task == data.Auto || t.Task == data.Anomaly {
		return "", nil, &learn.TaskError{Learner: learner, Task: t.Task}
	}
	e, listed := c.Entry(t.Task)
	switch {
	case c.Loss != nil && !listed:
		name, _ := c.Chosen()
		return name, c.Loss, nil // which checks the labels
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

// LossTask returns the task of a loss that is for one alone: regression, ranking or survival.
// Losses of classes return data.Auto, since the label decides whether there are two; so do losses
// of one's own.
func LossTask(c *loss.Choice) data.Task {
	if e, ok := c.Entry(data.Auto); ok && len(e.Tasks) == 1 && !e.Tasks[0].Classes() {
		return e.Tasks[0]
	}
	return data.Auto
}

func taskWords(tasks []data.Task) string {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = t.String()
	}
	return strings.Join(names, " and ")
}

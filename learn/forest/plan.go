package forest

import (
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact"
	"github.com/coppice-ml/coppice/learn"
)

// job is one Fit on its way: what the parameters say for a table and a label.
type job struct {
	*fitter
	learn.Job
	target *data.Target
	config exact.Config     // of every tree, but for its draws
	pop    *grow.Population // all rows to train on
	costs  data.Costs
	votes  bool // a tree's leaves say one class
}

// begin checks what is asked for and gathers the rows to train on.
func (f *fitter) begin(t *data.Target, given learn.Job) (*job, error) {
	l := &f.learner
	if !t.Task.Classes() && t.Task != data.Regression {
		return nil, &learn.TaskError{Learner: l.name, Task: t.Task}
	}
	if len(t.Y) > 1 {
		return nil, errors.New(l.name + " predicts one number, the label has several")
	}
	j := &job{fitter: f, Job: given, target: t, votes: t.Task.Classes() && l.Vote == majority}
	var err error
	if j.config, err = l.config(t, len(f.frame.Columns)); err != nil {
		return nil, err
	}
	if j.costs, err = l.Costs.Of(t); err != nil {
		return nil, err
	}
	rows := given.Rows
	if rows == nil {
		rows = f.prepared.Rows()
	}
	if j.pop, _, err = learn.Gather(t, rows, l.ClassWeight); err != nil {
		return nil, err
	}
	return j, learn.CheckLabels(j.config.Criterion, f.frame, t, j.pop, nil)
}

// config translates the parameters for the engine.
func (l *Learner) config(t *data.Target, columns int) (exact.Config, error) {
	row, err := learn.CriterionOf(l.Criterion, t.Task)
	if err != nil {
		return exact.Config{}, err
	}
	classes := t.Task.Classes()
	mtry, err := columnsOf(l.Mtry, columns, defaultMtry(columns, classes))
	if err != nil {
		return exact.Config{}, err
	}
	rule := exact.Learned
	if l.Missing == heavier {
		rule = exact.Majority
	}
	return exact.Config{Criterion: row, Mtry: mtry, Missing: rule, BestFirst: l.Leaves > 0,
		Limits: grow.Limits{Depth: l.Depth, Leaves: l.Leaves, MinSplit: max(l.MinSplit, l.nodeSize(classes)+1), MinLeaf: l.MinLeaf, MinGain: l.MinGain}}, nil
}

// defaultMtry is the number of columns that nodes look at if none is asked for: those that randomForest and ranger take.
func defaultMtry(columns int, classes bool) int {
	if classes {
		return max(1, int(math.Sqrt(float64(columns))))
	}
	return max(1, columns/3)
}

// nodeSize returns the number of rows up to which a node is a leaf.
func (l *Learner) nodeSize(classes bool) int {
	switch {
	case l.NodeSize > 0:
		return l.NodeSize
	case !classes:
		return 5
	case l.Vote == probability:
		return 10
	}
	return 1
}

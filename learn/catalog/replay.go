package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// replay trains a model again until the tree is fitted whose candidates are listed. All learners
// that it makes are recorders, so that the learner of the tree is seen with what it is given:
//
//	adaboost -> recorder of cart -> Fit(target with the weights of a round, rows, seed)
type replay struct {
	at   learn.TreeNode
	ds   *data.Dataset
	tree *tree.Tree  // whose node it is
	spec *model.Spec // its columns

	trees int // that were fitted so far
	found *tree.Candidates
	last  *fitted // the last fit that made a tree
}

// fitted is a fit of a learner that lists splits.
type fitted struct {
	learner learn.SplitLister
	frame   *data.Frame
	target  data.Target
	job     learn.Job
}

// errFound ends the training when the tree was found, errOther when too many others were fitted.
var (
	errFound = errors.New("the tree was found")
	errOther = errors.New("another tree was fitted")
)

// mostDropped is the number of trees that training may fit and drop before that of the model.
const mostDropped = 100

// resolve is a learn.Resolve whose learners are recorders.
func (r *replay) resolve(name string) (string, learn.Learner, error) {
	entry, err := Find(name)
	if err != nil {
		return "", nil, err
	}
	for _, own := range tableBy(r.resolve) {
		if own.Name == entry.Name {
			entry = own
		}
	}
	return entry.Name, &recorder{entry.New(), r}, nil
}

// recorder is a learner whose fits a replay sees.
type recorder struct {
	learn.Learner
	to *replay
}

// Prepare implements learn.Learner.
func (l *recorder) Prepare(ctx context.Context, features data.Features, rows []int32,
	weight []float64, env learn.Env) (learn.Fitter, error) {
	f, err := features.InMemory()
	if err != nil {
		return nil, err
	}
	prepared, err := l.Learner.Prepare(ctx, f, rows, weight, env)
	lister, ok := l.Learner.(learn.SplitLister)
	if err != nil || !ok {
		return prepared, err
	}
	return &recordedFitter{prepared, lister, f, l.to}, nil
}

// recordedFitter is a fitter whose models a replay sees.
type recordedFitter struct {
	learn.Fitter
	learner learn.SplitLister
	frame   *data.Frame
	to      *replay
}

// Fit implements learn.Fitter.
func (f *recordedFitter) Fit(ctx context.Context, t *data.Target,
	job learn.Job) (model.Model, error) {
	m, err := f.Fitter.Fit(ctx, t, job)
	e, ok := m.(*model.Ensemble)
	if err != nil || !ok {
		return m, err
	}
	return m, f.to.see(ctx, e, &fitted{f.learner, f.frame, *t, job})
}

// see looks for the tree among those of a member.
func (r *replay) see(ctx context.Context, e *model.Ensemble, by *fitted) error {
	r.last = by
	columns := r.columnsOf(by.frame)
	for i, t := range e.Trees {
		r.trees++
		if r.trees <= r.at.Tree || !sameSplits(t, r.tree, columns) {
			continue
		}
		c, err := by.learner.Candidates(ctx, e, &data.Dataset{Frame: by.frame, Target: by.target},
			learn.TreeNode{Tree: i, Node: r.at.Node, Rows: by.job.Rows, Seed: by.job.Seed})
		if err != nil {
			return err
		}
		r.found = r.widen(c, columns)
		return errFound
	}
	if r.trees > r.at.Tree+mostDropped {
		return errOther
	}
	return nil
}

// columnsOf returns the columns of the tree's table that a frame has, in its order; -1 for others.
func (r *replay) columnsOf(f *data.Frame) []int32 {
	columns := make([]int32, len(f.Columns))
	for i, name := range f.Schema.Names() {
		columns[i] = int32(r.spec.Schema.Index(name))
	}
	return columns
}

// widen returns candidates by the columns of the tree's table.
func (r *replay) widen(c *tree.Candidates, columns []int32) *tree.Candidates {
	all := make([][]tree.Candidate, len(r.spec.Schema.Fields))
	for i, list := range c.Columns {
		all[columns[i]] = list
	}
	if c.Columns = all; c.Best >= 0 {
		c.Best = int(columns[c.Best])
	}
	return c
}

// sameSplits reports whether a tree, of a table with these columns of the other one's, splits as
// the other one does.
func sameSplits(t, other *tree.Tree, columns []int32) bool {
	if t.Len() != other.Len() {
		return false
	}
	for n := range int32(t.Len()) {
		kind, feature := t.Kind(n), t.Feature(n)
		if feature >= 0 {
			feature = columns[feature]
		}
		if kind != other.Kind(n) || feature != other.Feature(n) ||
			t.Missing(n) != other.Missing(n) || t.Child(n) != other.Child(n) {
			return false
		}
		switch kind {
		case tree.Numeric, tree.Oblique, tree.Sphere:
			if t.SplitPoint(n) != other.SplitPoint(n) {
				return false
			}
		case tree.SetFirst, tree.SetLast:
			if !slices.Equal(t.Set(n), other.Set(n)) {
				return false
			}
		}
	}
	return true
}

// run trains until the tree is found.
func (r *replay) run(ctx context.Context, l learn.Learner) (*tree.Candidates, error) {
	fitter, err := l.Prepare(ctx, r.ds.Frame, r.at.Rows, r.ds.Target.Weight,
		learn.Env{Workers: 1, Resolve: r.resolve})
	if err == nil {
		_, err = fitter.Fit(ctx, &r.ds.Target,
			learn.Job{Rows: r.at.Rows, Seed: r.at.Seed, Workers: 1})
	}
	switch {
	case r.found != nil:
		return r.found, nil
	case err != nil && !errors.Is(err, errOther):
		return nil, err
	case r.last == nil:
		return nil, fmt.Errorf("learner %s grows no trees whose candidate splits are known",
			r.spec.Learner)
	}
	return r.onAllRows(ctx)
}

// onAllRows lists the splits on the rows of the table as they are.
func (r *replay) onAllRows(ctx context.Context) (*tree.Candidates, error) {
	other := fmt.Sprintf("training again on this table with seed %d grows another tree %d",
		r.at.Seed, r.at.Tree)
	if !sameLabels(&r.last.target, &r.ds.Target) {
		return nil, fmt.Errorf("%s, and its labels are not known: give the rows of the training, "+
			"and its seed", other)
	}
	own := *r.ds
	var err error
	if own.Frame, err = model.Align(&r.spec.Schema, r.ds.Frame); err != nil {
		return nil, err
	}
	at := learn.TreeNode{Node: r.at.Node, Rows: r.at.Rows, Seed: r.at.Seed}
	alone := &model.Ensemble{Meta: *r.spec, Trees: []*tree.Tree{r.tree}}
	c, err := r.last.learner.Candidates(ctx, alone, &own, at)
	if err != nil {
		return nil, err
	}
	c.Notes = append(c.Notes, "All rows count as the table weighs them: "+other+".")
	return c, nil
}

// sameLabels reports whether a member is fitted to the labels of the table.
func sameLabels(member, t *data.Target) bool {
	return slices.Equal(member.Class, t.Class) && slices.EqualFunc(member.Y, t.Y,
		func(a, b []float64) bool { return slices.Equal(a, b) })
}

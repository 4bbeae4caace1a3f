package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Candidates lists the splits that training tries at a node of a tree of a model, on the rows of a
// table: with what their branches sum up to, and with the split that the tree has. The table has
// the columns of the model, by name, with its dictionaries, and its label.
//
// Trees of one learner are judged by it: see learn.SplitLister. Trees that are the members of
// another learner, such as adaboost or bag, have weights of rows, samples, or labels of their own.
// They are found by training again, up to the tree, with the parameters of the model and the seed.
// Where that gives another tree, since table or seed are others, all rows count as the table weighs
// them and a note names it; members that are fitted to other labels are an error then.
func Candidates(ctx context.Context, m model.Model, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	t, spec, err := listable(m, at)
	if err != nil {
		return nil, err
	}
	own := *ds
	if own.Frame, err = model.Align(&m.Spec().Schema, ds.Frame); err != nil {
		return nil, err
	}
	if err := sameLabel(m.Spec(), &ds.Target); err != nil {
		return nil, err
	}
	if on := m.Spec().TrainedOn; on != nil {
		at.Seed = on.Seed
	}
	r := &replay{at: at, ds: &own, tree: t, spec: spec}
	_, l, err := r.resolve(m.Spec().Learner)
	if err != nil {
		return nil, err
	}
	if len(m.Spec().Params) > 0 {
		if err := l.Params().UnmarshalJSON(m.Spec().Params); err != nil {
			return nil, err
		}
	}
	learner := l.(*recorder).Learner
	var c *tree.Candidates
	e, single := m.(*model.Ensemble)
	if lister, ok := learner.(learn.SplitLister); ok && single {
		c, err = lister.Candidates(ctx, e, &own, at)
	} else {
		c, err = r.run(ctx, learner)
	}
	if err != nil {
		return nil, err
	}
	noteCover(c, t, at.Node)
	return c, nil
}

// TreeAt returns tree n of a model, counted from 0, how many trees it has, and the description of
// the model whose columns the tree has: the model's, or that of a member of an ensemble of models,
// whose trees count one after the other. The tree is nil if there is none of that number.
func TreeAt(m model.Model, n int) (t *tree.Tree, spec *model.Spec, of int) {
	if e, ok := m.(*model.Ensemble); ok {
		if n >= 0 && n < len(e.Trees) {
			t, spec = e.Trees[n], &e.Meta
		}
		return t, spec, len(e.Trees)
	}
	for _, member := range m.Children() {
		below, its, trees := TreeAt(member.Model, n-of)
		if below != nil {
			t, spec = below, its
		}
		of += trees
	}
	return t, spec, of
}

// listable returns the tree of a node with the description of its columns.
func listable(m model.Model, at learn.TreeNode) (*tree.Tree, *model.Spec, error) {
	t, spec, of := TreeAt(m, at.Tree)
	e, single := m.(*model.Ensemble)
	switch {
	case of == 0:
		return nil, nil, fmt.Errorf("a model of learner %s has no trees, whose nodes have "+
			"candidate splits", m.Spec().Learner)
	case m.Spec().Task == data.Anomaly:
		return nil, nil, fmt.Errorf("learner %s splits at random thresholds, without candidates",
			m.Spec().Learner)
	case single && e.Origin != nil:
		return nil, nil, errors.New("the model was made by another tool, whose candidate splits " +
			"are not known")
	case t == nil:
		return nil, nil, fmt.Errorf("there is no tree %d: the model has the trees 0 to %d", at.Tree,
			of-1)
	case at.Node < 0 || int(at.Node) >= t.Len():
		return nil, nil, fmt.Errorf("there is no node %d: tree %d has the nodes 0 to %d", at.Node,
			at.Tree, t.Len()-1)
	}
	return t, spec, nil
}

// sameLabel checks that a table has a label of the kind of a model's.
func sameLabel(s *model.Spec, t *data.Target) error {
	switch {
	case s.Task.Classes() != (t.Class != nil) || !s.Task.Classes() && len(t.Y) == 0:
		return fmt.Errorf("the model was trained for %s, the label is one of %s", s.Task, t.Task)
	case s.Task.Classes() && !slices.Equal(t.Classes, s.Classes):
		return fmt.Errorf("the model's classes are %q, the label's are %q", s.Classes, t.Classes)
	}
	return nil
}

// noteCover notes that a tree was grown on rows of another weight than those of the node.
func noteCover(c *tree.Candidates, t *tree.Tree, node int32) {
	covers := t.Covers()
	if covers == nil {
		return
	}
	then, now := covers[node], c.Whole.Weight
	if diff := then - now; max(diff, -diff) > 1e-6*max(then, now) {
		c.Notes = append(c.Notes, fmt.Sprintf("In training rows of weight %s reached the node; "+
			"of this table they weigh %s.", humanize.Number(then, 6), humanize.Number(now, 6)))
	}
}

package anyboost

import (
	"fmt"

	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// step returns how far the members of a round go, before the learning rate. With step=leaf their
// leaves get other values, which include how far the round goes.
func (b *boost) step(members []member, predicts []float64) (float64, error) {
	way := b.learner.Step
	if way == StepAuto {
		way = StepLeaf
		for i := range members {
			if !members[i].leaves() {
				way = StepLine
			}
		}
	}
	switch way {
	case StepFixed:
		return 1, nil
	case StepLine:
		return b.search(predicts), nil
	}
	for o := range members {
		if !members[o].leaves() {
			return 0, fmt.Errorf("step=leaf needs trees in whose leaves rows end whole, which "+
				"base=%s has not made: use step=line", b.learner.Base.Name)
		}
		if err := b.refine(&members[o], o, predicts); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// memberOf returns a model as a member: with its tree where it is a single one of the table's
// columns.
func (b *boost) memberOf(m model.Model) member {
	e, ok := m.(*model.Ensemble)
	if !ok || len(e.Trees) != 1 || e.Weights != nil && e.Weights[0] != 1 ||
		e.Trees[0].Leaf.Width != 1 || e.Inputs.Len() > 0 ||
		e.Combine == model.Pool || len(e.Meta.Schema.Fields) != len(b.frame.Schema.Fields) ||
		!link.IsIdentity(e.Link) {
		return member{model: m}
	}
	for _, v := range e.Bias {
		if v != 0 {
			return member{model: m}
		}
	}
	small := *e
	small.Trees = []*tree.Tree{e.Trees[0].Compact()}
	return member{model: &small, tree: small.Trees[0]}
}

// leaves reports whether a member is a tree each of whose rows ends, whole, in a leaf of one value.
func (m *member) leaves() bool {
	if m.tree == nil || m.tree.Leaf.Linear != nil {
		return false
	}
	for i := range m.tree.Nodes {
		if r := m.tree.Nodes[i].Missing(); r == tree.MissingFractional || r == tree.MissingStop {
			return false
		}
	}
	return true
}

// refine gives each leaf of a member the value by which the loss of the sampled rows in it is
// least. If the loss does not compute that, it is the value of one Newton step. It writes the new
// predictions of the member for the training set.
func (b *boost) refine(m *member, output int, predicts []float64) error {
	e := m.model.(*model.Ensemble)
	bound, err := e.Bind(&b.frame.Schema, model.Options{Output: model.Leaf, Workers: b.Workers})
	if err != nil {
		return err
	}
	n := len(b.train.Rows)
	ends := make([]float64, n)
	if err := bound.Predict(ends, b.frame, b.train.Rows); err != nil {
		return err
	}
	in := make([][]int32, m.tree.Len())
	take := func(i int32) {
		if b.target.WeightAt(b.train.Rows[i]) > 0 {
			in[int(ends[i])] = append(in[int(ends[i])], i)
		}
	}
	if b.sampled.All {
		for i := range int32(n) {
			take(i)
		}
	} else {
		for _, i := range b.sampled.Rows {
			take(i)
		}
	}
	values := make([]float64, m.tree.Len())
	for node, positions := range in {
		if len(positions) == 0 {
			continue
		}
		if values[node] = b.leafValue(output, positions); values[node]-values[node] != 0 {
			return fmt.Errorf("round %d: a leaf has the value %g: %s", b.monitor.Rounds+1,
				values[node], advice)
		}
	}
	m.tree = m.tree.Revalued(func(leaf int32) float64 { return values[leaf] })
	own := *e
	own.Trees, m.model = []*tree.Tree{m.tree}, &own
	for i, node := range ends {
		predicts[output*n+i] = values[int(node)]
	}
	return nil
}

// leafValue returns what is best added to the scores of some positions.
func (b *boost) leafValue(output int, positions []int32) float64 {
	if r, ok := b.train.Objective.(loss.LeafRefiner); ok {
		return r.RefineLeaf(b.train.Raw, output, positions)
	}
	at, g, h := output*len(b.train.Rows), 0.0, 0.0
	for _, i := range positions {
		g += b.g[at+int(i)]
		h += b.h[at+int(i)]
	}
	if !(h > tiny) {
		return 0
	}
	return -g / h
}

// tiny is a curvature that Newton steps do not divide by.
const tiny = 1e-150

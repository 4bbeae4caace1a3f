package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// Describe describes the trees.
func (e *Ensemble) Describe() Description {
	d := Description{Title: humanize.Plural(len(e.Trees), "tree", "trees"), Ensemble: e,
		Size: Size{Trees: len(e.Trees)}}
	var depth []int // by node of a tree
	for _, t := range e.Trees {
		depth = append(slices.Grow(depth[:0], t.Len()), 0)[:t.Len()]
		for i := range t.Nodes {
			n := &t.Nodes[i]
			if n.Kind() == tree.Leaf {
				d.Size.Leaves++
				d.Size.Depth = max(d.Size.Depth, depth[i])
			}
			for c := n.Child(); c < n.Child()+n.Arity(); c++ {
				depth[c] = depth[i] + 1
			}
		}
	}
	d.Leaves = e.TreeNames(0)
	d.Words = d.Size.TreeWords()
	if o := e.Origin; o != nil {
		d.Facts = append(d.Facts, Fact{"tool", strings.TrimSpace(o.Tool + " " + o.Version)})
	}
	if e.Best > 0 {
		text := fmt.Sprintf("the first %d", e.Best)
		if e.Rounds != nil {
			text += fmt.Sprintf(" of %d", len(e.Rounds))
		}
		d.Facts = append(d.Facts, Fact{"rounds", text})
	}
	return d
}

// TreeNames names the trees of the first n rounds, as Options.Rounds counts them, by their places:
// tree_0, tree_1, ...
func (e *Ensemble) TreeNames(n int) []string {
	used := e.chosen(n)
	if used == nil {
		for i := range e.Trees {
			used = append(used, i)
		}
	}
	var names []string
	for _, i := range used {
		names = append(names, fmt.Sprintf("tree_%d", i))
	}
	return names
}

// Children returns nothing: the trees are no models of their own.
func (e *Ensemble) Children() []Child { return nil }

// DerivedNames returns the names of the columns that the model derives from categories.
func (e *Ensemble) DerivedNames() []string {
	return e.Features().Names()[len(e.Meta.Schema.Fields):]
}

// WithState returns a model that holds what its learner needs to continue training, and predicts
// the same. It reports false for models that hold no such state.
func WithState(m Model, state []byte) (Model, bool) {
	e, ok := Inner(m).(*Ensemble)
	if !ok {
		return nil, false
	}
	own := *e
	own.State = state
	return &own, true
}

// StateOf returns what a learner needs to continue with a model, nil if the model does not hold it.
func StateOf(m Model) []byte {
	if e, ok := Inner(m).(*Ensemble); ok {
		return e.State
	}
	return nil
}

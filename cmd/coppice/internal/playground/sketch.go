package playground

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// mostSketched is the number of leaves up to which a tree is drawn.
const mostSketched = 24

// sketch is a tree as a page draws it: a node with what is below it.
type sketch struct {
	Column int      `json:"column"` // 0 = x, 1 = y; -1 at leaves
	Split  float64  `json:"split"`  // up to which points go to the first node below
	Rows   uint32   `json:"rows"`   // training points
	Score  float64  `json:"score"`  // of the second class, or the mean
	Below  []sketch `json:"below,omitempty"`
}

// sketchOf returns the tree of a model of one, nil if it is too large to be drawn.
func sketchOf(e *model.Ensemble) *sketch {
	t := e.Trees[0]
	if t.NumLeaves() > mostSketched {
		return nil
	}
	s := sketchFrom(t, 0)
	return &s
}

func sketchFrom(t *tree.Tree, n int32) sketch {
	value := append([]float64(nil), t.Value(n)...)
	if t.Leaf.Kind == tree.Counts {
		tree.Probabilities(value, value)
	}
	split := t.SplitOf(n)
	s := sketch{Column: -1, Rows: t.Stats.Rows[n], Score: value[len(value)-1]}
	if split.Kind != tree.Leaf {
		s.Column, s.Split = int(split.Feature), split.SplitPoint
		for i := range split.Arity {
			s.Below = append(s.Below, sketchFrom(t, t.Child(n)+i))
		}
	}
	return s
}

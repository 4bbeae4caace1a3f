package model

import (
	"fmt"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// manyNodes is the number of nodes from which on trees are validated on several workers.
const manyNodes = 1 << 16

// validateTrees validates the trees and their use of the columns. Of several faults it returns that
// of the first tree.
func (e *Ensemble) validateTrees(outputs int) error {
	nodes := 0
	for _, t := range e.Trees {
		nodes += t.Len()
	}
	workers := 1
	if nodes >= manyNodes {
		workers = parallel.Workers(0)
	}
	faults := make([]error, len(e.Trees))
	uses := e.plainUses()
	parallel.Each(workers, len(e.Trees), func(_, i int) { faults[i] = e.validateTree(i, e.Trees[i], outputs, uses) })
	for i, err := range faults {
		if err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

// plainUses returns for no feature, in the first place, and then for each feature, which kinds of
// nodes may test it whatever else is in them: a bit for each.
func (e *Ensemble) plainUses() []uint8 {
	uses := make([]uint8, 1+e.features())
	uses[0] = 1<<tree.Leaf | 1<<tree.Oblique | 1<<tree.Sphere
	for i := range e.Meta.Schema.Fields {
		if e.Meta.Schema.Fields[i].Kind == data.Numeric {
			uses[1+i] = 1 << tree.Numeric
		}
	}
	for i := len(e.Meta.Schema.Fields); i < e.features(); i++ {
		uses[1+i] = 1 << tree.Numeric
	}
	return uses
}

// features returns the number of columns that trees can test.
func (e *Ensemble) features() int { return len(e.Meta.Schema.Fields) + len(e.Inputs.Columns) }

func (e *Ensemble) validateTree(i int, t *tree.Tree, outputs int, uses []uint8) error {
	if err := t.Validate(e.features()); err != nil {
		return err
	}
	if o := e.outputOf(i); o < 0 && t.Leaf.Width != outputs || int(o) >= outputs || o >= 0 && t.Leaf.Width != 1 {
		return fmt.Errorf("values of width %d for output %d of %d", t.Leaf.Width, o, outputs)
	}
	for n := range t.Nodes {
		d := &t.Nodes[n]
		if uses[d.Feature()+1]>>d.Kind()&1 == 1 {
			continue
		}
		if err := e.validateUse(d.Feature(), d.Kind(), t.Set(int32(n)), int(d.Arity())); err != nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	if d := t.Dirs; d != nil {
		for _, f := range d.Feature {
			if err := e.validateUse(f, tree.Numeric, nil, 2); err != nil {
				return err
			}
		}
	}
	if l := t.Leaf.Linear; l != nil {
		for _, f := range l.Feature {
			if err := e.validateUse(f, tree.Numeric, nil, 2); err != nil {
				return err
			}
		}
	}
	if s := t.Surrogates; s != nil {
		for i, k := range s.Kind {
			if err := e.validateUse(s.Feature[i], k, s.Set(int32(i)), 2); err != nil {
				return fmt.Errorf("surrogate %d: %w", i, err)
			}
		}
	}
	return nil
}

// validateUse checks that a feature is of the kind that a split needs, and that the split has no
// code beyond its dictionary.
func (e *Ensemble) validateUse(feature int32, kind tree.Kind, set []uint64, arity int) error {
	derived := data.Field{Name: "of derived values"}
	f := &derived
	if int(feature) < len(e.Meta.Schema.Fields) {
		f = &e.Meta.Schema.Fields[feature]
	}
	want := data.Categorical
	if kind == tree.Numeric {
		want = data.Numeric
	}
	if f.Kind != want {
		return fmt.Errorf("the %s column %q is split as %s", f.Kind, f.Name, want)
	}
	for w, word := range set {
		if top := 64*w + bits.Len64(word); word != 0 && top > len(f.Levels) {
			return fmt.Errorf("code %d in the set of a dictionary of %d", top-1, len(f.Levels))
		}
	}
	if kind == tree.ByCode && arity > len(f.Levels) {
		return fmt.Errorf("%d children for a dictionary of %d", arity, len(f.Levels))
	}
	return nil
}

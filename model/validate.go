package model

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"github.com/coppice-ml/coppice/tree"
)

// manyNodes is the number of nodes from which on trees are validated on several workers.
const manyNodes = 1 << 16

// treeValidation checks the trees of an ensemble and their use of the columns.
type treeValidation struct {
	*Ensemble
	outputs   int
	uses      []uint8           // of plainUses
	surveyors []engine.Surveyor // by worker
	surveys   []*engine.Survey  // by tree, of nodes that cannot change; nil: they are not kept
}

// validateTrees checks all trees. Of several faults it returns that of the first tree. Where keep
// is true it keeps the surveys of trees in mapped files, whose nodes cannot change.
func validateTrees(e *Ensemble, outputs int, keep bool) error {
	nodes := 0
	for _, t := range e.Trees {
		nodes += t.Len()
	}
	workers := 1
	if nodes >= manyNodes {
		workers = parallel.Workers(0)
	}
	v := treeValidation{Ensemble: e, outputs: outputs, uses: plainUses(e),
		surveyors: make([]engine.Surveyor, workers)}
	if keep {
		v.surveys = make([]*engine.Survey, len(e.Trees))
	}
	faults := make([]error, len(e.Trees))
	parallel.Each(workers, len(e.Trees), func(worker, i int) { faults[i] = v.tree(worker, i) })
	for i, err := range faults {
		if err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	for i, s := range v.surveys {
		if s != nil {
			if e.surveys == nil {
				e.surveys = engine.Surveys{}
			}
			e.surveys[&e.Trees[i].Nodes[0]] = s
		}
	}
	return nil
}

// plainUses returns which kinds of nodes may test a feature whatever else is in them: a bit for
// each kind, for no feature in the first place, and then for each feature.
func plainUses(e *Ensemble) []uint8 {
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
func (e *Ensemble) features() int { return len(e.Meta.Schema.Fields) + e.Inputs.Len() }

// tree checks a tree.
func (e *treeValidation) tree(worker, i int) error {
	t := e.Trees[i]
	if err := t.Validate(e.features()); err != nil {
		return err
	}
	if o := e.OutputOf(i); o < 0 && t.Leaf.Width != e.outputs || int(o) >= e.outputs ||
		o >= 0 && t.Leaf.Width != 1 {
		return fmt.Errorf("values of width %d for output %d of %d", t.Leaf.Width, o, e.outputs)
	}
	if err := e.nodes(worker, i); err != nil {
		return err
	}
	if d := t.Dirs; d != nil {
		for _, f := range d.Feature {
			if err := e.use(f, tree.Numeric, nil, 2); err != nil {
				return err
			}
		}
	}
	if l := t.Leaf.Linear; l != nil {
		for _, f := range l.Feature {
			if err := e.use(f, tree.Numeric, nil, 2); err != nil {
				return err
			}
		}
	}
	if s := t.Surrogates; s != nil {
		for i, k := range s.Kind {
			if err := e.use(s.Feature[i], k, s.Set(int32(i)), 2); err != nil {
				return fmt.Errorf("surrogate %d: %w", i, err)
			}
		}
	}
	return nil
}

// nodes checks which columns the nodes of a tree test. Of a tree that only compares numbers the
// features do, of any other each node.
func (e *treeValidation) nodes(worker, i int) error {
	t := e.Trees[i]
	survey := e.surveyors[worker].SurveyValid(t)
	if e.surveys != nil && outside.Mapped(t.Nodes) {
		e.surveys[i] = survey.Clone()
	}
	if survey.Plain() && !slices.ContainsFunc(survey.Features(), func(f uint32) bool {
		return f > 0 && e.uses[f]&(1<<tree.Numeric) == 0
	}) {
		return nil
	}
	for n := range t.Nodes {
		d := &t.Nodes[n]
		if e.uses[d.Feature()+1]>>d.Kind()&1 == 1 {
			continue
		}
		if err := e.use(d.Feature(), d.Kind(), t.Set(int32(n)), int(d.Arity())); err != nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	return nil
}

// use checks that a feature is of the kind that a split needs, and that the split has no
// code beyond its dictionary.
func (e *treeValidation) use(feature int32, kind tree.Kind, set []uint64, arity int) error {
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

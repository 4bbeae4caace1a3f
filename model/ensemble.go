package model

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/tree"
)

// Combine is how the trees of an ensemble make one value per output.
type Combine uint8

// The ways to combine. Voting and weighted medians come with the learners that need them.
const (
	Sum  Combine = iota // bias + sum of weighted tree values
	Mean                // bias + weighted mean of tree values
	Pool                // as Mean; and the training values in the trees' leaves, pooled, have quantiles (see Ensemble.Targets)
)

// Ensemble is a model of trees: a single tree, a forest, a boosted sum, native or imported.
type Ensemble struct {
	Meta    Spec
	State   []byte // what the learner needs to go on with the model, as to join it with other parts; predictions do not look at it
	Trees   []*tree.Tree
	Output  []int32 // which output each tree feeds; -1 = all of them (class counts, vectors); nil = all -1
	Combine Combine
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per output; nil = 0
	Link    link.Link // from raw values to the response; nil = identity

	// Targets are, of a Pool, the training values that the ranks of its trees' samples are of: ascending, all different.
	// Where leaves predict the mean of their samples the response is the mean of the pooled values.
	Targets []float64
}

// Spec returns the model's description.
func (e *Ensemble) Spec() *Spec { return &e.Meta }

// Outputs returns the number of classes, or of regression outputs.
func (e *Ensemble) Outputs() int {
	if e.Meta.Task.Classes() {
		return len(e.Meta.Classes)
	}
	n := 1
	for i, t := range e.Trees {
		if e.outputOf(i) < 0 {
			n = max(n, t.Leaf.Width)
		} else {
			n = max(n, int(e.outputOf(i))+1)
		}
	}
	return n
}

func (e *Ensemble) outputOf(tree int) int32 {
	if e.Output == nil {
		return -1
	}
	return e.Output[tree]
}

// Validate checks that trees, outputs, weights, bias and schema fit together, and every tree. Codecs call it on
// what they read.
func (e *Ensemble) Validate() error {
	if err := e.Meta.Validate(); err != nil {
		return err
	}
	if e.Combine > Pool {
		return fmt.Errorf("unknown way %d to combine trees", e.Combine)
	}
	if e.Output != nil && len(e.Output) != len(e.Trees) || e.Weights != nil && len(e.Weights) != len(e.Trees) {
		return errors.New("outputs or weights do not fit the trees")
	}
	for i, t := range e.Trees {
		if t == nil {
			return fmt.Errorf("tree %d is nil", i)
		}
		// An output far beyond the trees would make a predictor allocate for outputs that nothing feeds.
		if o := e.outputOf(i); o < -1 || int(o) >= max(len(e.Trees), len(e.Bias), len(e.Meta.Classes)) {
			return fmt.Errorf("tree %d feeds output %d in a model of %d trees", i, o, len(e.Trees))
		}
	}
	outputs := e.Outputs()
	if e.Bias != nil && len(e.Bias) != outputs {
		return fmt.Errorf("%d start values for %d outputs", len(e.Bias), outputs)
	}
	if e.Meta.Task == data.Anomaly && outputs != 1 {
		return fmt.Errorf("%d outputs of a model of anomalies, want one score", outputs)
	}
	if !finite(e.Weights) || !finite(e.Bias) {
		return errors.New("a weight or start value is not finite")
	}
	for i, t := range e.Trees {
		if err := e.validateTree(i, t, outputs); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return e.validatePool()
}

func (e *Ensemble) validateTree(i int, t *tree.Tree, outputs int) error {
	if err := t.Validate(len(e.Meta.Schema.Fields)); err != nil {
		return err
	}
	if o := e.outputOf(i); o < 0 && t.Leaf.Width != outputs || int(o) >= outputs || o >= 0 && t.Leaf.Width != 1 {
		return fmt.Errorf("values of width %d for output %d of %d", t.Leaf.Width, o, outputs)
	}
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		if k == tree.Leaf || k == tree.Oblique || k == tree.Sphere {
			continue
		}
		if err := e.validateUse(t.Feature(n), k, t.Set(n), int(t.Arity(n))); err != nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	if d := t.Dirs; d != nil {
		for _, f := range d.Feature {
			if err := e.validateUse(f, tree.Cut, nil, 2); err != nil {
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

// validateUse checks that a feature is of the kind that a split looks at, and that the split knows no code beyond its
// dictionary.
func (e *Ensemble) validateUse(feature int32, kind tree.Kind, set []uint64, arity int) error {
	f := &e.Meta.Schema.Fields[feature]
	want := data.Categorical
	if kind == tree.Cut {
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

func finite(s []float64) bool {
	for _, x := range s {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

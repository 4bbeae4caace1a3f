package model

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/tree"
)

// Combine is how the trees of an ensemble make one value per output.
type Combine uint8

// The ways to combine. Voting, weighted medians and pooled samples come with the learners that need them.
const (
	Sum  Combine = iota // bias + sum of weighted tree values
	Mean                // bias + weighted mean of tree values
)

// Ensemble is a model of trees: a single tree, a forest, a boosted sum, native or imported.
type Ensemble struct {
	Meta    Spec
	Trees   []*tree.Tree
	Output  []int32 // which output each tree feeds; -1 = all of them (class counts, vectors); nil = all -1
	Combine Combine
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per output; nil = 0
	Link    link.Link // from raw values to the response; nil = identity
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
	if err := e.Meta.Schema.Validate(); err != nil {
		return err
	}
	if e.Combine > Mean {
		return fmt.Errorf("unknown way %d to combine trees", e.Combine)
	}
	if e.Output != nil && len(e.Output) != len(e.Trees) || e.Weights != nil && len(e.Weights) != len(e.Trees) {
		return errors.New("outputs or weights do not fit the trees")
	}
	if e.Meta.Task.Classes() && len(e.Meta.Classes) == 0 {
		return errors.New("a classification model without classes")
	}
	outputs := e.Outputs()
	if e.Bias != nil && len(e.Bias) != outputs {
		return fmt.Errorf("%d start values for %d outputs", len(e.Bias), outputs)
	}
	for i, t := range e.Trees {
		if err := e.validateTree(i, t, outputs); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

func (e *Ensemble) validateTree(i int, t *tree.Tree, outputs int) error {
	if err := t.Validate(len(e.Meta.Schema.Fields)); err != nil {
		return err
	}
	if o := e.outputOf(i); o < 0 && t.Leaf.Width != outputs || int(o) >= outputs || o >= 0 && t.Leaf.Width != 1 {
		return fmt.Errorf("values of width %d for output %d of %d", t.Leaf.Width, o, outputs)
	}
	for n, k := range t.Kind {
		if k == tree.Leaf {
			continue
		}
		want := data.Categorical
		if k == tree.Cut {
			want = data.Numeric
		}
		if f := &e.Meta.Schema.Fields[t.Feature[n]]; f.Kind != want {
			return fmt.Errorf("node %d splits the %s column %q as %s", n, f.Kind, f.Name, want)
		}
	}
	return nil
}

package c45

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// pruning is the stage of a Fit after its tree is grown.
type pruning struct {
	learner *Learner
	frame   *data.Frame
	target  *data.Target
	pop     *grow.Population // the training rows
	factors []float64        // of the classes' weights; nil = 1
	valid   []int32          // rows of the validation set
	workers int
}

// method returns the method of the parameters; auto depends on the validation set.
func (p *pruning) method() Prune {
	switch {
	case p.learner.Prune != PruneAuto:
		return p.learner.Prune
	case len(p.valid) > 0:
		return PruneValidation
	}
	return PrunePessimistic
}

// prune prunes a tree by a method.
func (p *pruning) prune(grown *tree.Tree, method Prune) (*tree.Tree, error) {
	if p.learner.Collapse {
		var err error
		if grown, err = prune.CollapseUseless(grown); err != nil {
			return nil, err
		}
	}
	switch method {
	case PrunePessimistic:
		return p.pessimistic(grown)
	case PruneValidation:
		if len(p.valid) == 0 {
			return nil, errors.New("prune=validation needs a validation set")
		}
		cost, ended := p.validationErrors(grown)
		return prune.ReducedError(grown, cost, ended)
	}
	return grown, nil
}

// pessimistic prunes by an upper bound of the error rate of each node on the training set.
func (p *pruning) pessimistic(grown *tree.Tree) (*tree.Tree, error) {
	l, pop := p.learner, p.pop
	if !l.Raise {
		return prune.Pessimistic(grown, l.Confidence)
	}
	entry, _ := criterion.ByName("entropy")
	entropy := entry.New(pop.Classes)
	return prune.PessimisticRaise(grown, l.Confidence, prune.Training{
		Columns: p.frame.Columns, Rows: pop.Rows, Count: pop.Count, Weight: pop.Weights(),
		Class: pop.Class, Workers: parallel.Workers(p.workers),
		// entropy does not depend on the parent
		Impurity: func(dst, stats []float64) { entropy.Impurity(dst, stats, nil) },
	})
}

// validationErrors returns what reduced-error pruning requires: the errors of each node on the
// validation set, and those caused by rows which end there. See prune.ValidationCost.
func (p *pruning) validationErrors(grown *tree.Tree) (cost, ended []float64) {
	weight := func(row int32) float64 {
		w := p.target.WeightAt(row)
		if p.factors != nil {
			w *= p.factors[p.target.Class[row]]
		}
		return w
	}
	loss := func(value []float64, row int32) float64 {
		if model.ArgMax(value) == int(p.target.Class[row]) {
			return 0
		}
		return 1
	}
	return prune.ValidationCost(grown, p.frame.Columns, p.valid, weight, loss)
}

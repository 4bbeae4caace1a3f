package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"github.com/coppice-ml/coppice/tree"
)

// ErrNoQuantiles is returned by Bind for the output Quantiles of a model that cannot predict any.
var ErrNoQuantiles = errors.New("the model stores no training values for quantiles: train a " +
	"regression forest with quantiles=true")

// usualQuantiles are those of Options without any.
var usualQuantiles = []float64{0.1, 0.5, 0.9}

// quantiles makes an output of the pooled samples.
func (e *Ensemble) quantiles(s engine.Source, at []float64) (RowEvaluator, error) {
	if e.Combine != Pool {
		return RowEvaluator{}, ErrNoQuantiles
	}
	if at == nil {
		at = usualQuantiles
	}
	for _, q := range at {
		if !(q >= 0 && q <= 1) {
			return RowEvaluator{}, fmt.Errorf("quantile %v: want a number from 0 to 1", q)
		}
	}
	p := engine.CompilePool(s, e.Targets, at)
	if err := fit(p.Program); err != nil {
		return RowEvaluator{}, err
	}
	return RowEvaluator{Columns: p.Columns(), Width: len(at), Start: p.Start, Inputs: &e.Inputs},
		nil
}

// validatePool checks what the trees of a pool have beyond those of other ensembles, and that
// others have none of it.
func validatePool(e *Ensemble) error {
	if e.Combine != Pool {
		if len(e.Targets) > 0 || slices.ContainsFunc(e.Trees, func(t *tree.Tree) bool {
			return t.Leaf.Samples != nil
		}) {
			return errors.New("training values in a model that does not pool them")
		}
		return nil
	}
	switch {
	case e.Meta.Task != data.Regression || e.Outputs() != 1 || e.Bias != nil ||
		!link.IsIdentity(e.Link):
		return errors.New("a pool of training values is for one number, without start value or " +
			"link")
	case len(e.Trees) == 0:
		return errors.New("a pool without trees")
	case !finite(e.Targets):
		return errors.New("a training value is not finite")
	}
	for i := 1; i < len(e.Targets); i++ {
		if !(e.Targets[i] > e.Targets[i-1]) {
			return fmt.Errorf("training value %d is not above the one before it", i)
		}
	}
	if e.Weights != nil {
		sum := 0.0
		for i, w := range e.Weights {
			if sum += w; !(w > 0) {
				return fmt.Errorf("tree %d has weight %g in a pool", i, w)
			}
		}
		if math.IsInf(sum, 1) {
			return errors.New("the trees of a pool have an infinite weight")
		}
	}
	for i, t := range e.Trees {
		if err := validateSamples(e, t); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

// validateSamples checks the samples of a pool's tree.
func validateSamples(e *Ensemble, t *tree.Tree) error {
	s := t.Leaf.Samples
	if s == nil {
		return errors.New("keeps no samples for the pool")
	}
	for _, r := range s.Rank {
		if uint64(r) >= uint64(len(e.Targets)) {
			return fmt.Errorf("a sample has rank %d of %d", r, len(e.Targets))
		}
	}
	for n := range int32(t.Len()) {
		if t.Missing(n) == tree.MissingFractional {
			return fmt.Errorf("node %d divides rows, which pools do not", n)
		}
	}
	return nil
}

package boost

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
)

// leafValues is how the leaves of a grown tree get their final values.
type leafValues interface {
	// begin prepares for a round, before its trees are added to the scores.
	begin()
	// set changes the leaves of a tree of an output, or of allOutputs, grown by an order of the
	// rows.
	set(grown *hist.Grown, output, order int)
}

// newtonLeaves leaves the engine's values, one Newton step each.
type newtonLeaves struct{}

func (newtonLeaves) begin()                    {}
func (newtonLeaves) set(*hist.Grown, int, int) {}

// refinedLeaves gives leaves the values of least loss, where the loss computes these better than by
// a Newton step: medians of absolute errors, for one.
type refinedLeaves struct {
	scores  *scores
	refiner loss.LeafRefiner
	most    float64 // max_delta_step, 0 = no limit
	workers int
}

// linearLeaves gives leaves linear functions of the numeric columns on the path to them.
type linearLeaves struct {
	table       *table.Table
	derivatives *storedDerivatives
	l2          float64
}

func newLeafValues(s *setup, t *table.Table, sc *scores, d derivatives) (leafValues, error) {
	if stored, ok := d.(*storedDerivatives); ok && s.Config.Linear {
		return &linearLeaves{t, stored, s.Config.LinearL2}, nil
	}
	if r := newRefinedLeaves(s, sc); r != nil {
		return r, s.refinedConflict()
	}
	if l := newSteppedLeaves(s, sc); l != nil {
		return l, nil
	}
	return newtonLeaves{}, nil
}

func newVectorLeafValues(s *setup, sc *scores) leafValues {
	if r := newRefinedLeaves(s, sc); r != nil {
		return r
	}
	return newtonLeaves{}
}

// newRefinedLeaves returns nil where Newton steps stay.
func newRefinedLeaves(s *setup, sc *scores) *refinedLeaves {
	r, ok := sc.train.Objective.(loss.LeafRefiner)
	if !ok || !s.Config.Refit {
		return nil
	}
	return &refinedLeaves{sc, r, s.Config.Engine.MaxDeltaStep, s.workers()}
}

// refinedConflict reports steps of leaves that a loss refits in one.
func (s *setup) refinedConflict() error {
	if s.Config.Steps <= 1 && !s.Config.Gradient {
		return nil
	}
	return param.Faults{{Message: fmt.Sprintf("leaf_steps and leaf_method do not go with loss=%s, "+
		"whose leaves get the values of least loss: use refit_leaves=false", s.loss)}}
}

func (r *refinedLeaves) begin() {}

func (r *refinedLeaves) set(grown *hist.Grown, output, _ int) {
	first := max(output, 0) // of all
	parallel.Each(r.workers, len(grown.Leaves), func(_, i int) {
		leaf := &grown.Leaves[i]
		if len(leaf.Basis) == 0 {
			return
		}
		positions := r.scores.rows.positions(leaf.Basis)
		for o := range leaf.Value {
			leaf.Value[o] = min(max(r.value(first+o, positions), leaf.Lower), leaf.Upper)
		}
	})
}

// value returns what is best added to an output's scores at some positions.
func (r *refinedLeaves) value(output int, positions []int32) float64 {
	v := r.refiner.RefineLeaf(r.scores.train.Raw, output, positions)
	if r.most > 0 {
		return min(max(v, -r.most), r.most)
	}
	return v
}

func (l *linearLeaves) begin() {}

func (l *linearLeaves) set(grown *hist.Grown, output, order int) {
	g, h := l.derivatives.byMatrixRow(output)
	grown.FitLinear(l.table.Frames[order], g, h, l.l2)
}

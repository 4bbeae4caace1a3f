package sample

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/param"
)

// Gradient is a way to choose the rows that one tree of a boosted model is grown on, with its
// parameters: an entry of GradientTable. Unlike the samples of a Sampler, those of some ways depend
// on the rows' derivatives. Rows then count by factors that remove the bias of the choice.
type Gradient interface {
	// Params declares the parameters, bound to the receiver.
	Params() param.Set
	// Bind checks the parameters and makes what samples from a number of rows. group states which
	// rows belong together, nil where nothing does; a way that samples groups refuses nil.
	Bind(rows int, group []int64) (GradientSampler, error)
}

// GradientSampler samples the rows of one tree after the other. It keeps memory between samples and
// is not safe for concurrent use; a sample depends on nothing but its arguments.
type GradientSampler interface {
	// Sample fills dst by the derivatives of the loss, output-major: those of output k of row i
	// stand at k*rows + i; for those that are GradientFree they may be nil. The seed decides
	// every random choice; give each tree its own.
	Sample(dst *Sampled, g, h []float64, seed uint64)
}

// GradientFree reports whether a sampler of this package ignores the derivatives.
func GradientFree(s GradientSampler) bool {
	switch s.(type) {
	case allOnce, *uniform, *byGroup, *bayesian:
		return true
	}
	return false
}

// Sampled is the rows that a tree is grown on.
//
//	Rows      1    4    5    8        ascending and distinct
//	Factor    1    8    1    8        what their g and h are multiplied by
type Sampled struct {
	All    bool      // all rows, each once, whatever Rows is
	Rows   []int32   // at least one
	Factor []float64 // by position in Rows, 0 or more; nil = 1
}

// checkGradient checks what is the same for all ways.
func checkGradient(w Gradient, rows int, group []int64) error {
	if err := w.Params().Validate(); err != nil {
		return err
	}
	if rows < 1 || rows > math.MaxInt32 {
		return fmt.Errorf("cannot sample from %d rows", rows)
	}
	if group != nil && len(group) != rows {
		return fmt.Errorf("%d groups for %d rows", len(group), rows)
	}
	return nil
}

var errNoGroups = errors.New("sampling=group samples groups of rows, and there is no group " +
	"column: name one, or choose another sampling")

// fractionParam declares the fraction of the rows that is sampled.
func fractionParam(p *float64, what string) param.Param {
	return param.Float(p, "fraction", 0.8, 0, 1, what, param.ExcludeMin).Also("sample_fraction")
}

// allOnce takes every row once.
type allOnce struct{}

func (allOnce) Sample(dst *Sampled, _, _ []float64, _ uint64) {
	*dst = Sampled{All: true, Rows: dst.Rows[:0]}
}

package hist

import (
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
)

// Outputs is the derivatives of several outputs at the same scores as words. One pass over the rows
// makes those of all outputs, and never stores the derivatives themselves.
type Outputs struct {
	source
	sums  []sums // by output
	fixed []bool // by output: whether words are fine enough
	team  team
	alone *exchange
}

// NewOutputs returns derivatives of some outputs, yet without values, for trees on some rows of a
// matrix, ascending and distinct; nil = all. Several workers make their words.
func NewOutputs(m *bins.Matrix, outputs int, rows []int32, workers int) *Outputs {
	n := m.Len()
	return &Outputs{source: source{outputs: outputs, rows: rows, n: n}, sums: make([]sums, outputs),
		fixed: make([]bool, outputs), team: newTeam(workers), alone: newExchange(ranks.Of(nil), n)}
}

// Fixed reports whether an output has words. Else they would be too coarse, or some derivatives are
// not finite, and Grower.Grow decides what to do.
func (o *Outputs) Fixed(output int) bool { return o.fixed[output] }

// Update makes the words of derivatives.
func (o *Outputs) Update(f DeriveOutputs) {
	o.derive = f
	o.fixed = fix(o.sums, &o.source, o.team, o.alone)
	o.derive = nil
}

// put makes the sums of a grower those of an output. It keeps its memory.
func (o *Outputs) put(to *sums, output int) {
	words, pairs, drawn := to.allWords, to.allPairs, to.drawn
	*to = o.sums[output]
	to.packed, to.allWords, to.allPairs, to.drawn = to.allWords, words, pairs, drawn
}

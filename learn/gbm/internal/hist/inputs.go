package hist

import (
	"cmp"
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
)

// inputs is what the stages of a tree read, and who works on it. Stages share one, which outlives
// trees, and keep their own state beside it.
type inputs struct {
	c      Config
	seed   uint64 // of the tree
	sums   []sums // by output
	tables tables
	team   team
	ranks  *exchange
	memory *treeMemory // of the tree that grows
	spare  *treeMemory // of one that was released; nil: there is none
	// units of Config.Weight, see scaleOfWeights; 0: rows weigh the same
	weightScale float64

	// Of a stored matrix.
	ctx   context.Context // of the last tree, whose scores are looked up by it
	fault error           // the first one of reading where no method returns it
}

func newInputs(m *bins.Matrix, c Config, outputs int) *inputs {
	group := ranks.Of(c.Ranks)
	if m.Store != nil {
		group = ranks.Of(nil) // each rank grows all trees
	}
	in := &inputs{c: c, sums: make([]sums, outputs), team: newTeam(parallel.Workers(c.Workers)),
		ranks: newExchange(group, m.Len())}
	in.tables.setWhole(in.ranks.part(m))
	if c.Unseen {
		in.weightScale = scaleOfWeights(m, c.Weight)
	}
	return in
}

// begin prepares for a tree.
func (in *inputs) begin(ctx context.Context, seed uint64) error {
	if err := cmp.Or(ctx.Err(), in.fault); err != nil {
		return err
	}
	in.ctx, in.seed = ctx, seed
	in.ranks.begin(ctx)
	return nil
}

// lastBelow reports whether the children of a leaf stay leaves, whatever they are.
func (in *inputs) lastBelow(l *open) bool {
	return l.final || in.c.Depth > 0 && int(l.depth)+1 >= in.c.Depth
}

// scaleOfWeights returns how many units the weight 1 is, a power of two, so that the units of all
// rows of a matrix fit a word: their sums do not depend on the order. It is 0 where all rows weigh
// the same.
func scaleOfWeights(m *bins.Matrix, weight []float64) float64 {
	if weight == nil {
		return 0
	}
	all, same := 0.0, true
	for _, r := range m.Rows {
		all += weight[r]
		same = same && weight[r] == weight[m.Rows[0]]
	}
	if same || !(all > 0 && all <= math.MaxFloat64) {
		return 0
	}
	_, exponent := math.Frexp(all)
	return math.Ldexp(1, min(62-exponent, 1000))
}

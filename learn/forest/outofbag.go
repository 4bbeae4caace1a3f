package forest

import (
	"context"
	"sync"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
)

// outOfBag evaluates each tree on the rows out of its bag.
type outOfBag struct {
	*setup
	accumulators *accumulators
	permuters    sync.Pool // of *oob.Permuter
}

func newOutOfBag(s *setup, a *accumulators) *outOfBag {
	o := &outOfBag{setup: s, accumulators: a}
	o.permuters.New = func() any {
		return ensembles.NewPermuter(&a.truth, s.frame.Columns, s.pop.Rows, a.groups)
	}
	return o
}

// report implements reporter.
func (o *outOfBag) report(_ context.Context, g *grown, b *bag, i, _ int) error {
	r, t := &g.report, g.tree
	out := 0
	for _, n := range b.count {
		if n == 0 {
			out++
		}
	}
	g.scratch = o.accumulators.takeScratch(out)
	r.Out, r.Leaf = g.scratch.out, g.scratch.leaf
	rows := g.scratch.rows
	for at, n := range b.count {
		if n == 0 {
			r.Out, rows = append(r.Out, int32(at)), append(rows, o.pop.Rows[at])
		}
	}
	t.Over(o.frame.Columns).LeavesOf(r.Leaf, rows)
	if !o.learner.requests(permutation) {
		return nil
	}
	p := o.permuters.Get().(*ensembles.Permuter)
	r.Permuted = p.Tree(t, r.Out, func(unit int) *rng.Stream {
		return rng.New(o.job.Seed, forPermutation, uint64(i), uint64(unit))
	})
	o.permuters.Put(p)
	return nil
}

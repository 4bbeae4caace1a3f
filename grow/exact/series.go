package exact

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Series grows trees one after the other, in the same memory where it can: small trees cost more to make room for than one
// would think. It is not safe for concurrent use.
type Series struct {
	p   *Prepared
	cfg Config
	g   *grower
}

// Series starts a series of trees, which differ in their populations and seeds.
func (p *Prepared) Series(cfg Config) *Series { return &Series{p: p, cfg: cfg} }

// Grow grows a tree as Prepared.Grow does, with a seed in place of that of the Config. The tree may be used until the next call.
func (s *Series) Grow(ctx context.Context, pop *grow.Population, seed uint64) (*tree.Tree, error) {
	p, cfg := s.p, s.cfg
	cfg.Seed = seed
	if err := p.fits(pop); err != nil {
		return nil, err
	}
	if err := p.serves(&cfg); err != nil {
		return nil, err
	}
	if p.shared() {
		pop = p.spread(pop)
	} else {
		pop = pop.Present()
	}
	if s.g == nil || !s.g.again(pop, seed) {
		s.g = newGrower(p, pop, cfg)
	}
	g := s.g
	if len(g.rows) == 0 {
		return nil, errors.New("no rows to grow a tree on")
	}
	root := &node{hi: len(g.rows), list: g.rows, key: g.seed}
	g.measure(root)
	g.total = root.weight
	g.recordOpen(root)
	if g.splittable(root) {
		g.run(ctx, cfg.BestFirst, root)
		g.subtrees(ctx)
	} else {
		g.recordLeaf(root)
	}
	if err := ctx.Err(); err != nil && cfg.Leaves {
		return nil, err // open nodes have no value
	}
	t, err := g.b.Build()
	if err != nil {
		return nil, err
	}
	return t, ctx.Err()
}

// again makes a grower ready for another tree. It reports false, and does nothing, where that takes a new one.
func (g *grower) again(pop *grow.Population, seed uint64) bool {
	was := g.pop
	same := len(pop.Rows) == len(was.Rows) && pop.Classes == was.Classes && (pop.Class == nil) == (was.Class == nil) &&
		(pop.Weight == nil) == (was.Weight == nil) && (pop.Count == nil) == (was.Count == nil)
	if !same || !g.prepared.shared() || g.values != nil {
		return false
	}
	if g.class8 != nil && len(pop.Class) > 0 && &pop.Class[0] != &was.Class[0] {
		g.class8 = classBytes(pop.Class, pop.Classes)
	}
	g.pop, g.seed = pop, seed
	g.setRows()
	g.b.Reset()
	g.open, g.aside = g.open[:0], g.aside[:0]
	return true
}

// setRows lists the rows that the tree is grown on.
func (g *grower) setRows() {
	n := 0
	for i := range g.pop.Rows {
		if g.pop.Multiplicity(i) > 0 {
			n++
		}
	}
	if g.rows = g.rows[:0]; cap(g.rows) < n {
		g.rows = make([]uint32, 0, min(n+n/bagsDiffer, len(g.pop.Rows)))
	}
	for i := range g.pop.Rows {
		if g.pop.Multiplicity(i) > 0 {
			g.rows = append(g.rows, uint32(i))
		}
	}
}

package ranked

import (
	"context"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// GrowCounted grows a tree twice, and returns the second with the number of nodes that were scanned
// as large ones, and of those where that decided the best split.
func (p *Prepared) GrowCounted(
	ctx context.Context, pop *grow.Population, cfg Config,
) (t *tree.Tree, scanned, decided int, err error) {
	s := p.Series(cfg)
	if _, err = s.Grow(ctx, pop, cfg.Seed); err != nil {
		return nil, 0, 0, err
	}
	large := &s.g.s.Large
	c := &counted{LargeNodes: *large}
	*large = c
	t, err = s.Grow(ctx, pop, cfg.Seed)
	return t, c.scanned, c.decided, err
}

type counted struct {
	scan.LargeNodes
	scanned, decided int
}

func (c *counted) Find(nd *growth.Node, columns []int32, found []growth.Split) bool {
	ok := c.LargeNodes.Find(nd, columns, found)
	c.scanned++
	if ok {
		c.decided++
	}
	return ok
}

package exact

import (
	"context"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Plain makes the engine judge candidates in batches, the twin that every criterion's own scan must
// equal.
func (c Config) Plain() Config {
	c.plain = true
	return c
}

// GrowCounted grows a tree twice, and returns the second with the number of nodes that were looked
// at as large ones, and of those where that told the best split.
func (p *Prepared) GrowCounted(ctx context.Context, pop *grow.Population, cfg Config) (t *tree.Tree, asked, told int, err error) {
	s := p.Series(cfg)
	if _, err = s.Grow(ctx, pop, cfg.Seed); err != nil {
		return nil, 0, 0, err
	}
	large := &s.g.(*rankedGrowth).s.large
	c := &counted{largeNodes: *large}
	*large = c
	t, err = s.Grow(ctx, pop, cfg.Seed)
	return t, c.asked, c.told, err
}

type counted struct {
	largeNodes
	asked, told int
}

func (c *counted) find(nd *node, columns []int32, found []split) bool {
	ok := c.largeNodes.find(nd, columns, found)
	c.asked++
	if ok {
		c.told++
	}
	return ok
}

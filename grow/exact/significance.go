package exact

import (
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// significant reports whether a split may be made as far as Limits.Chi2 is concerned.
func (g *grower) significant(nd *node, b *split) bool {
	if g.limits.Chi2 <= 0 || !b.found() {
		return true
	}
	return criterion.Independence(g.contingency(nd, b), g.width) <= g.limits.Chi2
}

// contingency returns the weight of each class in each branch of a split, branch after branch. Rows without a value are
// left out, unless the split parts them from all others: then they are the second branch.
func (g *grower) contingency(nd *node, b *split) []float64 {
	w := g.width
	table := make([]float64, max(2, int(b.arity))*w)
	missing := make([]float64, w)
	count := func(pos uint32, branch int) {
		if branch < 0 {
			g.add(missing, pos, 0)
		} else {
			g.add(table[branch*w:(branch+1)*w], pos, 0)
		}
	}
	var c *working
	if b.feature >= 0 {
		c = &g.columns[b.feature]
	}
	if b.kind == tree.Cut && c.key == nil {
		for _, e := range c.order[nd.lo:nd.hi] {
			rank := e.Key >> g.shift
			switch {
			case rank == g.missing:
				count(e.Pos, -1)
			case rank <= b.rank:
				count(e.Pos, 0)
			default:
				count(e.Pos, 1)
			}
		}
	} else {
		for _, pos := range nd.list {
			count(pos, g.branch(b, c, pos))
		}
	}
	used := 0
	for at := 0; at < len(table); at += w {
		if g.weightOf(table[at:at+w]) > 0 {
			used++
		}
	}
	if used == 1 {
		table = append(table, missing...)
	}
	return table
}

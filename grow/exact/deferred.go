package exact

import (
	"context"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// defers is the small subtrees of a tree. They are grown after the nodes above them, whatever the
// number of workers, because the numbers of the nodes follow from it. Each worker grows whole
// subtrees in memory of its own.
type defers struct {
	upTo    int // rows of a node whose subtree is deferred
	workers int
	grower  func() subtreeGrower // makes what one worker grows subtrees with
	growers []subtreeGrower
	nodes   []*node
}

// subtreeGrower grows subtrees of a tree, one after the other.
type subtreeGrower interface {
	// growSubtree grows what hangs from a node into a tree, in which the node has its id. total is
	// the weight of all rows.
	growSubtree(ctx context.Context, b *tree.Builder, total float64, nd *node)
}

// takes defers the subtree of a small node, and reports whether it does.
func (d *defers) takes(nd *node) bool {
	if d == nil || len(nd.list) > d.upTo {
		return false
	}
	d.nodes = append(d.nodes, nd)
	return true
}

// growerOf returns what a worker grows subtrees with; those of the workers before it are there.
func (d *defers) growerOf(worker int) subtreeGrower {
	if worker == len(d.growers) {
		d.growers = append(d.growers, d.grower())
	}
	return d.growers[worker]
}

// growDeferred grows the subtrees that were deferred. Several workers grow one each, in trees of
// their own, which join the tree in the order in which one worker would have grown them.
func (g *growth) growDeferred(ctx context.Context) {
	d := g.deferrals
	if d == nil || len(d.nodes) == 0 {
		return
	}
	if d.workers == 1 || len(d.nodes) == 1 {
		one := d.growerOf(0)
		for _, nd := range d.nodes {
			if ctx.Err() != nil {
				return
			}
			one.growSubtree(ctx, g.b, g.total, nd)
		}
		return
	}
	parts, at := make([]*tree.Builder, len(d.nodes)), make([]int32, len(d.nodes))
	growers := make([]subtreeGrower, min(d.workers, len(parts)))
	for k := range growers {
		growers[k] = d.growerOf(k)
	}
	_ = parallel.EachUntil(ctx, len(growers), len(parts), func(worker, i int) {
		nd, b := d.nodes[i], g.output.builder()
		at[i], nd.id = int32(nd.id), 0
		if !g.output.leaves {
			g.record(b, nd)
		}
		growers[worker].growSubtree(ctx, b, g.total, nd)
		parts[i] = b
	})
	for i, part := range parts {
		if part != nil { // unless it was cancelled, which whoever grows the tree finds out
			g.b.Graft(at[i], part)
		}
	}
}

// subGrowth grows subtrees whose rows stay where they are.
type subGrowth struct{ *growth }

func (s *subGrowth) growSubtree(ctx context.Context, b *tree.Builder, total float64, nd *node) {
	s.b, s.total = b, total
	s.run(ctx, nd)
}

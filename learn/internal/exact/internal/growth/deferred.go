package growth

import (
	"context"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// Deferred is the small subtrees of a tree. They are grown after the nodes above them, whatever the
// number of workers, because the numbers of the nodes follow from it. Each worker grows whole
// subtrees in memory of its own.
type Deferred struct {
	UpTo    int // rows of a node whose subtree is deferred
	Workers int
	Grower  func() SubtreeGrower // makes what one worker grows subtrees with
	growers []SubtreeGrower
	nodes   []*Node
}

// SubtreeRows is the number of rows up to which subtrees of forests get memory of their own. It
// fits into the processor's near caches.
const SubtreeRows = 1 << 11

// SubtreeGrower grows subtrees of a tree, one after the other.
type SubtreeGrower interface {
	// GrowSubtree grows the subtree of a node into a tree, in which the node has its id. whole is
	// that of the tree.
	GrowSubtree(ctx context.Context, b *tree.Builder, whole *Whole, nd *Node)
}

// takes defers the subtree of a small node, and reports whether the node is small.
func (d *Deferred) takes(nd *Node) bool {
	if d == nil || len(nd.Rows) > d.UpTo {
		return false
	}
	d.nodes = append(d.nodes, nd)
	return true
}

// growerOf returns what a worker grows subtrees with; those of the workers before it are there.
func (d *Deferred) growerOf(worker int) SubtreeGrower {
	if worker == len(d.growers) {
		d.growers = append(d.growers, d.Grower())
	}
	return d.growers[worker]
}

// growDeferred grows the subtrees that were deferred. Several workers grow one each, in trees of
// their own, which join the tree in the order in which one worker would have grown them.
func (g *Growth) growDeferred(ctx context.Context) {
	d := g.Deferred
	if d == nil || len(d.nodes) == 0 {
		return
	}
	if d.Workers == 1 || len(d.nodes) == 1 {
		one := d.growerOf(0)
		for _, nd := range d.nodes {
			if ctx.Err() != nil {
				return
			}
			one.GrowSubtree(ctx, g.Builder, g.Whole, nd)
		}
		return
	}
	subtrees, at := make([]*tree.Builder, len(d.nodes)), make([]int32, len(d.nodes))
	growers := make([]SubtreeGrower, min(d.Workers, len(subtrees)))
	for k := range growers {
		growers[k] = d.growerOf(k)
	}
	_ = parallel.EachUntil(ctx, len(growers), len(subtrees), func(worker, i int) {
		nd, b := d.nodes[i], g.Output.builder()
		at[i], nd.Id = int32(nd.Id), 0
		if !g.Output.Leaves {
			g.record(b, nd)
		}
		growers[worker].GrowSubtree(ctx, b, g.Whole, nd)
		subtrees[i] = b
	})
	for i, subtree := range subtrees {
		if subtree != nil { // unless it was cancelled, which the grower of the tree finds out
			g.Builder.Graft(at[i], subtree)
		}
	}
}

// SubGrowth grows subtrees whose rows stay where they are.
type SubGrowth struct{ *Growth }

// GrowSubtree implements SubtreeGrower.
func (s *SubGrowth) GrowSubtree(ctx context.Context, b *tree.Builder, whole *Whole, nd *Node) {
	s.Builder, s.Whole = b, whole
	s.Run(ctx, nd)
}

package exact

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// strategy finds the splits of nodes and divides their rows. It has the rows of the tree in memory
// of its own, and is handed nodes: their rows, statistics and random streams. It returns splits,
// and the rows of children.
type strategy interface {
	// splittable reports whether a node that the limits let be split is worth looking at.
	splittable(nd *node) bool
	// best returns the best split of a node, one that is not found if there is none.
	best(nd *node) split
	// divide carries out the best split of a node: it gives each child its rows, in ascending
	// order. It may complete the split before.
	divide(nd *node, children []*node)
	// settle follows divide where a child may be split again: the rows that go first are the node's
	// segment up to mid.
	settle(nd *node, mid int)
}

// output says which trees are written.
type output struct {
	kind   tree.LeafKind
	values int  // numbers of a value
	leaves bool // leaves alone have values, and nodes no statistics but gains
}

// outputOf returns the output of labels.
func outputOf(l *labels, leaves bool) output {
	if l.family == criterion.Classes {
		return output{tree.Counts, l.pop.Classes, leaves}
	}
	return output{tree.Scalar, 1, leaves}
}

// builder returns an empty tree.
func (o *output) builder() *tree.Builder {
	if o.leaves {
		return tree.NewLeafBuilder(o.kind, o.values)
	}
	return tree.NewBuilder(o.kind, o.values, true)
}

// growth grows one tree: it measures nodes, asks the strategy for their splits, and queues them.
type growth struct {
	*labels
	strategy  strategy
	limits    grow.Limits
	bestFirst bool // split the node of largest gain next, not depth first
	rule      Missing
	output    output
	b         *tree.Builder
	total     float64 // weight of all rows of the tree
	deferrals *defers // small subtrees, which are grown at last; nil = there are none
	open      []*node // by slot
	free      []*node // see newNode
}

func newGrowth(t *task, s strategy, limits grow.Limits, o output) *growth {
	limits.MinSplit, limits.MinLeaf = max(limits.MinSplit, 2), max(limits.MinLeaf, 1)
	return &growth{labels: t.labels, strategy: s, limits: limits, rule: t.rule, output: o, b: o.builder()}
}

// errNoRows is returned for a population without rows.
var errNoRows = errors.New("no rows to grow a tree on")

// grow grows a tree on the rows at the given positions, which it reorders. On a cancelled context
// it returns the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves alone have
// values no tree.
func (g *growth) grow(ctx context.Context, rows []uint32, seed uint64) (*tree.Tree, error) {
	if len(rows) == 0 {
		return nil, errNoRows
	}
	root := &node{hi: len(rows), list: rows, key: seed}
	g.measure(root)
	g.total = root.weight
	g.recordOpen(root)
	if g.splittable(root) {
		g.run(ctx, root)
		g.growDeferred(ctx)
	} else {
		g.recordLeaf(root)
	}
	if err := ctx.Err(); err != nil && g.output.leaves {
		return nil, err // open nodes have no value
	}
	t, err := g.b.Build()
	if err != nil {
		return nil, err
	}
	return t, ctx.Err()
}

// reset makes ready for another tree in the same memory.
func (g *growth) reset() {
	g.b.Reset()
	g.open = g.open[:0]
	if g.deferrals != nil {
		g.deferrals.nodes = g.deferrals.nodes[:0]
	}
}

// run grows what hangs from a node, but for subtrees that are deferred.
func (g *growth) run(ctx context.Context, root *node) {
	queue := grow.DepthFirst()
	if g.bestFirst {
		queue = grow.BestFirst()
	}
	if !g.enqueue(queue, root) {
		g.recordLeaf(root)
	}
	leaves := 1
	for ctx.Err() == nil && (g.limits.Leaves <= 0 || leaves < g.limits.Leaves) {
		next, ok := queue.Pop()
		if !ok {
			break
		}
		nd := g.open[next.Slot]
		g.open[next.Slot] = nil
		g.split(queue, nd)
		leaves++
	}
	for _, nd := range g.open {
		if nd != nil { // it stays a leaf
			g.recordLeaf(nd)
		}
	}
	g.open = g.open[:0]
}

// splittable reports whether the limits let a node be split.
func (g *growth) splittable(nd *node) bool {
	l := &g.limits
	if nd.pure || nd.rows < l.MinSplit || nd.rows < 2*l.MinLeaf || l.Depth > 0 && nd.depth >= l.Depth || l.Leaves == 1 {
		return false
	}
	return g.strategy.splittable(nd)
}

// enqueue finds the best split of a node that may be split and queues it. It reports whether the
// node is queued.
func (g *growth) enqueue(q grow.Queue, nd *node) bool {
	if g.deferrals.takes(nd) {
		return true
	}
	nd.best = g.strategy.best(nd)
	if !nd.best.found() || !g.gains(&nd.best) {
		return false
	}
	g.open = append(g.open, nd)
	q.Push(grow.Open{Node: int32(nd.id), Gain: nd.best.gain, Slot: len(g.open) - 1})
	return true
}

// gains reports whether a split gains as much as the limits require. The unit roundoff forgives a
// gain that is the limit but for rounding, as scikit-learn does. A gain below 0 is nothing but
// rounding.
func (g *growth) gains(b *split) bool {
	return max(b.gain, 0)/g.total+0x1p-52 >= g.limits.MinGain
}

// split carries out the best split of a node and queues its children.
func (g *growth) split(q grow.Queue, nd *node) {
	children := g.divide(nd)
	open := false
	for _, c := range children {
		if len(c.list) == 0 {
			g.empty(nd, c)
			continue
		}
		open = open || !c.pure && c.rows > 1 && (g.limits.Depth <= 0 || c.depth < g.limits.Depth)
	}
	if open {
		g.strategy.settle(nd, children[0].hi)
	}
	for _, c := range children {
		if len(c.list) > 0 {
			g.recordOpen(c)
		}
		if len(c.list) == 0 || !g.splittable(c) || !g.enqueue(q, c) {
			if len(c.list) > 0 {
				g.recordLeaf(c)
			}
			g.free = append(g.free, c)
		}
	}
	g.free = append(g.free, nd)
}

// divide writes the split of a node into the tree and returns its children, measured.
func (g *growth) divide(nd *node) []*node {
	children := make([]*node, max(2, int(nd.best.arity)))
	for i := range children {
		children[i] = g.newNode(nd.depth + 1)
	}
	g.strategy.divide(nd, children)
	b := &nd.best
	child := g.b.Split(int32(nd.id), tree.Split{Kind: b.kind, Feature: b.feature, Arity: b.arity, Cut: b.cut, Set: b.set, Direction: b.terms, Missing: b.missing,
		Surrogates: b.surrogates, Gain: max(b.gain, 0)})
	for i, c := range children {
		c.id, c.constant, c.key = int(child)+i, nd.constant, rng.Seed(nd.key, childDraws, uint64(i))
		if g.rule != Learned {
			g.b.SetFraction(int32(c.id), b.shares[i])
		}
	}
	// Rows that stop at a node would be counted in the larger child.
	if g.counts && g.rule < Surrogate && len(children) == 2 && len(children[0].list) > 0 && len(children[1].list) > 0 {
		g.measureChildren(nd, children[0], children[1])
		return children
	}
	for _, c := range children {
		if len(c.list) > 0 {
			g.measure(c)
		}
	}
	return children
}

// newNode returns a node, made anew or of the memory of one that is a leaf or split by now.
func (g *growth) newNode(depth int) *node {
	if len(g.free) == 0 {
		return &node{depth: depth}
	}
	nd := g.free[len(g.free)-1]
	g.free = g.free[:len(g.free)-1]
	*nd = node{depth: depth, stats: nd.stats[:0]}
	return nd
}

// empty records a child without rows: a leaf with its parent's value and no weight.
func (g *growth) empty(parent, c *node) {
	g.b.SetValue(int32(c.id), parent.stats)
}

// recordOpen is record for a node that may be split, recordLeaf for one that is not.
func (g *growth) recordOpen(nd *node) {
	if !g.output.leaves {
		g.record(g.b, nd)
	}
}

func (g *growth) recordLeaf(nd *node) {
	if g.output.leaves {
		g.record(g.b, nd)
	}
}

// record writes a node's value and statistics into a tree.
func (g *growth) record(b *tree.Builder, nd *node) {
	value := nd.stats
	if g.family != criterion.Classes {
		value = []float64{nd.value}
	}
	b.SetValue(int32(nd.id), value)
	b.SetStats(int32(nd.id), nd.rows, nd.weight, nd.impurity/nd.weight)
}

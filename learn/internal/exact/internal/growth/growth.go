// Package growth is the core of learn/internal/exact: nodes, the statistics of their labels, the
// queue of open nodes, deferred subtrees, and partitions of rows. A Strategy finds the splits.
package growth

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Strategy finds the splits of nodes and divides their rows. It has the rows of the tree in memory
// of its own, and is handed nodes: their rows, statistics and random streams. It returns splits,
// and the rows of children.
type Strategy interface {
	// Splittable reports whether a node that the limits allow to split is worth a scan.
	Splittable(nd *Node) bool
	// Best returns the best split of a node, one that is not found if there is none.
	Best(nd *Node) Split
	// Divide carries out the best split of a node: it gives each child its rows, in ascending
	// order. It may complete the split before.
	Divide(nd *Node, children []*Node)
	// Settle follows Divide where a child may be split again.
	Settle(nd *Node)
}

// output is the kind of tree that is written.
type output struct {
	kind   tree.LeafKind
	values int  // numbers of a value
	Leaves bool // leaves alone have values, and nodes no statistics but gains
}

// OutputOf returns the output of labels.
func OutputOf(l *Labels, leaves bool) output {
	if l.Family == criterion.Classes {
		return output{tree.Counts, l.Pop.Classes, leaves}
	}
	return output{tree.Scalar, 1, leaves}
}

// builder returns an empty tree.
func (o *output) builder() *tree.Builder {
	if o.Leaves {
		return tree.NewLeafBuilder(o.kind, o.values)
	}
	return tree.NewBuilder(o.kind, o.values, true)
}

// Growth grows one tree: it computes the statistics of nodes, gets their splits from the strategy,
// and queues them.
type Growth struct {
	*Labels
	Strategy  Strategy
	Limits    grow.Limits
	BestFirst bool // split the node of largest gain next, not depth first
	rule      Rule
	Output    output
	Builder   *tree.Builder
	Whole     *Whole    // of the tree
	Deferred  *Deferred // small subtrees, which are grown at last; nil = there are none
	own       Whole     // memory for Whole
	open      []*Node   // by slot
	free      []*Node   // nodes whose memory can be used again
	children  []*Node   // of the node that is divided
}

// New returns a Growth of trees by a strategy. missing is the rule of its splits.
func New(l *Labels, missing Rule, s Strategy, limits grow.Limits, o output) *Growth {
	limits.MinSplit, limits.MinLeaf = max(limits.MinSplit, 2), max(limits.MinLeaf, 1)
	return &Growth{Labels: l, Strategy: s, Limits: limits, rule: missing, Output: o,
		Builder: o.builder()}
}

// errNoRows is returned for a population without rows.
var errNoRows = errors.New("no rows to grow a tree on")

// Grow grows a tree on the rows at the given positions, which it reorders. On a cancelled context
// it returns the tree so far, with the open nodes as leaves, and ctx.Err(); where leaves alone have
// values no tree.
func (g *Growth) Grow(ctx context.Context, rows []uint32, seed uint64) (*tree.Tree, error) {
	if len(rows) == 0 {
		return nil, errNoRows
	}
	root := &Node{Hi: len(rows), Rows: rows, Key: seed}
	g.Summarise(root)
	g.own.set(g.Labels, root)
	g.Whole = &g.own
	g.recordOpen(root)
	if g.splittable(root) {
		g.Run(ctx, root)
		g.growDeferred(ctx)
	} else {
		g.recordLeaf(root)
	}
	if err := ctx.Err(); err != nil && g.Output.Leaves {
		return nil, err // open nodes have no value
	}
	t, err := g.Builder.Build()
	if err != nil {
		return nil, err
	}
	return t, ctx.Err()
}

// Reset prepares for another tree in the same memory.
func (g *Growth) Reset() {
	g.Builder.Reset()
	g.open = g.open[:0]
	if g.Deferred != nil {
		g.Deferred.nodes = g.Deferred.nodes[:0]
	}
}

// Run grows the subtree of a node, but for subtrees that are deferred.
func (g *Growth) Run(ctx context.Context, root *Node) {
	queue := grow.DepthFirst()
	if g.BestFirst {
		queue = grow.BestFirst()
	}
	if !g.enqueue(queue, root) {
		g.recordLeaf(root)
		g.release(root)
	}
	leaves := 1
	for ctx.Err() == nil && (g.Limits.Leaves <= 0 || leaves < g.Limits.Leaves) {
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
func (g *Growth) splittable(nd *Node) bool {
	l := &g.Limits
	if nd.Pure || nd.Count < l.MinSplit || nd.Count < 2*l.MinLeaf || l.Depth > 0 &&
		nd.Depth >= l.Depth || l.Leaves == 1 {
		return false
	}
	return g.Strategy.Splittable(nd)
}

// enqueue finds the best split of a node that may be split and queues it. It reports whether the
// node is queued.
func (g *Growth) enqueue(q grow.Queue, nd *Node) bool {
	if g.Deferred.takes(nd) {
		return true
	}
	nd.Best = g.Strategy.Best(nd)
	if !nd.Best.Found() || !g.gains(&nd.Best) {
		return false
	}
	g.open = append(g.open, nd)
	q.Push(grow.Open{Node: int32(nd.Id), Gain: nd.Best.Gain, Slot: len(g.open) - 1})
	return true
}

// gains reports whether a split gains as much as the limits require. A gain that is the limit but
// for rounding counts, as in scikit-learn. A gain below 0 is a rounding error.
func (g *Growth) gains(b *Split) bool {
	return max(b.Gain, 0)/g.Whole.Weight+0x1p-52 >= g.Limits.MinGain
}

// split carries out the best split of a node and queues its children.
func (g *Growth) split(q grow.Queue, nd *Node) {
	children := g.divide(nd)
	open := false
	for _, c := range children {
		if len(c.Rows) == 0 {
			g.empty(nd, c)
			continue
		}
		open = open || !c.Pure && c.Count > 1 && (g.Limits.Depth <= 0 || c.Depth < g.Limits.Depth)
	}
	if open {
		g.Strategy.Settle(nd)
	}
	for _, c := range children {
		if len(c.Rows) > 0 {
			g.recordOpen(c)
		}
		if len(c.Rows) == 0 || !g.splittable(c) || !g.enqueue(q, c) {
			if len(c.Rows) > 0 {
				g.recordLeaf(c)
			}
			g.release(c)
		}
	}
	g.release(nd)
}

// release makes the memory of a node that is a leaf or split by now that of another one.
func (g *Growth) release(nd *Node) { g.free = append(g.free, nd) }

// divide writes the split of a node into the tree and returns its children with their statistics,
// in memory that the next call uses again.
func (g *Growth) divide(nd *Node) []*Node {
	g.children = g.children[:0]
	for range max(2, int(nd.Best.Arity)) {
		g.children = append(g.children, g.newNode(nd.Depth+1))
	}
	children := g.children
	g.Strategy.Divide(nd, children)
	b := &nd.Best
	g.summariseAll(nd, children)
	if invariant.On {
		g.checkChildren(nd, children)
	}
	g.settleUnseen(nd, children)
	child := g.Builder.Split(int32(nd.Id),
		tree.Split{Kind: b.Kind, Feature: b.Feature, Arity: b.Arity, SplitPoint: b.SplitPoint,
			Set: b.Set, Direction: b.Terms, Missing: b.Missing,
			Surrogates: b.Surrogates, Gain: max(b.Gain, 0)})
	for i, c := range children {
		c.Id, c.constant, c.Key = int(child)+i, nd.constant,
			rng.Seed(nd.Key, ChildStream, uint64(i))
		if g.rule != Learned {
			g.Builder.SetFraction(int32(c.Id), b.Fractions[i])
		}
	}
	return children
}

// summariseAll computes the statistics of the children of a node that have rows.
func (g *Growth) summariseAll(nd *Node, children []*Node) {
	// Rows that stop at a node would be counted in the larger child.
	if g.Counts && g.rule < Surrogate && len(children) == 2 && len(children[0].Rows) > 0 &&
		len(children[1].Rows) > 0 {
		g.summariseChildren(nd, children[0], children[1])
		return
	}
	for _, c := range children {
		if len(c.Rows) > 0 {
			g.Summarise(c)
		}
	}
}

// newNode returns a node, a new one or in the memory of one that is a leaf or split by now.
func (g *Growth) newNode(depth int) *Node {
	if len(g.free) == 0 {
		return &Node{Depth: depth}
	}
	nd := g.free[len(g.free)-1]
	g.free = g.free[:len(g.free)-1]
	stats := nd.Stats[:0]
	*nd = Node{} // by itself, as a literal with fields is made elsewhere and copied
	nd.Depth, nd.Stats = depth, stats
	return nd
}

// empty records a child without rows: a leaf with its parent's value and no weight.
func (g *Growth) empty(parent, c *Node) {
	g.Builder.SetValue(int32(c.Id), parent.Stats)
}

// recordOpen is record for a node that may be split, recordLeaf for one that is not.
func (g *Growth) recordOpen(nd *Node) {
	if !g.Output.Leaves {
		g.record(g.Builder, nd)
	}
}

func (g *Growth) recordLeaf(nd *Node) {
	if g.Output.Leaves {
		g.record(g.Builder, nd)
	}
}

// record writes a node's value and statistics into a tree.
func (g *Growth) record(b *tree.Builder, nd *Node) {
	value := nd.Stats
	if g.Family != criterion.Classes {
		value = []float64{nd.Value}
	}
	b.SetValue(int32(nd.Id), value)
	b.SetStats(int32(nd.Id), nd.Count, nd.Weight, nd.Impurity/nd.Weight)
}

package foreign

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// Node is a node of a file's tree.
type Node struct {
	// Children are the file's numbers of an inner node's children, first child first; a leaf has
	// none.
	Children []int32
	Split    tree.Split  // of inner nodes; its arity follows from the children
	Value    []float64   // of leaves: as many numbers as the tree's width
	Number   int32       // of leaves: the number that the tool reports for them
	Cover    float64     // of leaves: the weight of the training rows, if Source.Covers
	Constant float64     // of leaves with an equation, if Source.Linear; see tree.Linear
	Terms    []tree.Term // likewise, features ascending
}

// Source is a tree as a file stores it. Its nodes have numbers from 0 on, in any order.
type Source struct {
	Nodes int // their number
	Root  int32
	Kind  tree.LeafKind
	Width int // numbers of a value

	Covers bool      // leaves have a cover
	Gain   []float64 // by column: Grow adds the gains of its splits; nil: they are unknown
	Linear bool      // leaves have equations

	// Node reads a node into n, which is zero but for the capacity of its slices. The slices need
	// to hold until the next call.
	Node func(number int32, n *Node) error
}

// bytesPerTree and bytesPerNode bound the memory that a tree and its nodes take while it is built,
// and after.
const (
	bytesPerTree = 2048
	bytesPerNode = 256
)

// Grow makes a tree of a file's nodes, from the root on, level by level. number has for each node
// of the tree Node.Number if it is a leaf, else -1. A child that the file does not have, a node
// with two parents, a cycle, and what tree.Builder refuses are errors; nodes that are not below the
// root are left out.
func Grow(s Source, b *Budget) (t *tree.Tree, number []int32, err error) {
	if s.Nodes < 1 || int(s.Root) >= s.Nodes || s.Root < 0 {
		return nil, nil, fmt.Errorf("the root is node %d of %d", s.Root, s.Nodes)
	}
	cost := bytesPerTree + int64(s.Nodes)*(bytesPerNode+16*int64(s.Width))
	if err := b.Take(cost); err != nil {
		return nil, nil, err
	}
	g := growth{Source: s, found: make([]bool, s.Nodes)}
	g.builder = tree.NewBuilder(s.Kind, s.Width, false)
	g.file = append(g.file, s.Root)
	g.found[s.Root] = true
	var n Node
	for at := int32(0); int(at) < len(g.file); at++ {
		n = Node{Children: n.Children[:0], Value: n.Value[:0], Terms: n.Terms[:0],
			Split: tree.Split{Set: n.Split.Set[:0]}}
		if err := s.Node(g.file[at], &n); err != nil {
			return nil, nil, err
		}
		if err := g.add(at, &n); err != nil {
			return nil, nil, fmt.Errorf("node %d: %w", g.file[at], err)
		}
	}
	t, err = g.builder.Build()
	if err != nil {
		return nil, nil, err
	}
	return t.Compact(), g.number, nil
}

// growth is a tree in the making.
type growth struct {
	Source
	builder *tree.Builder
	file    []int32 // by node of the tree: the file's number
	number  []int32 // likewise: Node.Number of leaves, -1
	found   []bool  // by the file's number
}

// add makes node at of the tree as n describes it, and appends its children.
func (g *growth) add(at int32, n *Node) error {
	if len(n.Children) == 0 {
		return g.leaf(at, n)
	}
	g.number = append(g.number, -1)
	for _, c := range n.Children {
		if c < 0 || int(c) >= g.Nodes {
			return fmt.Errorf("child %d of %d nodes", c, g.Nodes)
		}
		if g.found[c] {
			return fmt.Errorf("child %d is below two nodes, or above itself", c)
		}
		g.found[c] = true
		g.file = append(g.file, c)
	}
	n.Split.Arity = int32(len(n.Children))
	g.builder.Split(at, n.Split)
	if f := n.Split.Feature; f >= 0 && int(f) < len(g.Gain) && !math.IsNaN(n.Split.Gain) {
		g.Gain[f] = min(g.Gain[f]+max(n.Split.Gain, 0), math.MaxFloat64)
	}
	return nil
}

func (g *growth) leaf(at int32, n *Node) error {
	if len(n.Value) != g.Width {
		return fmt.Errorf("a leaf of %d numbers in a tree of %d", len(n.Value), g.Width)
	}
	g.number = append(g.number, n.Number)
	g.builder.SetValue(at, n.Value)
	if g.Covers {
		g.builder.SetCover(at, n.Cover)
	}
	if g.Linear {
		g.builder.SetLinear(at, n.Constant, n.Terms)
	} else if len(n.Terms) > 0 {
		return errors.New("an equation in a tree without equations")
	}
	return nil
}

// Never makes n, which has two children and a rule for missing values, a split whose comparison
// holds for no row: all rows with a value go to the last child. Every number is up to +Inf, so the
// children change places.
func (n *Node) Never() {
	n.Children[0], n.Children[1] = n.Children[1], n.Children[0]
	switch n.Split.Missing {
	case tree.MissingFirst:
		n.Split.Missing = tree.MissingLast
	case tree.MissingLast:
		n.Split.Missing = tree.MissingFirst
	}
	n.Split.Kind, n.Split.SplitPoint = tree.Numeric, math.Inf(1)
}

package tree

import "fmt"

// Node is one node of a tree: 16 bytes, so that a cache line holds four. Its fields are packed:
//
//	splitPoint  of Numeric, Oblique and Sphere nodes; the number of the set at set nodes, the
//	            number of children at ByCode nodes; 0 at leaves
//	child       number of the first child; at leaves the slot of their value if Leaves.InNodes,
//	            else -1
//	look        bits 0-3 kind, 4-7 missing rule, 8-31 feature, all ones for none
//
// Files hold nodes in this form, so that those of a mapped file are used in place.
type Node struct {
	splitPoint float64
	child      int32
	look       uint32
}

// The fields of Node.look.
const (
	kindBits    = 4
	missingBits = 4
	featureAt   = kindBits + missingBits
	kindMask    = 1<<kindBits - 1
	missingMask = 1<<missingBits - 1
	noFeature   = 1<<(32-featureAt) - 1
)

// MaxFeatures is the largest number of columns of a tree's table, 16,777,215: the number of a
// column has 24 bits, and all ones stand for none.
const MaxFeatures = noFeature

// CheckFeatures returns an error if a table has more columns than that.
func CheckFeatures(columns int) error {
	if columns > MaxFeatures {
		return fmt.Errorf("the table has %d columns, trees can look at %d: leave some out", columns,
			MaxFeatures)
	}
	return nil
}

// pack returns the look field of a node that splits by a feature; -1 = none.
func pack(k Kind, m Missing, feature int32) uint32 {
	return uint32(k) | uint32(m)<<kindBits | uint32(feature)<<featureAt
}

// newLeaf is a leaf without a slot.
func newLeaf() Node { return Node{child: -1, look: pack(Leaf, MissingFirst, -1)} }

// Kind returns the kind of the node's decision.
func (d *Node) Kind() Kind { return Kind(d.look & kindMask) }

// Missing returns the rule for missing values; leaves have MissingFirst.
func (d *Node) Missing() Missing { return Missing(d.look >> kindBits & missingMask) }

// Feature returns the column of the schema that the node splits by; -1 at leaves and at Oblique and
// Sphere nodes, whose columns are in Tree.Dirs.
func (d *Node) Feature() int32 { return int32((d.look>>featureAt+1)&noFeature) - 1 }

// SplitPoint returns the split point of a Numeric, Oblique or Sphere node; +Inf separates known
// from missing values. Of other nodes it means nothing.
func (d *Node) SplitPoint() float64 { return d.splitPoint }

// Child returns the number of the node's first child, -1 at leaves.
func (d *Node) Child() int32 {
	if d.look&kindMask == uint32(Leaf) {
		return -1
	}
	return d.child
}

// Arity returns the number of the node's children: 0 at leaves, 2 at others but ByCode nodes.
func (d *Node) Arity() int32 {
	switch Kind(d.look & kindMask) {
	case Leaf:
		return 0
	case ByCode:
		return int32(d.splitPoint)
	}
	return 2
}

// Slot returns the slot of a leaf's value in a tree whose leaves keep it in their nodes
// (Leaves.InNodes). Of other nodes and trees it means nothing.
func (d *Node) Slot() int32 { return d.child }

// Set returns the number of a set node's set, for Tree.SetAt. Of other nodes it means nothing.
func (d *Node) Set() int32 { return int32(d.splitPoint) }

// Kind returns the kind of node n's decision.
func (t *Tree) Kind(n int32) Kind { return t.Nodes[n].Kind() }

// Missing returns node n's rule for missing values; leaves have MissingFirst.
func (t *Tree) Missing(n int32) Missing { return t.Nodes[n].Missing() }

// Feature returns the column of the schema that node n splits by; -1 at leaves and at Oblique and
// Sphere nodes.
func (t *Tree) Feature(n int32) int32 { return t.Nodes[n].Feature() }

// SplitPoint returns the split point of node n, a Numeric, Oblique or Sphere node. Of other nodes
// it means nothing.
func (t *Tree) SplitPoint(n int32) float64 { return t.Nodes[n].SplitPoint() }

// Child returns the number of the first child of node n, -1 at leaves.
func (t *Tree) Child(n int32) int32 { return t.Nodes[n].Child() }

// Arity returns the number of children of node n: 0 at leaves, 2 at others but ByCode nodes.
func (t *Tree) Arity(n int32) int32 { return t.Nodes[n].Arity() }

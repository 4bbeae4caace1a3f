// Package tree owns the decision tree as data: a flat, immutable array of nodes, and the one
// checked Builder that makes it. Every learner, codec, explainer and prediction engine uses it.
//
// Nodes are numbered from the root, 0. The children of a node are contiguous and come after it:
//
//	     0               Kind    Num  Num  Leaf Leaf Leaf
//	   /   \             Child    1    3    -    -    -
//	  1     2            Arity    2    2    0    0    0
//	 / \
//	3   4
//
// so a walk from the root always ends, and a pass over the nodes backwards visits children before
// parents. Tree.Over takes the rows of a table down a tree. Sub-packages prune and draw finished
// trees.
package tree

// Kind is the kind of a node's decision.
type Kind uint8

// The kinds of nodes.
const (
	Leaf    Kind = iota
	Numeric      // numeric: x <= SplitPoint goes to the first child, else to the last
	// categorical: codes in the node's set go to the first child, all others to the last
	SetFirst
	// categorical: codes in the node's set go to the last child, all others to the first
	SetLast
	// categorical, any arity: code c goes to child number c; a code without a child counts as
	// missing
	ByCode
	// numeric: sum of coefficient x value over the node's direction <= SplitPoint goes first, else
	// last
	Oblique
	// numeric: sum of (value - coefficient)^2 over the node's direction <= SplitPoint goes first,
	// else last
	Sphere
)

// Missing is the rule for a missing value at a node; at Oblique and Sphere nodes one missing value
// of the direction is enough. A category outside the node's set needs no rule of its own: the kind
// SetFirst or SetLast already states where it goes.
type Missing uint8

// The missing rules.
const (
	MissingFirst Missing = iota // go to the first child
	MissingLast                 // go to the last child
	// go to the child of the largest fraction, of equal ones the first
	MissingMajority
	// go to every child with that fraction of the row's weight which is the child's
	MissingFractional
	// the first surrogate split that applies decides, else as MissingMajority
	MissingSurrogate
	// the first surrogate split that applies decides; else go no further: the node's value is the
	// answer
	MissingStop
)

// LeafKind reports what the values of a tree mean.
type LeafKind uint8

// The kinds of leaf values.
const (
	Scalar LeafKind = iota // one number, Width 1
	Vector                 // Width numbers
	// class weights, Width = number of classes; predictions are their fractions
	Counts
)

// Leaves holds the values of a tree. Inner nodes may have values too: pruning, printing and
// stopping early need them. There are three ways to find a node's value, from the fullest to the
// most compact:
//
//	Slot nil               every node has a value; its slot is its own number
//	Slot                   an element per node, -1 = no value
//	Slot nil, InNodes      only leaves have values; a leaf's slot is in its Node
//
// In the latter two several nodes may have one slot.
type Leaves struct {
	Kind    LeafKind
	Width   int
	Slot    []int32
	InNodes bool
	Value   []float64 // slot-major: Value[slot*Width : (slot+1)*Width]
	Samples *Samples  // of Scalar: the training values behind each slot; nil if they are not kept
	Linear  *Linear   // of Scalar: the equations of slots; nil if all have plain values
}

// NodeStats holds the training statistics of each node. Prediction does not need it; pruning,
// importances and drawings do. Trees of NewLeafBuilder have gains alone, the other slices are
// empty; Tree.Cover has the weights of their leaves.
type NodeStats struct {
	Rows     []uint32  // training rows, counted with multiplicity
	Weight   []float64 // their total weight
	Impurity []float64 // mean impurity per unit of weight, in the criterion's unit
	Gain     []float64 // total decrease Weight x Impurity - sum over children; 0 at leaves
}

// Tree is one decision tree. Its slices are read-only once Build returned it; all methods may be
// called concurrently.
type Tree struct {
	Nodes []Node
	Leaf  Leaves
	Sets  []uint64 // bit sets of the set nodes, 64 codes a word
	// set s, numbered by Node.Set, is Sets[SetAt[s]:SetAt[s+1]], and one node's; nil if there are
	// none
	SetAt []int32

	// fraction of the parent's weight with a known value that went to the node; nil if no rule
	// needs it
	Fraction   []float64
	Dirs       *Directions // of Oblique and Sphere nodes; nil if there are none
	Surrogates *Surrogates // of MissingSurrogate nodes; nil if there are none
	Stats      *NodeStats  // nil if dropped
	Cover      *Cover      // of trees whose Stats have no weights; nil if it is not kept
}

// Directions holds the terms of Oblique and Sphere nodes: node n's features and coefficients are
// those from At[n] up to At[n+1], features ascending.
type Directions struct {
	At      []int32
	Feature []int32
	Coef    []float64
}

// Surrogates holds the splits that replace a node's own where its value is missing, best first:
// node n's are those from At[n] up to At[n+1] (Breiman et al. 1984, section 5.3). A surrogate
// applies where the row's value for it is not missing. A set has the codes that it holds and no
// others. So a categorical surrogate has two sets, one for each side, and a category that neither
// holds is for the next surrogate.
type Surrogates struct {
	At []int32
	// Numeric; SetFirst or SetLast: codes in the set go to the first or the last child
	Kind       []Kind
	Feature    []int32
	SplitPoint []float64
	Flip       []uint8 // 1: x <= SplitPoint goes last, else first; 0 at sets
	Sets       []uint64
	SetAt      []int32 // surrogate s's set is Sets[SetAt[s]:SetAt[s+1]]; nil if none has a set
	// fraction of the rows whose value at the node is known that it sends to the same child; a row
	// that it has no access to disagrees
	Agree []float64
	// improvement of that fraction over sending all to the heavier child: (agree - m) / (1 - m), m
	// the fraction that goes there
	Adjusted []float64
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.Nodes) }

// NumLeaves returns the number of leaves.
func (t *Tree) NumLeaves() int {
	n := 0
	for i := range t.Nodes {
		if t.Nodes[i].Kind() == Leaf {
			n++
		}
	}
	return n
}

// Depths returns the depth of every node; the root has depth 0.
func (t *Tree) Depths() []int32 {
	depth := make([]int32, t.Len())
	for i := range t.Nodes {
		d := &t.Nodes[i]
		for c := d.Child(); c < d.Child()+d.Arity(); c++ {
			depth[c] = depth[i] + 1
		}
	}
	return depth
}

// Depth returns the depth of the deepest leaf; a single leaf has depth 0.
func (t *Tree) Depth() int {
	deepest := int32(0)
	for _, d := range t.Depths() {
		deepest = max(deepest, d)
	}
	return int(deepest)
}

// Parents returns the parent of every node, -1 for the root.
func (t *Tree) Parents() []int32 {
	parent := make([]int32, t.Len())
	parent[0] = -1
	for i := range t.Nodes {
		d := &t.Nodes[i]
		for c := d.Child(); c < d.Child()+d.Arity(); c++ {
			parent[c] = int32(i)
		}
	}
	return parent
}

// Set returns the bit set of node n, nil where it has none: a view into the tree.
func (t *Tree) Set(n int32) []uint64 {
	d := &t.Nodes[n]
	if !d.Kind().hasSet() {
		return nil
	}
	s := d.Set()
	return t.Sets[t.SetAt[s]:t.SetAt[s+1]]
}

// hasSet reports whether nodes of the kind decide by a set.
func (k Kind) hasSet() bool { return k == SetFirst || k == SetLast }

// InSet reports whether a bit set holds a code; codes beyond its end are outside.
func InSet(set []uint64, code uint32) bool {
	w := int(code >> 6)
	return w < len(set) && set[w]>>(code&63)&1 == 1
}

// Value returns the value of node n: a view into the tree, nil where the node has none.
func (t *Tree) Value(n int32) []float64 {
	slot := t.Slot(n)
	if slot < 0 {
		return nil
	}
	w := t.Leaf.Width
	return t.Leaf.Value[int(slot)*w : (int(slot)+1)*w]
}

// Slot returns the slot of node n's value in Leaf.Value, -1 where the node has none.
func (t *Tree) Slot(n int32) int32 {
	switch l := &t.Leaf; {
	case l.Slot != nil:
		return l.Slot[n]
	case !l.InNodes:
		return n
	case t.Kind(n) == Leaf:
		return t.Nodes[n].Slot()
	}
	return -1
}

// InnerValues reports whether every node has a value of its own, as trees that were just grown
// have.
func (l *Leaves) InnerValues() bool { return l.Slot == nil && !l.InNodes }

// Looks returns the features that node n splits by: one at most nodes, several at Oblique and
// Sphere nodes, none at leaves. Surrogates do not count. The caller must not change them.
func (t *Tree) Looks(n int32) []int32 {
	if t.Dirs != nil && t.Dirs.At[n] < t.Dirs.At[n+1] {
		return t.Dirs.Feature[t.Dirs.At[n]:t.Dirs.At[n+1]]
	}
	if f := t.Feature(n); f >= 0 {
		return []int32{f}
	}
	return nil
}

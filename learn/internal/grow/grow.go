// Package grow owns what all tree-growing engines have in common: the population that a tree is
// grown on, and the limits that stop it. It owns the queue of open nodes, whose order is the growth
// policy. Split criteria are in internal/criterion, samples of rows in learn/sample.
package grow

// Population is the rows that one tree is grown on, with their labels. Slices other than Rows are
// indexed by position in Rows. Exactly one of Class and Y is set, neither for trees that use no
// labels.
type Population struct {
	Rows  []int32  // distinct frame rows, ascending
	Count []uint32 // multiplicity of each row, 0 where it is left out; nil = all 1
	// total weight of each row, its multiplicity included, positive unless left out; nil = its
	// multiplicity
	Weight []float64
	// the same before Scale weighed classes against each other; nil = Weight. Surrogates are judged
	// by it
	Case  []float64
	Class []uint32  // class of each row, below Classes
	Y     []float64 // value of each row

	Classes int // number of classes

	Weightless int // rows of weight 0 that Gather left out, with multiplicity
}

// Limits stop the growth. The zero value grows until every leaf is pure.
type Limits struct {
	Depth    int // greatest depth of a leaf, the root having 0; 0 = no limit
	Leaves   int // greatest number of leaves; 0 = no limit
	MinSplit int // rows, with multiplicity, that a node needs to be split; below 2 means 2
	MinLeaf  int // rows, with multiplicity, that each child must keep; below 1 means 1
	// least impurity decrease of a split, as a fraction of the weight of all rows: W_t/W (i_t -
	// W_L/W_t i_L - W_R/W_t i_R)
	MinGain float64
}

// Open is a node whose best split is known and that is to be split.
type Open struct {
	Node int32   // number in the tree
	Gain float64 // total impurity decrease of its best split
	Slot int     // the engine's own record of the node
}

// Queue orders open nodes: it is the growth policy, and nothing else differs between policies.
type Queue interface {
	Push(Open)
	Pop() (Open, bool) // false: nothing is open
}

// DepthFirst returns a queue that finishes the first child's subtree before the second's: last in,
// first out.
func DepthFirst() Queue { return &stack{} }

type stack struct{ open []Open }

func (s *stack) Push(o Open) { s.open = append(s.open, o) }

func (s *stack) Pop() (Open, bool) {
	if len(s.open) == 0 {
		return Open{}, false
	}
	last := len(s.open) - 1
	o := s.open[last]
	s.open = s.open[:last]
	return o, true
}

// BestFirst returns a queue that splits the node of largest gain next, of equal gains the lower
// node.
func BestFirst() Queue {
	return &Heap[Open]{Before: func(a, b Open) bool {
		return a.Gain > b.Gain || a.Gain == b.Gain &&
			a.Node < b.Node
	}}
}

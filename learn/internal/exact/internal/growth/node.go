package growth

import "github.com/coppice-ml/coppice/internal/invariant"

// Node is a node whose split is searched for or is to be carried out.
type Node struct {
	Id, Depth int
	// the node's segment of rows and of every order; unused where nodes have lists of their own
	Lo, Hi   int
	Rows     []uint32  // positions of its rows, ascending
	Fraction []float64 // the fraction of each row that belongs to the node; nil = all of it
	// seed of the node's random choices, a function of the tree's seed and the way to the node
	Key      uint64
	Count    int // with multiplicity
	Weight   float64
	Value    float64   // what the node predicts; unused for classes, whose prediction is stats
	Origin   float64   // Moments: what the values in stats are taken about
	Impurity float64   // total
	Stats    []float64 // see criterion.Family
	Few      Few
	ByValue  []uint32 // Values: list in ascending order of Y
	constant []uint64 // bit set of columns that have one value
	Pure     bool
	Best     Split
}

// Few are the statistics of the classes that have weight in a node, where these are few.
type Few struct {
	Classes []uint32 // ascending; nil = the node has the statistics of all alone
	Stats   []float64
}

// Halve gives two children the node's segment, of which the first n rows go first.
func (nd *Node) Halve(n int, children []*Node) {
	if invariant.On {
		invariant.Check(n >= 0 && n <= len(nd.Rows) && nd.Hi-nd.Lo == len(nd.Rows),
			"%d rows go first, of %d in a segment of %d", n, len(nd.Rows), nd.Hi-nd.Lo)
	}
	first, last := children[0], children[1]
	first.Lo, first.Hi, first.Rows = nd.Lo, nd.Lo+n, nd.Rows[:n]
	last.Lo, last.Hi, last.Rows = nd.Lo+n, nd.Hi, nd.Rows[n:]
}

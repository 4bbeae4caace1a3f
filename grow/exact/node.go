package exact

// node is a node whose split is looked for or waits to be carried out.
type node struct {
	id, depth int
	// the node's segment of rows and of every order; unused where nodes have lists of their own
	lo, hi int
	list   []uint32  // positions of its rows, ascending
	part   []float64 // the part of each row that belongs to the node; nil = all of it
	// seed of the node's draws, a function of the tree's seed and the way to the node
	key      uint64
	rows     int // with multiplicity
	weight   float64
	value    float64   // what the node predicts; unused for classes, whose prediction is stats
	origin   float64   // Moments: what the values in stats are taken about
	impurity float64   // total
	stats    []float64 // see criterion.Family
	classes  []uint32  // of narrow; nil = there is none
	narrow   []float64 // stats of the classes that have weight, where these are few
	byValue  []uint32  // Values: list in ascending order of Y
	constant []uint64  // bit set of columns that have one value
	pure     bool
	best     split
}

// halve gives two children the node's segment, of which the first n rows go first.
func (nd *node) halve(n int, children []*node) {
	first, last := children[0], children[1]
	first.lo, first.hi, first.list = nd.lo, nd.lo+n, nd.list[:n]
	last.lo, last.hi, last.list = nd.lo+n, nd.hi, nd.list[n:]
}

package hist

import "github.com/coppice-ml/coppice/internal/rng"

// open is a node of the tree that grows: a leaf until it is split.
type open struct {
	begin, end int32 // its rows are those of rowOrder from begin to end-1
	rows       int32 // how many they are, those of other ranks included
	depth      int32
	node       int32  // number in the tree; -1: not yet there
	mark       int32  // of its rows; see rowOrder.leaf
	key        uint64 // names the place in the tree, for random samples
	outputs    []stat // of each output
	limits     limits // of its value
	// columns on the way to it, ascending and distinct; kept where Interactions limit them
	path  []int32
	hist  *histogram // nil: not kept
	split split
	first *open // children, of a leaf that is split or was tried
	last  *open
	basis *open // whose value it has: itself, or a leaf above that was split in name
	ready bool  // both are known
	ahead bool  // it waits in leafWorkers.ahead
	final bool  // its split is the tree's last one: its children stay leaves
	grows bool  // one of its children may be split

	moved movedLeaf // of several ranks: where its rows are that move to one of them

	// Of a stored matrix: columns whose rows are to be counted by bin, and those that are.
	wanted []int32
	counts map[int32][]int32

	// By LightGBM's conventions.
	l2          float64 // added to L2 for its value
	able, among []int32 // columns that split it, and those that split the leaf above, ascending
}

// stat is what a leaf has for one output.
type stat struct {
	sum   pair    // of its rows, in units of the sums
	value float64 // its value, were it to stay a leaf
}

// newRoot returns the root of a tree of some rows, own of which are in the order. Its outputs have
// no values yet.
func newRoot(rows, own int, sums []sums, seed uint64) *open {
	l := &open{end: int32(own), rows: int32(rows), limits: free(), key: rng.Seed(seed, forTree),
		outputs: make([]stat, len(sums))}
	l.basis = l
	for k := range sums {
		l.outputs[k].sum = sums[k].total
	}
	return l
}

// makeChildren makes the children of a leaf whose rows were partitioned at mid, with which the
// first child has so many, of all ranks. first has its sums by output. The children have no values
// yet.
func (l *open) makeChildren(mid, rows int32, first []pair) {
	n := len(first)
	outputs := make([]stat, 2*n)
	child := func(which uint64, begin, end, rows int32, outputs []stat) *open {
		c := &open{begin: begin, end: end, rows: rows, depth: l.depth + 1, node: -1,
			key:     rng.Seed(l.key, forChild, which),
			outputs: outputs, limits: l.limits, path: l.path, among: l.able}
		c.basis = c
		return c
	}
	l.first = child(0, l.begin, mid, rows, outputs[:n])
	l.last = child(1, mid, l.end, l.rows-rows, outputs[n:])
	for k, sum := range first {
		l.first.outputs[k].sum = sum
		l.last.outputs[k].sum = l.outputs[k].sum.minus(sum)
	}
}

// len returns the number of rows, those of other ranks included.
func (l *open) len() int { return int(l.rows) }

// bySize returns the child of fewer rows and the other.
func (l *open) bySize() (small, large *open) {
	if l.first.len() > l.last.len() {
		return l.last, l.first
	}
	return l.first, l.last
}

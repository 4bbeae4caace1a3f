package hist

import "github.com/coppice-ml/coppice/internal/rng"

// open is a node of the tree that grows: a leaf until it is split.
type open struct {
	begin, end int32 // its rows are those of rowOrder from begin to end-1
	rows       int32 // how many they are, those of other ranks included
	depth      int32
	node       int32  // number in the tree; -1: not yet there
	key        uint64 // names the place in the tree, for random samples
	outputs    []stat // of each output
	limits     limits // of its value
	// columns on the way to it, ascending and distinct; kept where Interactions limit them
	path  []int32
	hist  *histogram // nil: not kept
	split split
	first *open // children, of a leaf that is split or was tried
	last  *open
	basis *open     // whose value it has: itself, or a leaf above that was split in name
	moved movedLeaf // of several ranks: where its rows are that move to one of them
	turn
	rowCounts
	inherited
}

// turn is where a leaf is in the order of growth.
type turn struct {
	ready bool // its children are known
	ahead bool // it waits in leafWorkers.ahead
	final bool // its split is the tree's last one: its children stay leaves
	grows bool // one of its children may be split
}

// rowCounts is the rows of a leaf that are counted between two searches; see rowCounter.
type rowCounts struct {
	wanted []int32           // columns whose rows are to be counted by bin
	counts map[int32][]int32 // by column that was counted
}

// inherited is what leaves below a leaf take over by LightGBM's conventions.
type inherited struct {
	l2    float64 // added to L2 for its value
	able  []int32 // columns that split it, ascending
	among []int32 // those that split the leaf above
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
func (l *open) makeChildren(memory *treeMemory, mid, rows int32, first []pair) {
	n, made := len(first), memory.take()
	outputs := made.stats[:]
	if n > 1 {
		outputs = make([]stat, 2*n)
	}
	child := func(which int, begin, end, rows int32) *open {
		c := &made.of[which]
		*c = open{begin: begin, end: end, rows: rows, depth: l.depth + 1, node: -1,
			key:     rng.Seed(l.key, forChild, uint64(which)),
			outputs: outputs[which*n : (which+1)*n], limits: l.limits, path: l.path}
		c.basis, c.among = c, l.able
		return c
	}
	l.first = child(0, l.begin, mid, rows)
	l.last = child(1, mid, l.end, l.rows-rows)
	for k, sum := range first {
		l.first.outputs[k].sum = sum
		l.last.outputs[k].sum = l.outputs[k].sum.minus(sum)
	}
}

// moveChildren gives the children of a leaf their parts of the rows that have moved, of which those
// from mid on are the last child's.
func (l *open) moveChildren(mid int32) {
	if v := l.moved; v.rows != nil {
		l.first.moved = movedLeaf{v.rows, v.lo, mid}
		l.last.moved = movedLeaf{v.rows, mid, v.hi}
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

// firstIsLighter reports whether the first child of a leaf has less of the sum of hessians, given
// its sums by output.
func (l *open) firstIsLighter(first []pair) bool {
	one, all := 0.0, 0.0
	for k, s := range first {
		one += s.h
		all += l.outputs[k].sum.h
	}
	return 2*one <= all
}

// lighter returns the child that has less of the sum of hessians, and the other.
func (l *open) lighter(first []pair) (light, heavy *open) {
	if l.firstIsLighter(first) {
		return l.first, l.last
	}
	return l.last, l.first
}

// ownedRows returns the number of rows of a leaf that have not moved.
func (l *open) ownedRows() int {
	if l.moved.rows != nil {
		return 0
	}
	return l.len()
}

// appendChildren appends the children of those leaves that have one which may be split.
func appendChildren(to, leaves []*open) []*open {
	for _, l := range leaves {
		if l.grows {
			to = append(to, l.first, l.last)
		}
	}
	return to
}

// mayBeSplit reports whether a leaf has the rows and the depth for a split.
func (c *Config) mayBeSplit(l *open) bool {
	return l.len() >= 2*max(1, c.MinLeaf) && (c.Depth == 0 || int(l.depth) < c.Depth)
}

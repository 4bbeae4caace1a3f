package hist

// open is a leaf of the tree that grows.
type open struct {
	begin, end int32 // its rows are order[begin:end]
	depth      int32
	node       int32  // number in the tree; -1: not yet there
	key        uint64 // names the place in the tree, for random samples
	sum        pair
	limits     limits
	value      float64 // its value, were it to stay a leaf
	// columns on the way to it, ascending and distinct; kept where Interactions limit them
	path  []int32
	hist  *histogram
	split split
	first *open // children, of a leaf that is split or was tried
	last  *open
	ready bool // both are known
	final bool // its split is the tree's last one: its children stay leaves

	// By LightGBM's conventions.
	l2          float64 // added to L2 for its value
	able, among []int32 // columns that split it, and those that split the leaf above, ascending

	// of trees for several outputs, whose leaves have neither sum, value, limits nor hist
	several *several
}

func (l *open) len() int { return int(l.end - l.begin) }

// bySize returns the child of fewer rows and the other.
func (l *open) bySize() (small, large *open) {
	if l.first.len() > l.last.len() {
		return l.last, l.first
	}
	return l.first, l.last
}

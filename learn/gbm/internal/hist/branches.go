package hist

// branches is the nodes of a tree that grows.
type branches struct {
	nodes []*open // by number
	split []*open // those that were split, in that order, which numbers their children
}

// commit numbers the children of a leaf that is split.
func (t *branches) commit(l *open) {
	l.first.node, l.last.node = int32(len(t.nodes)), int32(len(t.nodes)+1)
	t.nodes = append(t.nodes, l.first, l.last)
	t.split = append(t.split, l)
}

// inner reports whether a node was split.
func (t *branches) inner(l *open) bool { return l.first != nil && l.first.node > 0 }

// leaves calls f for every leaf, in the order of their nodes.
func (t *branches) leaves(f func(node int32, l *open)) {
	for n, l := range t.nodes {
		if !t.inner(l) {
			f(int32(n), l)
		}
	}
}

// leavesBelow calls f for the leaves of a tree at a node or below it.
func (t *branches) leavesBelow(l *open, f func(leaf *open)) {
	if !t.inner(l) {
		f(l)
		return
	}
	t.leavesBelow(l.first, f)
	t.leavesBelow(l.last, f)
}

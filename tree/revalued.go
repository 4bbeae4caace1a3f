package tree

// Revalued returns the compact form of a tree whose leaves have other numbers: value is called that
// of each leaf, in the order of the nodes. Several leaves may have one slot, numbered as in
// Compact. Samples and equations are left out. Rows may not stop at inner nodes.
func (t *Tree) Revalued(value func(leaf int32) float64) *Tree {
	c := copyNodes(t)
	c.Leaf = Leaves{Kind: Scalar, Width: 1, InNodes: true}
	table := newSlots(1)
	for n := range int32(t.Len()) {
		if t.Kind(n) == Leaf {
			c.Nodes[n].child = table.find([]float64{value(n)})
		}
	}
	c.Leaf.Value = exact(table.value)
	return c
}

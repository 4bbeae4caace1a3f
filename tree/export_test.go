package tree

// Setters for tests that break trees.

func (t *Tree) SetKind(n int, k Kind) { t.Nodes[n].look = t.Nodes[n].look&^kindMask | uint32(k) }
func (t *Tree) SetMissing(n int, m Missing) {
	t.Nodes[n].look = t.Nodes[n].look&^(missingMask<<kindBits) | uint32(m)<<kindBits
}
func (t *Tree) SetFeature(n int, feature int32) {
	t.Nodes[n].look = t.Nodes[n].look&(1<<featureAt-1) | uint32(feature)<<featureAt
}
func (t *Tree) SetCut(n int, cut float64)   { t.Nodes[n].cut = cut }
func (t *Tree) SetChild(n int, child int32) { t.Nodes[n].child = child }

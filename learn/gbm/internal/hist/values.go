package hist

// LeafSum is what some rows add up to in a leaf: gradients, hessians, and how many they are.
type LeafSum struct {
	G, H float64
	Rows int
}

// LeafOf writes the index in Leaves of each row's leaf, by row of the matrix: for all rows among,
// as by Add; nil = all of the matrix.
func (t *Grown) LeafOf(leaf, among []int32) {
	index := t.indexes()
	t.reach(nil, among, func(node int32, rows []int32) {
		i := index[node]
		for _, r := range rows {
			leaf[r] = i
		}
	})
}

// Values returns what the values of the leaves would be by sums of other rows or of other
// derivatives, one for each of Leaves: Newton steps with the penalties and limits of the Config.
// Leaves below a split in name have the value of the leaf that it was made of.
func (t *Grown) Values(sums []LeafSum) []float64 {
	byNode := make([]LeafSum, len(t.nodes))
	for i, s := range sums {
		byNode[t.Leaves[i].Node] = s
	}
	for i := len(t.split) - 1; i >= 0; i-- { // children are split after the node above
		l := t.split[i]
		a, b := byNode[l.first.node], byNode[l.last.node]
		byNode[l.node] = LeafSum{a.G + b.G, a.H + b.H, a.Rows + b.Rows}
	}
	value := make([]float64, len(t.nodes))
	value[0] = t.valueOf(t.nodes[0], byNode[0], 0)
	for _, l := range t.split {
		for _, child := range []*open{l.first, l.last} {
			value[child.node] = value[l.node]
			if child.basis == child {
				value[child.node] = t.valueOf(child, byNode[child.node], value[l.node])
			}
		}
	}
	found := make([]float64, len(t.Leaves))
	for i, l := range t.Leaves {
		found[i] = value[l.Node]
	}
	return found
}

// Under returns the indexes of the leaves whose rows the value of a leaf is computed of: its own,
// or all leaves below the node that a split in name was made of.
func (t *Grown) Under(leaf int) []int32 {
	index := t.indexes()
	var under []int32
	var walk func(l *open)
	walk = func(l *open) {
		if !t.inner(l) {
			under = append(under, index[l.node])
			return
		}
		walk(l.first)
		walk(l.last)
	}
	walk(t.nodes[t.Leaves[leaf].Node].basis)
	return under
}

// indexes returns the index in Leaves of each node that is a leaf.
func (t *Grown) indexes() []int32 {
	index := make([]int32, len(t.nodes))
	for i, l := range t.Leaves {
		index[l.Node] = int32(i)
	}
	return index
}

// valueOf returns the value of a node by some sums. parent is that of the node above.
func (t *Grown) valueOf(l *open, s LeafSum, parent float64) float64 {
	terms := t.in.c.terms(l.l2)
	return terms.value(pair{s.G, s.H}, l.limits, float64(s.Rows), parent)
}

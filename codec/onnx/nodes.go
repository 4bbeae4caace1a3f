package onnx

import (
	"cmp"
	"math"
	"slices"
)

// fromNodes makes the nodes of versions 1 to 3, where leaves are nodes and a node's name is its
// tree's number and its own. A tree is the nodes that follow each other with one number, root
// first.
func (e *ensemble) fromNodes(l *lists) {
	n := len(l.yes)
	for _, length := range []int{len(l.tree), len(l.node), len(l.feature), len(l.no), len(l.modes),
		len(l.values)} {
		if length != n {
			e.damaged("lists of %d and %d nodes", n, length)
		}
	}
	if len(l.tracks) != 0 && len(l.tracks) != n {
		e.damaged("%d rules for missing values of %d nodes", len(l.tracks), n)
	}
	e.nodes = make([]treeNode, n)
	for i := range e.nodes {
		d := &e.nodes[i]
		*d = treeNode{mode: l.modes[i], value: l.values[i], number: int32(l.node[i]),
			tracks: l.tracks != nil && l.tracks[i] == 1, feature: int32(l.feature[i])}
		if i == 0 || l.tree[i] != l.tree[i-1] {
			e.roots = append(e.roots, int32(i))
		}
		switch {
		case l.node[i] != int64(d.number) || d.number < 0:
			e.damaged("node %d is called %d", i, l.node[i])
		case d.mode != leaf && (l.feature[i] != int64(d.feature) || d.feature < 0):
			e.damaged("node %d tests column %d", i, l.feature[i])
		case d.mode == member:
			refuse("BRANCH_MEMBER in %s", e.operator.op)
		}
	}
	places := e.places(l)
	for i := range e.nodes {
		d := &e.nodes[i]
		if d.mode == leaf {
			continue
		}
		d.yes, d.no = places.find(l.tree[i], l.yes[i]), places.find(l.tree[i], l.no[i])
		if d.yes < 0 || d.no < 0 {
			e.damaged("node %d of tree %d has no child %d or %d", d.number, l.tree[i],
				l.yes[i], l.no[i])
		}
	}
	e.leafWeights(l, places)
}

// places finds nodes by their names: order has their places, ascending by name.
type places struct {
	*lists
	order []int32
}

// places sorts the nodes of fromNodes, of which none may have the name of another.
func (e *ensemble) places(l *lists) places {
	p := places{l, make([]int32, len(l.node))}
	for i := range p.order {
		p.order[i] = int32(i)
	}
	compare := func(a, b int32) int {
		return cmp.Or(cmp.Compare(l.tree[a], l.tree[b]), cmp.Compare(l.node[a], l.node[b]))
	}
	if !slices.IsSortedFunc(p.order, compare) {
		slices.SortFunc(p.order, compare)
	}
	for i := 1; i < len(p.order); i++ {
		if a := p.order[i]; compare(p.order[i-1], a) == 0 {
			e.damaged("two nodes %d of tree %d", l.node[a], l.tree[a])
		}
	}
	for i := 1; i < len(e.roots); i++ {
		if tree := l.tree[e.roots[i]]; p.find(tree, l.node[e.roots[i]]) < 0 {
			e.damaged("tree %d", tree)
		}
	}
	return p
}

// find returns the place of a node, -1 if there is none.
func (p places) find(tree, node int64) int32 {
	i, ok := slices.BinarySearchFunc(p.order, node, func(at int32, node int64) int {
		return cmp.Or(cmp.Compare(p.tree[at], tree), cmp.Compare(p.node[at], node))
	})
	if !ok {
		return -1
	}
	return p.order[i]
}

// leafWeights gives leaves their weights, in the order of the file. Weights of other nodes, which
// old converters write, count for nothing.
func (e *ensemble) leafWeights(l *lists, p places) {
	n := len(l.ids)
	if n != len(l.weightNode) || n != len(l.weightTree) || n != len(l.weights) {
		e.damaged("%d weights of %d targets", len(l.weights), len(l.ids))
	}
	at := make([]int32, len(l.ids)) // the leaf of each weight
	for i := range at {
		if at[i] = p.find(l.weightTree[i], l.weightNode[i]); at[i] < 0 {
			e.damaged("weight %d of node %d of tree %d, which is not there", i,
				l.weightNode[i], l.weightTree[i])
		}
		if id := l.ids[i]; id < 0 || id >= int64(e.targets) {
			e.damaged("target %d of %d", id, e.targets)
		}
		if d := &e.nodes[at[i]]; d.mode == leaf {
			d.no++ // for now their number
		}
	}
	total := int32(0)
	for i := range e.nodes {
		d := &e.nodes[i]
		if d.mode != leaf {
			continue
		}
		if e.targets == 1 && d.no > 1 {
			refuse("%d weights of a leaf for one target", d.no)
		}
		if e.targets == 1 && d.no == 0 && d.value != 0 { // ONNX Runtime adds it
			refuse("a leaf without a weight, and %v in nodes_values", d.value)
		}
		d.yes, d.no, total = total, total, total+d.no
	}
	e.weights = make([]treeWeight, total)
	for i, place := range at {
		if d := &e.nodes[place]; d.mode == leaf {
			e.weights[d.no] = treeWeight{int32(l.ids[i]), l.weights[i]}
			d.no++
		}
	}
}

// fromLeaves makes the nodes of version 5, which has separate leaves: leaf i is put behind the
// nodes.
func (e *ensemble) fromLeaves(l *lists) {
	n := len(l.yes)
	for _, length := range []int{len(l.feature), len(l.no), len(l.modes), len(l.values),
		len(l.yesLeaf), len(l.noLeaf)} {
		if length != n {
			e.damaged("lists of %d and %d nodes", n, length)
		}
	}
	if len(l.tracks) != 0 && len(l.tracks) != n || len(l.ids) != len(l.weights) {
		e.damaged("rules for missing values or weights of other nodes")
	}
	e.nodes = make([]treeNode, n, n+len(l.ids))
	place := func(child, isLeaf int64) int32 {
		if isLeaf == 0 && child >= 0 && child < int64(n) {
			return int32(child)
		}
		if isLeaf != 0 && child >= 0 && child < int64(len(l.ids)) {
			return int32(n) + int32(child)
		}
		return -1
	}
	for i := range e.nodes {
		d := &e.nodes[i]
		*d = treeNode{mode: l.modes[i], value: l.values[i], number: int32(i),
			feature: int32(l.feature[i]),
			tracks:  l.tracks != nil && l.tracks[i] == 1,
			yes:     place(l.yes[i], l.yesLeaf[i]), no: place(l.no[i], l.noLeaf[i])}
		if d.yes < 0 || d.no < 0 || l.feature[i] != int64(d.feature) || d.feature < 0 {
			e.damaged("node %d has a child or column out of range", i)
		}
		if d.mode == member {
			d.value = float64(len(e.sets))
			e.sets = append(e.sets, l.nextSet())
		}
	}
	e.weights = make([]treeWeight, len(l.ids))
	for i, id := range l.ids {
		if id < 0 || id >= int64(e.targets) {
			e.damaged("target %d of %d", id, e.targets)
		}
		e.weights[i] = treeWeight{int32(id), l.weights[i]}
		e.nodes = append(e.nodes, treeNode{mode: leaf, number: int32(i), yes: int32(i),
			no: int32(i + 1)})
	}
	for i, root := range e.roots {
		if root < 0 || int(root) >= n {
			e.damaged("a root that is no node")
		}
		// a tree of one leaf is a node with it twice
		if d := &e.nodes[root]; d.yes == d.no && int(d.yes) >= n {
			e.roots[i] = d.yes
		}
	}
}

// nextSet returns the members of the next set: NaN ends it.
func (l *lists) nextSet() []float64 {
	end := slices.IndexFunc(l.members, math.IsNaN)
	if end < 0 {
		set := l.members
		l.members = nil
		return set
	}
	set := l.members[:end]
	l.members = l.members[end+1:]
	return set
}

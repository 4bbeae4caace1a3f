package tree

import (
	"errors"
	"fmt"
)

// NewLeafBuilder starts a tree whose leaves alone have values, each in a slot of its own
// (Leaves.InNodes), and whose NodeStats are gains alone: what is needed of a tree that is made
// compact at once. The weights of leaves are in Tree.Cover. A node must be a leaf for good when its
// value is set.
func NewLeafBuilder(kind LeafKind, width int) *Builder {
	b := &Builder{stats: true, leaves: true, splits: map[int32]Split{}}
	b.t.Leaf.Kind, b.t.Leaf.Width, b.t.Leaf.InNodes = kind, width, true
	b.t.Stats = &NodeStats{}
	b.add(1)
	return b
}

// Reset starts another tree of the same kind in the memory of the one before, which must not be
// used any more.
func (b *Builder) Reset() {
	t, leaf := &b.t, b.t.Leaf
	leaf.Value = leaf.Value[:0]
	if s := t.Stats; s != nil {
		*s = NodeStats{Rows: s.Rows[:0], Weight: s.Weight[:0], Impurity: s.Impurity[:0],
			Gain: s.Gain[:0]}
	}
	clear(b.splits)
	*b = Builder{stats: b.stats, leaves: b.leaves, splits: b.splits, cover: b.cover[:0],
		t: Tree{Nodes: t.Nodes[:0], Leaf: leaf, Sets: t.Sets[:0], SetAt: t.SetAt[:0],
			Stats: t.Stats}}
	b.add(1)
}

// setLeaf is SetValue where leaves alone have values.
func (b *Builder) setLeaf(n int32, v []float64) {
	d, l := &b.t.Nodes[n], &b.t.Leaf
	if d.Kind() != Leaf {
		b.err = errors.Join(b.err, fmt.Errorf("node %d has a value and is no leaf", n))
		return
	}
	if d.child < 0 {
		d.child = int32(len(l.Value) / l.Width)
		l.Value = zeros(l.Value, l.Width)
	}
	copy(l.Value[int(d.child)*l.Width:][:l.Width], v)
}

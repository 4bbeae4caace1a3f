package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// layout is the order of a tree's nodes in a file: level by level, and the right child of a node
// directly after the left one, which XGBoost relies on.
type layout struct {
	*tree.Tree
	nodes []int32 // by place in the file: the node of the tree
	left  []int32 // by place: that of the left child; -1 at leaves
	swap  []bool  // by place: the first child of the tree's node is the right one
	cover []float64
}

func newLayout(t *tree.Tree) *layout {
	l := &layout{Tree: t, nodes: []int32{0}}
	for at := 0; at < len(l.nodes); at++ {
		n := l.nodes[at]
		if t.Kind(n) == tree.Leaf {
			l.left, l.swap = append(l.left, -1), append(l.swap, false)
			continue
		}
		first, last := t.Child(n), t.Child(n)+1
		swap := l.swapped(n)
		if swap {
			first, last = last, first
		}
		l.left, l.swap = append(l.left, int32(len(l.nodes))), append(l.swap, swap)
		l.nodes = append(l.nodes, first, last)
	}
	l.cover = l.covers()
	return l
}

// swapped reports whether the first child is the right one. The file's sets list what goes right.
// Its threshold of -Inf sends all numbers right: this separates known from missing values.
func (l *layout) swapped(n int32) bool {
	switch l.Kind(n) {
	case tree.SetFirst:
		return !l.empty(n)
	case tree.SetLast:
		return l.empty(n) // all that are known go first
	}
	return math.IsInf(l.SplitPoint(n), 1)
}

// empty reports whether a set has no category.
func (l *layout) empty(n int32) bool {
	for _, word := range l.Set(n) {
		if word != 0 {
			return false
		}
	}
	return true
}

// covers returns the weight of the training rows of each place: single precision at leaves, and
// sums of these at inner nodes.
func (l *layout) covers() []float64 {
	of, covers := l.Covers(), make([]float64, len(l.nodes))
	for at := len(l.nodes) - 1; at >= 0 && of != nil; at-- {
		if left := l.left[at]; left >= 0 {
			covers[at] = covers[left] + covers[left+1]
		} else {
			covers[at] = float64(min(float32(of[l.nodes[at]]), math.MaxFloat32))
		}
	}
	return covers
}

// tree returns the file's tree of number k of the leaves, times scale and plus bias. It has no
// gains, and values at leaves alone: trees that were made compact have no others.
func (l *layout) tree(w *writing, k int, scale, bias float64) (*fileTree, error) {
	size := len(l.nodes)
	t := &fileTree{left: l.left, right: make([]int32, size), feature: make([]int32, size),
		cond: make([]float32, size), defaultLeft: make([]uint8, size), kind: make([]uint8, size),
		gain: make([]float32, size), hessian: make([]float32, size), base: make([]float32, size)}
	for at, n := range l.nodes {
		t.hessian[at] = float32(min(l.cover[at], math.MaxFloat32))
		if l.left[at] < 0 {
			value := float32(float64(l.Value(n)[k]*scale) + bias)
			if !finite(value) {
				return nil, w.unsupported("a leaf value beyond single precision")
			}
			t.right[at], t.cond[at], t.base[at] = -1, value, value
			continue
		}
		t.right[at], t.feature[at] = l.left[at]+1, l.Feature(n)
		if first := l.NextMissing(n) == l.Child(n); first != l.swap[at] {
			t.defaultLeft[at] = 1
		}
		l.split(t, int32(at), n)
	}
	return t, nil
}

// split stores the comparison of an inner node.
func (l *layout) split(t *fileTree, at, n int32) {
	switch {
	case l.Kind(n) == tree.Numeric && !l.swap[at]:
		t.cond[at] = tree.As32(l.SplitPoint(n))
	case l.Kind(n) == tree.Numeric || l.empty(n):
		t.cond[at] = float32(math.Inf(-1))
	default:
		t.kind[at] = 1
		t.catNode = append(t.catNode, at)
		t.catStart = append(t.catStart, int32(len(t.cat)))
		set := l.Set(n)
		for code := range int32(64 * len(set)) {
			if tree.InSet(set, uint32(code)) {
				t.cat = append(t.cat, code)
			}
		}
		t.catSize = append(t.catSize, int32(len(t.cat))-t.catStart[len(t.catStart)-1])
	}
}

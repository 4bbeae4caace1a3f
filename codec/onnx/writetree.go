package onnx

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// mostEquals is the greatest number of categories on the side of a split that its set lists: each
// takes a node.
const mostEquals = 1024

// tree appends the nodes of a tree, level by level, the child of a comparison that holds first. A
// set is a chain of nodes, each of which tests for one category:
//
//	set {2, 5}?   yes: A   becomes   x == 2 ?   yes: A   no: x == 5 ?   yes: A
//	              no:  B                                               no:  B
func (w *writing) tree(i int) error {
	t := w.Trees[i]
	// nodes of t, and the number of the first that each becomes
	order, start := []int32{0}, []int32{0}
	first := []int32{} // by place in order: that of the first child
	codes := map[int32][]float64{}
	for at := 0; at < len(order); at++ {
		n := order[at]
		first = append(first, int32(len(order)))
		size := int32(1)
		if t.Kind(n) != tree.Leaf {
			yes, no := children(t, n)
			order = append(order, yes, no)
			if t.Kind(n) != tree.Numeric {
				set, err := codesOf(t, n)
				if err != nil {
					return err
				}
				codes[n], size = set, int32(len(set))
			}
		}
		start = append(start, start[at]+size)
	}
	for at, n := range order {
		if t.Kind(n) == tree.Leaf {
			if err := w.leaf(i, n, start[at]); err != nil {
				return err
			}
			continue
		}
		yes, no := order[first[at]], order[first[at]+1]
		d := treeNode{feature: t.Feature(n), tracks: t.NextMissing(n) == yes,
			yes: start[first[at]], no: start[first[at]+1]}
		if yes == no {
			return unsupported("a node with one child")
		}
		if t.Kind(n) == tree.Numeric {
			d.mode, d.value = below, float64(tree.As32(t.SplitPoint(n)))
			if math.IsInf(t.SplitPoint(n), 1) {
				d.mode, d.value = upTo, math.Inf(1)
			}
			w.add(d, start[at])
			continue
		}
		d.mode = equal
		for k, code := range codes[n] {
			one := d
			if one.value = code; k+1 < len(codes[n]) {
				one.no = start[at] + int32(k) + 1
			}
			w.add(one, start[at]+int32(k))
		}
	}
	w.trees++
	return nil
}

// add appends a node of the current tree.
func (w *writing) add(d treeNode, number int32) {
	d.number = number
	w.nodes, w.place = append(w.nodes, d), append(w.place, int32(w.trees))
}

// children returns the children of an inner node: where a comparison that holds goes, and the
// other.
func children(t *tree.Tree, n int32) (yes, no int32) {
	first, last := t.Child(n), t.Child(n)+1
	if t.Kind(n) == tree.SetLast {
		return last, first
	}
	return first, last
}

// codesOf returns the codes in the set of a node. An empty set, of a split between known and
// missing categories, is NaN, to which no number is equal.
func codesOf(t *tree.Tree, n int32) ([]float64, error) {
	var codes []float64
	for word, bits := range t.Set(n) {
		for bit := range 64 {
			if bits>>bit&1 == 1 {
				codes = append(codes, float64(64*word+bit))
			}
		}
	}
	switch n := len(codes); {
	case n == 0:
		return []float64{math.NaN()}, nil
	case n > mostEquals:
		return nil, unsupported("a split by a set of %d categories: the limit is %d", n, mostEquals)
	case codes[n-1] >= mostCodes:
		return nil, unsupported("category %v of a column: the limit is %d", codes[n-1], mostCodes-1)
	}
	return codes, nil
}

// leaf appends a leaf of tree i with what it adds to scores.
func (w *writing) leaf(i int, n, number int32) error {
	t := w.Trees[i]
	// ONNX Runtime joins tests for equality whose subtrees look alike. It compares one weight of
	// each leaf, and nodes_values, where leaves have their numbers. All leaves have a weight: one
	// without would count by its number.
	w.add(treeNode{mode: leaf, value: float64(number)}, number)
	value := t.Value(n)
	if t.Leaf.Kind == tree.Counts {
		value = make([]float64, len(value))
		tree.Probabilities(value, t.Value(n))
	}
	target := max(0, w.OutputOf(i))
	weight := w.WeightOf(i) * w.factor
	if w.average {
		weight = w.factor
	}
	for k, v := range value {
		if v *= weight; w.divisors != nil {
			v /= w.divisors[target+int32(k)]
		}
		if w.form == mirrored {
			if err := w.entry(number, 0, -v); err != nil {
				return err
			}
			target = 1
		}
		if err := w.entry(number, target+int32(k), v); err != nil {
			return err
		}
	}
	return nil
}

// entry appends what a leaf of the current tree adds to a score.
func (w *writing) entry(node, target int32, value float64) error {
	single := float32(value) + 0 // no negative zero
	if math.IsInf(float64(single), 0) {
		return unsupported("a leaf of %v, which is beyond single precision", value)
	}
	w.weights = append(w.weights, leafEntry{int32(w.trees), node, target, single})
	return nil
}

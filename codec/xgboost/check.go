package xgboost

import (
	"math"

	"github.com/coppice-ml/coppice/tree"
)

// fieldSize bounds the memory of a column: field, name and what checks its schema. levelSize bounds
// that of a level, scoreSize that of a score, with the name of a class.
const (
	fieldSize = 192
	levelSize = 128
	scoreSize = 192
)

// check checks that the parts of a file fit together, so that neither the model nor the reference
// can leave an array.
func (f *file) check(in *input) error {
	n := f.scores()
	if err := in.Take(int64(n) * scoreSize); err != nil {
		return err
	}
	o, err := f.meaning(in)
	if err != nil {
		return err
	}
	switch {
	case f.classes > 1 && f.targets > 1:
		return in.corrupt("%d classes of %d targets", f.classes, f.targets)
	case len(f.base) != 1 && len(f.base) != n:
		return in.corrupt("%d values of base_score for %d scores", len(f.base), n)
	}
	for _, b := range f.bias(o) {
		if !finite(b) {
			return in.corrupt("base_score %v of %s", f.base, f.objective)
		}
	}
	if err := f.checkColumns(in); err != nil {
		return err
	}
	switch f.booster {
	case "gblinear":
		if int64(len(f.weights)) != (f.features+1)*int64(n) {
			return in.corrupt("%d weights for %d columns and %d scores", len(f.weights),
				f.features, n)
		}
		for _, w := range f.weights {
			if !finite(w) {
				return in.corrupt("a weight is %v", w)
			}
		}
		return nil
	case "gbtree", "dart":
		return f.forest.check(in, n, int(f.features))
	}
	return in.unsupported("the booster %.60q", f.booster)
}

func (f *file) checkColumns(in *input) error {
	c, n := &f.columns, int(f.features)
	if n > tree.MaxFeatures {
		return in.unsupported("%d columns: trees can test %d", n, tree.MaxFeatures)
	}
	if err := in.Take(int64(n) * fieldSize); err != nil {
		return err
	}
	for _, list := range []struct {
		name string
		n    int
	}{{"feature_names", len(c.names)}, {"feature_types", len(c.types)},
		{"cats.enc", len(c.categories)}} {
		if list.n != 0 && list.n != n {
			return in.corrupt("%d %s for %d columns", list.n, list.name, n)
		}
	}
	for _, levels := range c.categories {
		if err := in.Take(int64(len(levels)) * levelSize); err != nil {
			return err
		}
	}
	return nil
}

func finite(x float32) bool { return math.Abs(float64(x)) <= math.MaxFloat32 }

func (o *forest) check(in *input, scores, features int) error {
	n := len(o.trees)
	if len(o.group) != n || len(o.drop) > n {
		return in.corrupt("%d scores and %d weights for %d trees", len(o.group), len(o.drop), n)
	}
	if o.counted && o.count != int64(n) {
		return in.corrupt("%d trees, and num_trees is %d", n, o.count)
	}
	for i, w := range o.drop {
		if !finite(w) {
			return in.corrupt("tree %d has the weight %v", i, w)
		}
	}
	for i, at := range o.rounds {
		if i == 0 && at != 0 || i > 0 && at <= o.rounds[i-1] || int(at) > n {
			return in.corrupt("round %d starts at tree %d", i, at)
		}
	}
	if len(o.rounds) > 0 && int(o.rounds[len(o.rounds)-1]) != n {
		return in.corrupt("the rounds do not end with the trees")
	}
	for i, t := range o.trees {
		in.section = element("trees", i)
		if err := t.check(in, scores, features); err != nil {
			return err
		}
		if g := o.group[i]; g < 0 || int(g) >= scores {
			return in.corrupt("score %d of %d", g, scores)
		}
	}
	in.section = "file"
	return nil
}

// vector reports whether the leaves have several numbers.
func (t *fileTree) vector() bool { return t.width > 1 }

func (t *fileTree) check(in *input, scores, features int) error {
	n := len(t.left)
	if n == 0 {
		return in.corrupt("no node")
	}
	switch {
	case t.nodes != 0 && t.nodes != int64(n):
		return in.corrupt("%d nodes, and num_nodes is %d", n, t.nodes)
	case len(t.right) != n || len(t.feature) != n || len(t.cond) != n || len(t.defaultLeft) != n:
		return in.corrupt("arrays of unequal length: %d left_children, %d right_children, "+
			"%d split_indices, %d split_conditions and %d default_left", n, len(t.right),
			len(t.feature), len(t.cond), len(t.defaultLeft))
	case t.kind != nil && len(t.kind) != n || t.gain != nil && len(t.gain) != n ||
		t.hessian != nil && len(t.hessian) != n:
		return in.corrupt("arrays of unequal length: %d left_children, and others in split_type, "+
			"loss_changes or sum_hessian", n)
	case t.vector() && int(t.width) != scores:
		return in.corrupt("leaves of %d numbers for %d scores", t.width, scores)
	case t.vector() && t.leaf == nil && int64(len(t.base)) != int64(n)*t.width:
		return in.corrupt("%d base_weights for %d nodes", len(t.base), n)
	}
	if err := t.checkSets(in); err != nil {
		return err
	}
	return t.checkNodes(in, features)
}

// checkSets checks the categorical splits, and finds the set of each node.
func (t *fileTree) checkSets(in *input) error {
	if len(t.catStart) != len(t.catNode) || len(t.catSize) != len(t.catNode) {
		return in.corrupt("categorical splits of unequal length")
	}
	if t.kind == nil {
		if len(t.catNode) > 0 {
			return in.corrupt("categories without split_type")
		}
		return nil
	}
	if err := in.Take(4 * int64(len(t.left))); err != nil {
		return err
	}
	t.set = make([]int32, len(t.left))
	for i := range t.set {
		t.set[i] = -1
	}
	for i, node := range t.catNode {
		from, size := int64(t.catStart[i]), int64(t.catSize[i])
		switch {
		case int(node) >= len(t.left) || t.set[node] >= 0:
			return in.corrupt("categories of node %d, which are there twice or it is not", node)
		case from+size > int64(len(t.cat)):
			return in.corrupt("node %d has the categories %d to %d of %d", node, from, from+size,
				len(t.cat))
		}
		t.set[node] = int32(i)
	}
	return nil
}

// checkNodes walks from the root down: nodes that are deleted may hold anything.
func (t *fileTree) checkNodes(in *input, features int) error {
	n := len(t.left)
	if err := in.Take(int64(n) * 9); err != nil {
		return err
	}
	found, open := make([]bool, n), make([]int32, 1, n+1)
	found[0] = true
	for len(open) > 0 {
		node := open[len(open)-1]
		open = open[:len(open)-1]
		if t.left[node] == -1 {
			if t.vector() && t.leaf != nil && (t.right[node] < 0 ||
				(int64(t.right[node])+1)*t.width > int64(len(t.leaf))) {
				return in.corrupt("leaf %d has the vector %d", node, t.right[node])
			}
			continue
		}
		if f := t.feature[node]; f < 0 || int(f) >= features {
			return in.corrupt("node %d splits column %d of %d", node, f, features)
		}
		if t.categorical(node) && t.set[node] < 0 {
			return in.corrupt("node %d has no categories", node)
		}
		for _, c := range []int32{t.left[node], t.right[node]} {
			if c < 0 || int(c) >= n || found[c] {
				return in.corrupt("node %d has the child %d of %d nodes, or another has it too",
					node, c, n)
			}
			found[c] = true
			open = append(open, c)
		}
	}
	return nil
}

// categorical reports whether a node splits by category.
func (t *fileTree) categorical(node int32) bool { return t.kind != nil && t.kind[node] == 1 }

// goRight returns the categories of a categorical split, which go right.
func (t *fileTree) goRight(node int32) []int32 {
	s := t.set[node]
	return t.cat[t.catStart[s] : t.catStart[s]+t.catSize[s]]
}

// value returns the numbers of a leaf.
func (t *fileTree) value(node int32) []float32 {
	w := int32(t.width)
	switch {
	case !t.vector():
		return t.cond[node : node+1]
	case t.leaf != nil: // the place of the vector is where the right child would be
		return t.leaf[t.right[node]*w : (t.right[node]+1)*w]
	}
	return t.base[node*w : (node+1)*w]
}

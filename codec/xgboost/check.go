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
func (f *file) check(in *input) {
	n := f.scores()
	in.Need(int64(n) * scoreSize)
	o := f.meaning(in)
	switch {
	case f.classes > 1 && f.targets > 1:
		in.corrupt("%d classes of %d targets", f.classes, f.targets)
	case len(f.base) != 1 && len(f.base) != n:
		in.corrupt("%d values of base_score for %d scores", len(f.base), n)
	}
	for _, b := range f.bias(o) {
		if !finite(b) {
			in.corrupt("base_score %v of %s", f.base, f.objective)
		}
	}
	f.checkColumns(in)
	switch f.booster {
	case "gblinear":
		if int64(len(f.weights)) != (f.features+1)*int64(n) {
			in.corrupt("%d weights for %d columns and %d scores", len(f.weights),
				f.features, n)
		}
		for _, w := range f.weights {
			if !finite(w) {
				in.corrupt("a weight is %v", w)
			}
		}
	case "gbtree", "dart":
		f.forest.check(in, n, int(f.features))
	default:
		in.unsupported("the booster %.60q", f.booster)
	}
}

func (f *file) checkColumns(in *input) {
	c, n := &f.columns, int(f.features)
	if n > tree.MaxFeatures {
		in.unsupported("%d columns: trees can test %d", n, tree.MaxFeatures)
	}
	in.Need(int64(n) * fieldSize)
	for _, list := range []struct {
		name string
		n    int
	}{{"feature_names", len(c.names)}, {"feature_types", len(c.types)},
		{"cats.enc", len(c.categories)}} {
		if list.n != 0 && list.n != n {
			in.corrupt("%d %s for %d columns", list.n, list.name, n)
		}
	}
	for _, levels := range c.categories {
		in.Need(int64(len(levels)) * levelSize)
	}
}

func finite(x float32) bool { return math.Abs(float64(x)) <= math.MaxFloat32 }

func (o *forest) check(in *input, scores, features int) {
	n := len(o.trees)
	if len(o.group) != n || len(o.drop) > n {
		in.corrupt("%d scores and %d weights for %d trees", len(o.group), len(o.drop), n)
	}
	if o.counted && o.count != int64(n) {
		in.corrupt("%d trees, and num_trees is %d", n, o.count)
	}
	for i, w := range o.drop {
		if !finite(w) {
			in.corrupt("tree %d has the weight %v", i, w)
		}
	}
	for i, at := range o.rounds {
		if i == 0 && at != 0 || i > 0 && at <= o.rounds[i-1] || int(at) > n {
			in.corrupt("round %d starts at tree %d", i, at)
		}
	}
	if len(o.rounds) > 0 && int(o.rounds[len(o.rounds)-1]) != n {
		in.corrupt("the rounds do not end with the trees")
	}
	for i, t := range o.trees {
		in.section = element("trees", i)
		t.check(in, scores, features)
		if g := o.group[i]; g < 0 || int(g) >= scores {
			in.corrupt("score %d of %d", g, scores)
		}
	}
	in.section = "file"
}

// vector reports whether the leaves have several numbers.
func (t *fileTree) vector() bool { return t.width > 1 }

func (t *fileTree) check(in *input, scores, features int) {
	n := len(t.left)
	if n == 0 {
		in.corrupt("no node")
	}
	switch {
	case t.nodes != 0 && t.nodes != int64(n):
		in.corrupt("%d nodes, and num_nodes is %d", n, t.nodes)
	case len(t.right) != n || len(t.feature) != n || len(t.cond) != n || len(t.defaultLeft) != n:
		in.corrupt("arrays of unequal length: %d left_children, %d right_children, "+
			"%d split_indices, %d split_conditions and %d default_left", n, len(t.right),
			len(t.feature), len(t.cond), len(t.defaultLeft))
	case t.kind != nil && len(t.kind) != n || t.gain != nil && len(t.gain) != n ||
		t.hessian != nil && len(t.hessian) != n:
		in.corrupt("arrays of unequal length: %d left_children, and others in split_type, "+
			"loss_changes or sum_hessian", n)
	case t.vector() && int(t.width) != scores:
		in.corrupt("leaves of %d numbers for %d scores", t.width, scores)
	case t.vector() && t.leaf == nil && int64(len(t.base)) != int64(n)*t.width:
		in.corrupt("%d base_weights for %d nodes", len(t.base), n)
	}
	t.checkSets(in)
	t.checkNodes(in, features)
}

// checkSets checks the categorical splits, and finds the set of each node.
func (t *fileTree) checkSets(in *input) {
	if len(t.catStart) != len(t.catNode) || len(t.catSize) != len(t.catNode) {
		in.corrupt("categorical splits of unequal length")
	}
	if t.kind == nil {
		if len(t.catNode) > 0 {
			in.corrupt("categories without split_type")
		}
		return
	}
	in.Need(4 * int64(len(t.left)))
	t.set = make([]int32, len(t.left))
	for i := range t.set {
		t.set[i] = -1
	}
	for i, node := range t.catNode {
		from, size := int64(t.catStart[i]), int64(t.catSize[i])
		switch {
		case int(node) >= len(t.left) || t.set[node] >= 0:
			in.corrupt("categories of node %d, which are there twice or it is not", node)
		case from+size > int64(len(t.cat)):
			in.corrupt("node %d has the categories %d to %d of %d", node, from, from+size,
				len(t.cat))
		}
		t.set[node] = int32(i)
	}
}

// checkNodes walks from the root down: nodes that are deleted may hold anything.
func (t *fileTree) checkNodes(in *input, features int) {
	n := len(t.left)
	in.Need(int64(n) * 9)
	found, open := make([]bool, n), make([]int32, 1, n+1)
	found[0] = true
	for len(open) > 0 {
		node := open[len(open)-1]
		open = open[:len(open)-1]
		if t.left[node] == -1 {
			if t.vector() && t.leaf != nil && (t.right[node] < 0 ||
				(int64(t.right[node])+1)*t.width > int64(len(t.leaf))) {
				in.corrupt("leaf %d has the vector %d", node, t.right[node])
			}
			continue
		}
		if f := t.feature[node]; f < 0 || int(f) >= features {
			in.corrupt("node %d splits column %d of %d", node, f, features)
		}
		if t.categorical(node) && t.set[node] < 0 {
			in.corrupt("node %d has no categories", node)
		}
		for _, c := range []int32{t.left[node], t.right[node]} {
			if c < 0 || int(c) >= n || found[c] {
				in.corrupt("node %d has the child %d of %d nodes, or another has it too",
					node, c, n)
			}
			found[c] = true
			open = append(open, c)
		}
	}
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

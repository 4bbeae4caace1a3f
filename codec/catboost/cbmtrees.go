package catboost

import "math"

// forest is all trees as a .cbm file has them: one after the other in arrays that all share.
type forest struct {
	sizes, starts []int32 // by tree: its splits, or nodes
	splits        []int32
	steps         [][2]int32 // none: the trees are oblivious
	leaf          []int32    // by node: the first value of its leaf
	values        []float64
	weights       []float64
}

// divide makes the trees, whose slices are parts of the arrays.
func (o *forest) divide(r *binaryReader) {
	dims := r.f.dims
	if dims < 1 || dims > maxDims {
		r.corrupt("%d scores", dims)
	}
	if len(o.weights) > 0 && len(o.weights)*dims != len(o.values) ||
		len(o.steps) > 0 && (len(o.steps) != len(o.splits) || len(o.leaf) != len(o.splits)) {
		r.corrupt("leaf weights or steps do not fit the trees")
	}
	if len(o.starts) != len(o.sizes) {
		r.corrupt("starts of %d trees for %d", len(o.starts), len(o.sizes))
	}
	r.Need(int64(len(o.sizes)) * treeCost)
	r.f.trees = make([]fileTree, len(o.sizes))
	next := int64(0) // the first leaf of the next tree, of oblivious ones
	for i, size := range o.sizes {
		at := o.starts[i]
		if size < 0 || at < 0 || int64(at)+int64(size) > int64(len(o.splits)) {
			r.corrupt("tree %d has splits beyond all", i)
		}
		t := &r.f.trees[i]
		t.splits = o.splits[at : at+size]
		first, leaves := next, int64(0)
		if len(o.steps) > 0 {
			t.steps = o.steps[at : at+size]
			r.Need(4 * int64(size))
			first, leaves = t.leavesOf(o.leaf[at:at+size], dims)
		} else if size <= maxDepth {
			leaves = 1 << size
		}
		if leaves < 1 || (first+leaves)*int64(dims) > int64(len(o.values)) {
			r.corrupt("tree %d has no leaves, or leaves beyond all", i)
		}
		t.values = o.values[first*int64(dims) : (first+leaves)*int64(dims)]
		if len(o.weights) > 0 {
			t.weights = o.weights[first : first+leaves]
		}
		next = first + leaves
	}
}

// treeCost is the memory of a tree beside its arrays.
const treeCost = 160

// leavesOf sets the leaves of the nodes by the first value of each, and returns the first leaf of
// the tree and how many there are; none if a node has no leaf where it needs one.
func (t *fileTree) leavesOf(value []int32, dims int) (first, leaves int64) {
	t.leaf = make([]int32, len(t.steps))
	low, high := int32(math.MaxInt32), int32(-1)
	for n, step := range t.steps {
		if t.leaf[n] = -1; step[0] != 0 && step[1] != 0 {
			continue
		}
		if value[n] < 0 {
			return 0, 0
		}
		t.leaf[n] = value[n] / int32(dims)
		low, high = min(low, t.leaf[n]), max(high, t.leaf[n])
	}
	for n, leaf := range t.leaf {
		if leaf >= 0 {
			t.leaf[n] = leaf - low
		}
	}
	return int64(low), int64(high) - int64(low) + 1
}

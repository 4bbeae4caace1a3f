package lightgbm

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// reference predicts by a file's own nodes, as LightGBM does. See codec.Reference.
type reference struct{ f *file }

// Trees returns the number of trees.
func (r reference) Trees() int { return len(r.f.trees) }

// Scores returns the number of scores.
func (r reference) Scores() int { return r.f.scores }

// Outputs returns the number of values of a response.
func (r reference) Outputs() int {
	if r.f.objective.kind().binary {
		return 2
	}
	return r.f.scores
}

// Raw writes the sums of the trees' values, or the means over the iterations.
func (r reference) Raw(dst, row []float64) {
	dst = dst[:r.f.scores]
	clear(dst)
	for i := range r.f.trees {
		t := &r.f.trees[i]
		dst[i%r.f.scores] += t.predict(t.leaf(row), row)
	}
	if r.f.average {
		for k := range dst {
			dst[k] /= float64(r.f.iterations())
		}
	}
}

// Leaves writes the leaf of each tree.
func (r reference) Leaves(dst []int32, row []float64) {
	for i := range r.f.trees {
		t := &r.f.trees[i]
		dst[i] = t.leafNumber(t.leaf(row))
	}
}

// Response writes what the objective makes of the scores.
func (r reference) Response(dst, row []float64) {
	f := r.f
	raw := make([]float64, f.scores)
	r.Raw(raw, row)
	link := f.link()
	if link == softmax {
		foreign.Softmax(raw)
	}
	for k, x := range raw {
		switch link {
		case sigmoid:
			raw[k] = 1 / (1 + math.Exp(-f.objective.sigmoid*x))
		case exponential:
			raw[k] = math.Exp(x)
		case softplus:
			raw[k] = math.Log1p(math.Exp(x))
		case signedSquare:
			raw[k] = math.Copysign(x*x, x)
		}
	}
	if f.objective.kind().binary {
		dst[0], dst[1] = 1-raw[0], raw[0]
		return
	}
	copy(dst, raw)
}

// leaf returns the leaf that a row reaches.
func (t *fileTree) leaf(row []float64) int32 {
	if len(t.feature) == 0 {
		return 0
	}
	node := int32(0)
	for node >= 0 {
		if t.goesLeft(node, row[t.feature[node]]) {
			node = t.left[node]
		} else {
			node = t.right[node]
		}
	}
	return ^node
}

// goesLeft reports whether a value goes to the left child of a node.
func (t *fileTree) goesLeft(node int32, x float64) bool {
	d := t.decision[node]
	if categorical(d) {
		return t.inSet(node, x)
	}
	if math.IsNaN(x) && missing(d) != missingNaN {
		x = 0
	}
	if missing(d) == missingNaN && math.IsNaN(x) ||
		missing(d) == missingZero && math.Abs(x) <= zeroLimit {
		return defaultLeft(d)
	}
	return x <= t.threshold[node]
}

// inSet reports whether the set of a node has a category: a code without its fraction.
func (t *fileTree) inSet(node int32, x float64) bool {
	set := t.set(node)
	if !(x > -1 && x < float64(32*len(set))) {
		return false
	}
	code := int(x)
	return set[code/32]>>(code%32)&1 == 1
}

// predict returns the value of a leaf for a row: by its equation, if it has one and no number in it
// is missing.
func (t *fileTree) predict(leaf int32, row []float64) float64 {
	e := t.linear
	if e == nil {
		return t.value[leaf]
	}
	sum := e.constant[leaf]
	for i := e.at[leaf]; i < e.at[leaf+1]; i++ {
		x := row[e.feature[i]]
		if math.IsNaN(x) {
			return t.value[leaf]
		}
		sum += float64(e.coef[i] * x)
	}
	return sum
}

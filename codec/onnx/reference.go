package onnx

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// reference predicts by a file's own nodes, as ONNX Runtime does: values are compared and added in
// the precision of the trees' input. See codec.Reference.
type reference struct{ *file }

func newReference(f *file) reference { return reference{f} }

// Trees returns the number of trees.
func (r reference) Trees() int { return len(r.roots) }

// Scores returns the number of scores.
func (r reference) Scores() int { return r.scores() }

// Outputs returns the number of values of a response.
func (r reference) Outputs() int { return r.targets }

// rounded returns x in the precision of the trees' input.
func (r reference) rounded(x float64) float64 {
	if r.wide {
		return x
	}
	return float64(float32(x))
}

// holds reports whether a node's comparison holds for a value.
func (r reference) holds(d *treeNode, x float64) bool {
	if math.IsNaN(x) && d.tracks {
		return true
	}
	switch d.mode {
	case upTo:
		return x <= d.value
	case below:
		return x < d.value
	case least:
		return x >= d.value
	case above:
		return x > d.value
	case equal:
		return x == d.value
	case unequal:
		return x != d.value
	}
	return slices.Contains(r.sets[int(d.value)], x)
}

// leaf returns the leaf of a row below a root. A damaged file may have a cycle: after as many steps
// as there are nodes the walk ends where it is.
func (r reference) leaf(root int32, row []float64) *treeNode {
	d := &r.nodes[root]
	for range r.nodes {
		if d.mode == leaf {
			break
		}
		col := &r.columns[d.feature]
		if r.holds(d, col.of(row[col.field])) {
			d = &r.nodes[d.yes]
		} else {
			d = &r.nodes[d.no]
		}
	}
	return d
}

// Leaves writes the leaf of each tree.
func (r reference) Leaves(dst []int32, row []float64) {
	for i, root := range r.roots {
		dst[i] = r.leaf(root, row).number
	}
}

// sums writes the sum or mean of the trees for each target, with its base value.
func (r reference) sums(dst, row []float64) {
	clear(dst)
	for _, root := range r.roots {
		d := r.leaf(root, row)
		if d.mode != leaf {
			continue
		}
		for _, w := range r.weights[d.yes:d.no] {
			dst[w.target] = r.rounded(dst[w.target] + w.value)
		}
	}
	for i := range dst {
		if r.average {
			dst[i] = r.rounded(dst[i] / float64(len(r.roots)))
		}
		if len(r.base) > 0 {
			dst[i] = r.rounded(dst[i] + r.base[i%len(r.base)])
		}
		if r.factor != 1 {
			dst[i] = r.rounded(dst[i] * r.factor)
		}
		if r.shift != nil {
			dst[i] = r.rounded(dst[i] + r.shift[i])
		}
	}
}

// Raw writes the scores.
func (r reference) Raw(dst, row []float64) {
	all := make([]float64, r.targets)
	r.sums(all, row)
	switch r.form {
	case plain:
		copy(dst, all)
	case single:
		dst[0] = all[0]
	case mirrored:
		dst[0], dst[1] = -all[0], all[0]
	}
}

// Response writes what the transform makes of the scores.
func (r reference) Response(dst, row []float64) {
	r.Raw(dst, row)
	dst = dst[:r.targets]
	if r.form == single {
		s := dst[0]
		dst[0], dst[1] = 1-s, s
		if r.transform == "LOGISTIC" {
			dst[0], dst[1] = sigmoid(-s), sigmoid(s)
		}
		return
	}
	switch r.transform {
	case "LOGISTIC", oneVsAll:
		for i, s := range dst {
			dst[i] = sigmoid(s)
		}
	case "SOFTMAX":
		softmax(dst, func(float64) bool { return true })
	case "SOFTMAX_ZERO":
		softmax(dst, func(s float64) bool { return math.Abs(s) > 1e-7 })
	case "PROBIT":
		for i, p := range dst {
			dst[i] = probit(p)
		}
	case exponential:
		for i, s := range dst {
			dst[i] = math.Exp(s)
		}
	}
	if r.transform == oneVsAll || r.transform == normalised {
		sum := kernel.Sum(dst)
		for i := range dst {
			dst[i] /= sum
		}
	}
}

func sigmoid(s float64) float64 { return 1 / (1 + math.Exp(-s)) }

// softmax changes the scores for which counts holds; the others become 0.
func softmax(v []float64, counts func(float64) bool) {
	top, sum := slices.Max(v), 0.0
	for i, s := range v {
		v[i] = 0
		if counts(s) {
			v[i] = math.Exp(s - top)
		}
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

// probit approximates the quantile of the normal distribution by Winitzki's formula.
func probit(p float64) float64 {
	const a = 0.147
	y := float64(2*p) - 1
	log := math.Log((1 - y) * (1 + y))
	half := 2/(math.Pi*a) + float64(log/2)
	return math.Copysign(math.Sqrt2*math.Sqrt(math.Sqrt(float64(half*half)-log/a)-half), y)
}

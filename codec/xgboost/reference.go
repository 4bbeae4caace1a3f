package xgboost

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
)

// reference predicts as XGBoost does: by the nodes and comparisons of the file, in single
// precision, tree by tree.
type reference struct {
	*file
	objective
	start []float32 // by score
	used  int       // trees that scores are made of: those up to the best round
}

func (f *file) reference(in *input) codec.Reference {
	o := f.meaning(in)
	r := &reference{f, o, f.bias(o), len(f.forest.trees)}
	starts := f.forest.starts(f.scores())
	if best := f.best(len(starts)); best > 0 {
		r.used = int(starts[best])
	}
	return r
}

func (r *reference) Trees() int  { return len(r.forest.trees) }
func (r *reference) Scores() int { return len(r.start) }

func (r *reference) Outputs() int {
	if r.task == data.Binary {
		return 2
	}
	return len(r.start)
}

// Raw writes sums in single precision, in the order of the trees. Where training stopped early they
// are those of the best round, as XGBoost's interface for scikit-learn predicts.
func (r *reference) Raw(dst, row []float64) {
	sum := slices.Clone(r.start)
	if r.booster == "gblinear" {
		r.addLinear(sum, row)
	}
	for i, t := range r.forest.trees[:r.used] {
		weight := float32(1)
		if i < len(r.forest.drop) {
			weight = r.forest.drop[i]
		}
		value := t.value(t.walk(row))
		if t.vector() {
			for s, x := range value {
				sum[s] += float32(weight * x)
			}
		} else {
			sum[r.forest.group[i]] += float32(weight * value[0])
		}
	}
	for s, x := range sum {
		dst[s] = float64(x)
	}
}

// addLinear adds the weighted values of a row; missing ones add nothing.
func (r *reference) addLinear(sum []float32, row []float64) {
	n := len(sum)
	for s := range sum {
		sum[s] += r.weights[len(row)*n+s]
		for c, x := range row {
			if !math.IsNaN(x) {
				sum[s] += float32(float32(x) * r.weights[c*n+s])
			}
		}
	}
}

// walk returns the leaf that a row reaches.
func (t *fileTree) walk(row []float64) int32 {
	n := int32(0)
	for t.left[n] != -1 {
		x := float32(row[t.feature[n]])
		left := x < t.cond[n]
		switch {
		case x != x:
			left = t.defaultLeft[n] == 1
		case t.categorical(n):
			left = x < 0 || x >= mostCategories || !slices.Contains(t.goRight(n), int32(x))
		}
		if left {
			n = t.left[n]
		} else {
			n = t.right[n]
		}
	}
	return n
}

// Leaves writes the file's numbers of the nodes.
func (r *reference) Leaves(dst []int32, row []float64) {
	for i, t := range r.forest.trees {
		dst[i] = t.walk(row)
	}
}

// Response computes in double precision and rounds to single.
func (r *reference) Response(dst, row []float64) {
	raw := dst[:len(r.start)]
	r.Raw(raw, row)
	foreign.Respond(r.link, raw)
	for i, x := range raw {
		raw[i] = float64(float32(x))
	}
	if r.task == data.Binary {
		dst[0], dst[1] = float64(1-float32(raw[0])), raw[0]
	}
}

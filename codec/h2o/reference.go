package h2o

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// reference predicts by the nodes of a file, as H2O's models of gbm and drf do.
type reference struct{ *file }

// Trees returns the number of trees.
func (r *reference) Trees() int { return len(r.trees) }

// Scores returns the number of raw scores: of a forest of classes one for each.
func (r *reference) Scores() int {
	if r.algorithm == "drf" {
		return r.Outputs()
	}
	return r.scores
}

// Outputs returns the number of classes, 1 for numbers.
func (r *reference) Outputs() int { return max(1, len(r.classes)) }

// walk returns the leaf that a row reaches.
func (r *reference) walk(t []node, row []float64) int32 {
	at := int32(0)
	for t[at].kind != leaf {
		n := &t[at]
		side := 0
		if n.right(row[n.feature], r.levels[n.feature]) {
			side = 1
		}
		at = n.children[side]
	}
	return at
}

// Raw writes the raw scores of a row.
func (r *reference) Raw(dst, row []float64) {
	clear(dst)
	for i, t := range r.trees {
		dst[r.output[i]] += float64(t[r.walk(t, row)].value)
	}
	switch {
	case r.algorithm == "drf" && r.scores > 1:
		return
	case r.algorithm == "drf":
		dst[0] /= float64(len(r.trees))
		if r.classes != nil {
			dst[1] = 1 - dst[0]
		}
		return
	}
	for k := range dst {
		dst[k] += r.start
	}
}

// Response writes the response of a row.
func (r *reference) Response(dst, row []float64) {
	raw := dst[:r.Scores()]
	r.Raw(raw, row)
	switch {
	case r.algorithm == "drf" && r.scores > 1:
		divide(raw)
	case r.algorithm == "drf":
	case r.scores > 1:
		foreign.Softmax(raw)
	case r.classes != nil:
		p := 1 / (1 + math.Exp(-raw[0]))
		dst[0], dst[1] = 1-p, p
	case r.link == links["poisson"]:
		raw[0] = math.Exp(raw[0])
	}
}

// divide divides scores by their sum. Where all are 0 H2O has no probabilities, and these are
// equal.
func divide(scores []float64) {
	sum := 0.0
	for _, x := range scores {
		sum += x
	}
	for k := range scores {
		if sum > 0 {
			scores[k] /= sum
		} else {
			scores[k] = 1 / float64(len(scores))
		}
	}
}

// Leaves writes the place of the leaf of a row among those of each tree.
func (r *reference) Leaves(dst []int32, row []float64) {
	for i, t := range r.trees {
		dst[i] = leafNumbers(t)[r.walk(t, row)]
	}
}

package ydf

import "math"

// reference predicts by the nodes of a file, as YDF's own walk of the trees does. Values are
// compared in single precision, the sums of boosted trees are of double precision, and the
// fractions of classes of single precision.
type reference struct {
	*file
	values []float32 // of the current row, by feature; categories by their index
	absent []bool
}

func newReference(f *file) *reference {
	return &reference{f, make([]float32, len(f.features)), make([]bool, len(f.features))}
}

// Trees returns the number of trees.
func (r *reference) Trees() int { return len(r.trees) }

// Scores returns the number of raw scores.
func (r *reference) Scores() int { return r.scores() }

// Outputs returns the number of classes, or of predicted numbers.
func (r *reference) Outputs() int { return max(1, len(r.classes)) }

// load reads a row: codes are indices already, and unseen categories have index 0.
func (r *reference) load(row []float64) {
	for i, x := range row {
		r.values[i], r.absent[i] = float32(x), math.IsNaN(x)
		if r.levels[i] != nil && x < 0 {
			r.values[i] = 0
		}
	}
}

// walk returns the leaf that the current row reaches in a tree.
func (r *reference) walk(t []node) int32 {
	at := int32(0)
	for t[at].kind != leaf {
		if r.holds(&t[at]) {
			at = t[at].positive
		} else {
			at++
		}
	}
	return at
}

// holds reports whether the condition of an inner node holds.
func (r *reference) holds(n *node) bool {
	if n.kind == oblique {
		return r.projects(n)
	}
	if n.kind == missing || r.absent[n.attribute] {
		return r.absent[n.attribute] && (n.kind == missing || n.na)
	}
	x := r.values[n.attribute]
	switch n.kind {
	case higher:
		return x >= n.threshold
	case isTrue:
		return x >= 0.5
	case higherBin:
		bin := int32(0)
		for _, b := range r.features[n.attribute].boundaries {
			if b <= x {
				bin++
			}
		}
		return bin >= n.number
	case inList:
		for _, c := range r.list[n.from:n.to] {
			if c == int32(x) {
				return true
			}
		}
		return false
	}
	return r.bitmap[n.from+int32(x)/8]>>(int32(x)%8)&1 == 1
}

// projects reports whether an oblique condition holds.
func (r *reference) projects(n *node) bool {
	sum := float32(0)
	for _, t := range r.terms[n.from:n.to] {
		x := r.values[t.feature]
		if r.absent[t.feature] {
			if !t.replaced {
				return n.na
			}
			x = t.missing
		}
		sum += float32(x * t.weight)
	}
	return sum >= n.threshold
}

// Raw writes the raw scores of a row.
func (r *reference) Raw(dst, row []float64) {
	r.load(row)
	if r.name == randomForest && r.classes != nil {
		r.fractions(dst)
		return
	}
	clear(dst)
	for i, x := range r.start {
		dst[i] = float64(x)
	}
	for i, t := range r.trees {
		dst[i%len(dst)] += float64(t[r.walk(t)].threshold)
	}
	if r.name == randomForest {
		dst[0] /= float64(len(r.trees))
	}
}

// fractions writes the fractions of the classes among the trees of a random forest.
func (r *reference) fractions(dst []float64) {
	sums := make([]float32, len(r.classes)+1)
	for _, t := range r.trees {
		n := &t[r.walk(t)]
		if r.votes {
			sums[n.number]++
			continue
		}
		for k, count := range r.counts[n.from:n.to] {
			sums[k] = float32(float64(sums[k]) + float64(count/n.passed))
		}
	}
	for k, sum := range sums[1:] {
		dst[k] = float64(sum / float32(len(r.trees)))
	}
}

// Response writes the response of a row.
func (r *reference) Response(dst, row []float64) {
	switch r.loss {
	case binomial, focal:
		r.Raw(dst[:1], row)
		p := float32(1 / (1 + math.Exp(-dst[0])))
		dst[0], dst[1] = float64(1-p), float64(p)
	case multinomial:
		r.Raw(dst, row)
		sum := float32(0)
		for k, x := range dst {
			dst[k] = math.Exp(x)
			sum += float32(dst[k])
		}
		for k := range dst {
			dst[k] = float64(float32(dst[k]) / sum)
		}
	case poisson:
		r.Raw(dst, row)
		dst[0] = math.Exp(max(-poissonBound, min(poissonBound, dst[0])))
	default:
		r.Raw(dst, row)
	}
}

// Leaves writes YDF's index of the leaf that a row reaches in each tree: its place among the leaves
// of the tree.
func (r *reference) Leaves(dst []int32, row []float64) {
	r.load(row)
	for i, t := range r.trees {
		dst[i] = 0
		for _, n := range t[:r.walk(t)] {
			if n.kind == leaf {
				dst[i]++
			}
		}
	}
}

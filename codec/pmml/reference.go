package pmml

import "math"

// reference predicts by the nodes and predicates of a file. See codec.Reference.
type reference struct{ f *file }

// Trees returns the number of trees.
func (r reference) Trees() int { return len(r.f.trees) }

// Scores returns the number of scores.
func (r reference) Scores() int { return r.f.scores }

// Outputs returns the number of values of a response.
func (r reference) Outputs() int { return max(r.f.scores, len(r.f.classes)) }

// truth is the value of a predicate.
type truth uint8

// The values.
const (
	no truth = iota
	yes
	unknown
)

// when returns the truth of a condition that is known.
func when(is bool) truth {
	if is {
		return yes
	}
	return no
}

// holds reports whether a comparison holds for a value that is not missing.
func (p *predicate) holds(x float64) bool {
	switch {
	case p.via != nil:
		x = p.via.of(x)
	case p.single:
		x = float64(float32(x))
	}
	switch p.operator {
	case less:
		return x < p.value
	case lessOrEqual:
		return x <= p.value
	case greater:
		return x > p.value
	case greaterOrEqual:
		return x >= p.value
	case equal:
		return x == p.value
	case notEqual:
		return x != p.value
	}
	word := int(x) / 64
	in := x >= 0 && word < len(p.set) && p.set[word]>>(int(x)%64)&1 == 1
	return in == (p.operator == isIn)
}

// test returns the value of a predicate for a row.
func (r reference) test(t *treeModel, p *predicate, row []float64) truth {
	switch p.operator {
	case always, never:
		return when(p.operator == always)
	case and, or, xor, surrogate:
		return r.compound(t, p, row)
	}
	x := row[p.column]
	if c := r.f.columns[p.column]; c.asMissing && (c.texts && x == -1 || !c.texts && !c.valid(x)) {
		x = math.NaN()
	}
	if y, ok := t.replace[p.column]; ok && math.IsNaN(x) {
		x = y
	}
	switch p.operator {
	case isMissing:
		return when(math.IsNaN(x))
	case isNotMissing:
		return when(!math.IsNaN(x))
	}
	if math.IsNaN(x) {
		return unknown
	}
	return when(p.holds(x))
}

func (r reference) compound(t *treeModel, p *predicate, row []float64) truth {
	seen := [3]int{}
	for i := range p.parts {
		v := r.test(t, &p.parts[i], row)
		if p.operator == surrogate && v != unknown {
			return v
		}
		seen[v]++
	}
	switch {
	case p.operator == or && seen[yes] > 0:
		return yes
	case p.operator == and && seen[no] > 0:
		return no
	case seen[unknown] > 0:
		return unknown
	case p.operator == xor:
		return when(seen[yes]%2 == 1)
	}
	return when(p.operator == and)
}

// counts reports whether a tree counts for a row: whether the condition of its segment is true.
func (r reference) counts(t *treeModel, row []float64) bool {
	return t.condition == nil || r.test(t, t.condition, row) == yes
}

// leaf returns the node that decides for a row, nil if a tree that counts has no prediction.
func (r reference) leaf(t *treeModel, row []float64) *fileNode {
	n := r.node(t, row)
	if n != nil && !n.scored {
		return nil
	}
	return n
}

// node returns the node that a row reaches, with a score or without, or nil.
func (r reference) node(t *treeModel, row []float64) *fileNode {
	n := &t.nodes[0]
	if r.test(t, &n.predicate, row) != yes {
		return nil
	}
	for n.first >= 0 {
		next := int32(-1)
		for c := n.first; c >= 0 && next < 0; c = t.nodes[c].next {
			switch r.test(t, &t.nodes[c].predicate, row) {
			case yes:
				next = c
			case unknown:
				switch t.missing {
				case lastPrediction:
					return n
				case nullPrediction:
					return nil
				case defaultChild:
					if n.fallback < 0 {
						return nil
					}
					next = n.fallback
				}
			}
		}
		if next < 0 {
			if t.last {
				return n
			}
			return nil
		}
		n = &t.nodes[next]
	}
	return n
}

// refuses reports whether a value of a row is missing or invalid, and the treatment of such values
// in the MiningSchema refuses the row.
func (r reference) refuses(row []float64) bool {
	for i, c := range r.f.columns {
		x := row[i]
		if math.IsNaN(x) {
			if c.refuseMissing {
				return true
			}
			continue
		}
		if c.refuseInvalid && (c.texts && !c.open && x == -1 || !c.texts && !c.valid(x)) {
			return true
		}
	}
	return false
}

// Raw writes the sums or means of the trees' values, or NaN where a tree has no prediction.
func (r reference) Raw(dst, row []float64) {
	f := r.f
	dst = dst[:f.scores]
	if r.refuses(row) {
		for k := range dst {
			dst[k] = math.NaN()
		}
		return
	}
	clear(dst)
	weights := 0.0
	for _, t := range f.trees {
		weights += t.weight
		if !r.counts(t, row) {
			continue
		}
		n := r.leaf(t, row)
		switch {
		case n == nil:
			for k := range dst {
				dst[k] = math.NaN()
			}
			return
		case !f.vector:
			dst[t.output] += float64(t.weight * n.value)
		case t.fraction && n.counts != nil:
			for k, count := range n.counts {
				dst[k] += float64(t.weight * (count / n.rows))
			}
		default:
			dst[n.class] += t.weight
		}
	}
	for k := range dst {
		if f.mean {
			dst[k] /= weights
		}
		if f.bias != nil {
			dst[k] += f.bias[k]
		}
	}
}

// Leaves writes the leaf of each tree.
func (r reference) Leaves(dst []int32, row []float64) {
	for i, t := range r.f.trees {
		dst[i] = 0
		if !r.counts(t, row) {
			continue
		}
		if n := r.leaf(t, row); n != nil {
			dst[i] = n.number
		}
	}
}

// Response writes what normalizationMethod makes of the scores.
func (r reference) Response(dst, row []float64) {
	raw := make([]float64, r.f.scores)
	r.Raw(raw, row)
	top, sum := math.Inf(-1), 0.0
	for _, x := range raw {
		top = max(top, x)
	}
	for k, x := range raw {
		switch r.f.link {
		case "logit", "simplemax":
			raw[k] = 1 / (1 + math.Exp(-x))
		case "exp":
			raw[k] = math.Exp(x)
		case "probit":
			raw[k] = math.Erfc(-x/math.Sqrt2) / 2
		case "softmax":
			raw[k] = math.Exp(x - top)
		}
		sum += raw[k]
	}
	if len(r.f.classes) == 2 && r.f.scores == 1 {
		dst[0], dst[1] = 1-raw[0], raw[0]
		return
	}
	for k, x := range raw {
		if r.f.link == "softmax" || r.f.link == "simplemax" {
			x /= sum
		}
		dst[k] = x
	}
}

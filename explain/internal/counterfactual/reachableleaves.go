package counterfactual

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// reachableLeaves are the leaves that changes of some columns reach.
type reachableLeaves struct {
	*reach
	s       *search
	columns []int
	free    []int // by feature: its place in columns, -1: its value stays
	derived []bool
	now     []condition
	// of leaves, tree by tree
	conditions  []condition
	values      []float64 // by term
	ends        []int     // of each tree
	arena       []uint64
	prob        []float64
	sums, sizes []float64 // by term
	best        []float64
	tree        int
}

// begin finds the leaves.
func (r *reachableLeaves) begin(s *search, columns []int) {
	r.s, r.columns = s, columns
	if r.free == nil {
		r.free = make([]int, len(r.row))
		r.derived = make([]bool, len(r.row))
		r.sums, r.sizes = make([]float64, len(r.terms)), make([]float64, len(r.terms))
		r.best = make([]float64, len(r.terms))
	}
	for f := range r.free {
		r.free[f] = -1
	}
	for i, c := range columns {
		r.free[s.columns[c].feature] = i
	}
	for f := len(r.e.Meta.Schema.Fields); f < len(r.row); f++ {
		r.derived[f] = false
		for _, source := range r.e.Sources(int32(f)) {
			r.derived[f] = r.derived[f] || r.free[source] >= 0
		}
	}
	r.conditions, r.values, r.ends = r.conditions[:0], r.values[:0], r.ends[:0]
	r.arena = r.arena[:0]
	for i := range r.e.Trees {
		if !r.counts(i) {
			continue
		}
		r.tree = i
		r.now = r.now[:0]
		for _, c := range columns {
			r.now = append(r.now, r.whole(&s.columns[c]))
		}
		r.walk(r.e.Trees[i], 0)
		r.ends = append(r.ends, len(r.values)/len(r.terms))
	}
}

// counts reports whether a tree adds to a term.
func (r *reachableLeaves) counts(i int) bool {
	if r.e.Output == nil || r.e.Output[i] < 0 {
		return true
	}
	for _, x := range r.terms {
		if x.plus == int(r.e.Output[i]) || x.minus == int(r.e.Output[i]) {
			return true
		}
	}
	return false
}

// whole is the condition that all choices fulfil.
func (r *reachableLeaves) whole(c *choices) condition {
	if !c.levels {
		return condition{0, int32(c.numbers), c.len() > c.numbers, nil}
	}
	x := condition{levels: r.bits(c.len())}
	for i := range c.len() {
		x.levels[i/64] |= 1 << (i % 64)
	}
	return x
}

// bits returns a set without elements.
func (r *reachableLeaves) bits(n int) []uint64 {
	at := len(r.arena)
	for range (n + 63) / 64 {
		r.arena = append(r.arena, 0)
	}
	return r.arena[at:len(r.arena):len(r.arena)]
}

// walk finds the leaves below a node that some choices reach.
func (r *reachableLeaves) walk(t *tree.Tree, n int32) {
	if t.Kind(n) == tree.Leaf {
		r.end(t, n)
		return
	}
	f := t.Feature(n)
	switch {
	case f < 0:
		r.several(t, n)
	case r.derived[f]:
		r.everywhere(t, n)
	case r.free[f] >= 0 && t.Kind(n) == tree.Numeric:
		r.number(t, n, r.free[f])
	case r.free[f] >= 0:
		r.level(t, n, r.free[f])
	case t.Kind(n) == tree.Numeric:
		r.to(t, n, t.NextNumeric(n, r.row[f]))
	default:
		r.to(t, n, t.NextCode(n, data.CodeOf(r.row[f])))
	}
}

// to goes on at a child, or where rows with a missing value go.
func (r *reachableLeaves) to(t *tree.Tree, n, child int32) {
	if child >= 0 {
		r.walk(t, child)
		return
	}
	stops := t.Missing(n) == tree.MissingStop
	if s := t.Surrogates; s != nil && s.At[n] < s.At[n+1] {
		r.everywhere(t, n)
		return
	}
	if stops {
		r.end(t, n)
	} else if child = t.NextMissing(n); child >= 0 {
		r.walk(t, child)
	} else {
		r.everywhere(t, n)
	}
}

// everywhere goes on at all children. Rows that are divided have a mean of what these predict.
func (r *reachableLeaves) everywhere(t *tree.Tree, n int32) {
	for c := range t.Arity(n) {
		r.walk(t, t.Child(n)+c)
	}
	if t.Missing(n) == tree.MissingStop {
		r.end(t, n)
	}
}

// several goes on at a node that tests several columns.
func (r *reachableLeaves) several(t *tree.Tree, n int32) {
	for _, f := range t.Looks(n) {
		if r.free[f] >= 0 || r.derived[f] {
			r.everywhere(t, n)
			return
		}
	}
	x := t.Project(n, func(f int32) float64 { return r.row[f] })
	switch {
	case math.IsNaN(x):
		r.to(t, n, -1)
	case x <= t.SplitPoint(n):
		r.walk(t, t.Child(n))
	default:
		r.walk(t, t.Child(n)+1)
	}
}

// number divides the choices of a column at a split point.
func (r *reachableLeaves) number(t *tree.Tree, n int32, i int) {
	before := r.now[i]
	numbers := r.s.columns[r.columns[i]].number[:r.s.columns[r.columns[i]].numbers]
	mid, end := before.low, before.high
	for mid < end { // the first number above the split point
		if h := mid + (end-mid)/2; numbers[h] <= t.SplitPoint(n) {
			mid = h + 1
		} else {
			end = h
		}
	}
	for side, part := range [2][2]int32{{before.low, mid}, {mid, before.high}} {
		r.now[i] = condition{low: part[0], high: part[1]}
		if r.now[i].some() {
			r.walk(t, t.Child(n)+int32(side))
		}
	}
	if before.missing {
		r.now[i] = condition{missing: true}
		r.to(t, n, -1)
	}
	r.now[i] = before
}

// level divides the choices of a column among the children by their codes.
func (r *reachableLeaves) level(t *tree.Tree, n int32, i int) {
	before := r.now[i]
	x := &r.s.columns[r.columns[i]]
	for c := int32(-1); c < t.Arity(n); c++ {
		part := condition{levels: r.bits(x.len())}
		child := int32(-1)
		if c >= 0 {
			child = t.Child(n) + c
		}
		for at := range x.len() {
			if before.levels[at/64]>>(at%64)&1 != 0 && t.NextCode(n, data.CodeOf(x.values[at])) == child {
				part.levels[at/64] |= 1 << (at % 64)
			}
		}
		if part.some() {
			r.now[i] = part
			r.to(t, n, child)
		}
	}
	r.now[i] = before
}

// end adds a node at which rows end.
func (r *reachableLeaves) end(t *tree.Tree, n int32) {
	v := t.Value(n)
	if t.Leaf.Kind == tree.Counts {
		if cap(r.prob) < len(v) {
			r.prob = make([]float64, len(v))
		}
		tree.Probabilities(r.prob[:len(v)], v)
		v = r.prob[:len(v)]
	}
	weight, only := 1.0, -1
	if r.e.Weights != nil {
		weight = r.e.Weights[r.tree]
	}
	if r.e.Output != nil {
		only = int(r.e.Output[r.tree])
	}
	score := func(k int) float64 {
		value := 0.0
		if only < 0 {
			value = v[k]
		} else if only == k {
			value = v[0]
		}
		if r.divisor != nil {
			return weight * value / r.divisor[k]
		}
		return weight * value
	}
	r.conditions = append(r.conditions, r.now...)
	for _, x := range r.terms {
		value := float64(x.sign * score(x.plus))
		if x.minus >= 0 {
			value -= score(x.minus)
		}
		r.values = append(r.values, value)
	}
}

// possible reports whether choices from low up to high may lead to the goal.
func (r *reachableLeaves) possible(low, high []int32) bool {
	terms, k := len(r.terms), len(r.columns)
	for i, x := range r.start {
		r.sums[i], r.sizes[i] = x, math.Abs(x)
	}
	best := r.best
	leaf := 0
	for _, end := range r.ends {
		for i := range best {
			best[i] = math.Inf(-1)
		}
	leaves:
		for ; leaf < end; leaf++ {
			for i := range k {
				numbers := int32(r.s.columns[r.columns[i]].numbers)
				if !r.conditions[leaf*k+i].meets(low[i], high[i], numbers) {
					continue leaves
				}
			}
			for i, v := range r.values[leaf*terms:][:terms] {
				best[i] = max(best[i], v)
			}
		}
		for i, v := range best {
			r.sums[i] += v
			r.sizes[i] += math.Abs(v)
		}
	}
	return r.reach.possible(r.sums, r.sizes)
}

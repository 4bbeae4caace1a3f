package prune

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Most of the work of raising is to send the rows of a node through its heaviest child's subtree. They are parted in place, node by
// node, where each goes to one of two children; and they go no further once they make more errors than matter.

// gaps tells the numeric columns in which a row misses its value.
func (rows *Training) gaps() []bool {
	gaps := make([]bool, len(rows.Columns))
	for c := range rows.Columns {
		if num := rows.Columns[c].Num; num != nil {
			gaps[c] = slices.ContainsFunc(rows.Rows, func(r int32) bool { return math.IsNaN(num[r]) })
		}
	}
	return gaps
}

// passage is memory for rows on their way through a subtree.
type passage struct {
	spare  part
	counts []float64
}

// through returns the estimate of a branch's errors if the given rows reached it, or, if that is above the limit, some number that
// is, too.
func (r *raiser) through(b *branch, in part, limit float64) float64 {
	if len(b.kids) == 0 {
		return r.estimateOf(in)
	}
	own := part{slices.Clone(in.at), slices.Clone(in.weight)}
	return r.pass(b, own, limit, &passage{part{make([]int32, len(in.at)), make([]float64, len(in.at))}, make([]float64, r.tree.Leaf.Width)})
}

// pass is through for rows that may be put in another order.
func (r *raiser) pass(b *branch, in part, limit float64, memory *passage) float64 {
	if len(b.kids) == 0 {
		clear(memory.counts)
		for i, at := range in.at {
			memory.counts[r.Class[at]] += in.weight[i]
		}
		return r.estimate(memory.counts, largest(memory.counts))
	}
	if r.tree.Kind(b.node) == tree.Cut && !r.gaps[r.tree.Feature(b.node)] {
		n := r.cut(b.node, in, &memory.spare)
		errors := r.pass(b.kids[0], part{in.at[:n], in.weight[:n]}, limit, memory)
		if errors > limit {
			return errors
		}
		return errors + r.pass(b.kids[1], part{in.at[n:], in.weight[n:]}, limit-errors, memory)
	}
	p := r.divide(b.node, in)
	errors := r.ended(in, p.rest)
	for i, kid := range b.kids {
		if errors > limit {
			break
		}
		errors += r.through(kid, p.kids[i], limit-errors)
	}
	return errors
}

// cut puts the rows that go to the first child of a node before the others, both in their order, and returns their number. It
// writes each row to both places and moves one of them on, so that it need not guess where a row goes.
func (r *raiser) cut(n int32, in part, spare *part) int {
	num, cut := r.Columns[r.tree.Feature(n)].Num, r.tree.Cut(n)
	at, weight := spare.at[:len(in.at)], spare.weight[:len(in.at)]
	first, last := 0, 0
	for i, row := range in.at {
		w := in.weight[i]
		in.at[first], in.weight[first] = row, w
		at[last], weight[last] = row, w
		goes := 0
		if num[r.Rows[row]] <= cut {
			goes = 1
		}
		first += goes
		last += 1 - goes
	}
	copy(in.at[first:], at[:last])
	copy(in.weight[first:], weight[:last])
	return first
}

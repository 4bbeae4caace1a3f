package prune

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// Most of the work of raising is to send the rows of a node through its heaviest child's subtree.
// They are partitioned in place, node by node, where each goes to one of two children; and they go
// no further once they make more errors than matter.

// gaps lists the numeric columns in which a row misses its value.
func (rows *Training) gaps() []bool {
	gaps := make([]bool, len(rows.Columns))
	for c := range rows.Columns {
		if num := rows.Columns[c].Numbers(); num != nil {
			gaps[c] = slices.ContainsFunc(rows.Rows,
				func(r int32) bool { return math.IsNaN(num[r]) })
		}
	}
	return gaps
}

// passage is memory for rows on their way through a tree, of one goroutine.
type passage struct {
	own, spare weightedRows
	counts     []float64
}

// passage returns memory for so many rows.
func (r *raiser) passage(rows int) *passage {
	return &passage{makeRows(rows), makeRows(rows), make([]float64, r.tree.Leaf.Width)}
}

func makeRows(rows int) weightedRows {
	return weightedRows{make([]int32, rows), make([]float64, rows)}
}

// to returns the rows from one place to another.
func (p *weightedRows) to(from, to int) weightedRows {
	return weightedRows{p.at[from:to], p.weight[from:to]}
}

// asLeaf returns the estimate of the rows' errors in a leaf.
func (r *raiser) asLeaf(in weightedRows, memory *passage) float64 {
	clear(memory.counts)
	for i, at := range in.at {
		memory.counts[r.Class[at]] += in.weight[i]
	}
	return r.estimate(memory.counts, largest(memory.counts))
}

// halves reports whether a node sends each row to one of two children by its value alone.
func (r *raiser) halves(n int32) bool {
	return r.tree.Kind(n) == tree.Numeric && !r.gaps[r.tree.Feature(n)]
}

// send returns the rows that go to each child of a node, and the estimate for those that end there.
func (r *raiser) send(
	n int32, in weightedRows, memory *passage,
) (kids []weightedRows, ended float64) {
	if !r.halves(n) {
		d := r.divide(n, in)
		return d.kids, r.ended(in, d.rest)
	}
	own := weightedRows{slices.Clone(in.at), slices.Clone(in.weight)}
	first := r.partition(n, own, &memory.spare)
	return []weightedRows{own.to(0, first), own.to(first, len(own.at))}, 0
}

// through returns the estimate of a branch's errors if the given rows reached it, or, if that is
// above the limit, some number that is, too.
func (r *raiser) through(b *branch, in weightedRows, limit float64, memory *passage) float64 {
	own := memory.own.to(0, len(in.at))
	copy(own.at, in.at)
	copy(own.weight, in.weight)
	return r.pass(b, own, limit, memory)
}

// pass is through for rows that may be put in another order.
func (r *raiser) pass(b *branch, in weightedRows, limit float64, memory *passage) float64 {
	if len(b.kids) == 0 {
		return r.asLeaf(in, memory)
	}
	if r.halves(b.node) {
		n := r.partition(b.node, in, &memory.spare)
		errors := r.pass(b.kids[0], in.to(0, n), limit, memory)
		if errors > limit {
			return errors
		}
		return errors + r.pass(b.kids[1], in.to(n, len(in.at)), limit-errors, memory)
	}
	d := r.divide(b.node, in)
	errors := r.ended(in, d.rest)
	for i, kid := range b.kids {
		if errors > limit {
			break
		}
		errors += r.pass(kid, d.kids[i], limit-errors, memory)
	}
	return errors
}

// partition puts the rows that go to the first child of a node before the others, both in their
// order, and returns their number. It writes each row to both places and moves one of them on, so
// that no branch depends on where a row goes.
func (r *raiser) partition(n int32, in weightedRows, spare *weightedRows) int {
	num, splitPoint := &r.Columns[r.tree.Feature(n)], r.tree.SplitPoint(n)
	at, weight := spare.at[:len(in.at)], spare.weight[:len(in.at)]
	first, last := 0, 0
	for i, row := range in.at {
		w := in.weight[i]
		in.at[first], in.weight[first] = row, w
		at[last], weight[last] = row, w
		goes := 0
		if num.Number(int(r.Rows[row])) <= splitPoint {
			goes = 1
		}
		first += goes
		last += 1 - goes
	}
	copy(in.at[first:], at[:last])
	copy(in.weight[first:], weight[:last])
	return first
}

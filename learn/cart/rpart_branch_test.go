package cart

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// rpartBranch is a grown tree with what rpart stores of its nodes beyond that.
type rpartBranch struct {
	*tree.Tree
	run     *rpartRun
	alpha   float64   // nodes of no more complexity are leaves
	risk    []float64 // of each node as a leaf
	complex []float64 // section 8 of testdata/rpart/README.md
	// of nodes with a categorical column: the levels that training rows have there
	level [][]bool
}

// tiny is the complexity, as a fraction of the root's risk, that is rounding: rpart keeps such
// branches, we do not.
const tiny = 1e-12

// branch looks at a tree with rpart's eyes: rows are those that it was grown on.
func (r *rpartRun) branch(t *tree.Tree, rows []int32, alpha float64) *rpartBranch {
	b := &rpartBranch{Tree: t, run: r, alpha: alpha, risk: make([]float64, t.Len()),
		complex: make([]float64, t.Len()), level: make([][]bool, t.Len())}
	for n := range int32(t.Len()) {
		k := t.Kind(n)
		b.risk[n] = t.Stats.Impurity[n] * t.Stats.Weight[n]
		if t.Leaf.Kind == tree.Counts {
			costs, value := r.job.factors.costs, t.Value(n)
			b.risk[n] = costs.Expected(value, costs.Label(value))
		}
		if k == tree.SetFirst || k == tree.SetLast {
			b.level[n] = make([]bool, len(r.ds.Schema.Fields[t.Feature(n)].Levels))
		}
	}
	for _, row := range rows {
		t.Over(r.ds.Columns).Visit(row, func(n int32, _ float64, _ bool) {
			if b.level[n] == nil {
				return
			}
			if code := r.ds.Columns[t.Feature(n)].Code(int(row)); code != data.MissingCode {
				b.level[n][code] = true
			}
		})
	}
	b.evaluate(0)
	b.cap(0, math.Inf(1))
	return b
}

// evaluate works out the complexity of a branch and returns its risk and number of splits. Unlike
// the weakest link of Breiman et al., what lies above takes a branch that collapses at a larger
// penalty for collapsed already.
func (b *rpartBranch) evaluate(n int32) (risk, splits float64) {
	b.complex[n] = b.alpha
	if b.Kind(n) == tree.Leaf {
		return b.risk[n], 0
	}
	first := b.Child(n)
	var r, s [2]float64
	for i := range r {
		r[i], s[i] = b.evaluate(first + int32(i))
	}
	worth := func() float64 { return (b.risk[n] - r[0] - r[1]) / (s[0] + s[1] + 1) }
	order := []int{1, 0}
	if b.complex[first+1] > b.complex[first] {
		order = []int{0, 1}
	}
	for _, i := range order {
		if !(worth() > b.complex[first+int32(i)]+tiny*b.risk[0]) {
			break
		}
		r[i], s[i] = b.risk[first+int32(i)], 0
	}
	if b.complex[n] = worth(); b.leaf(n) {
		return b.risk[n], 0
	}
	return r[0] + r[1], s[0] + s[1] + 1
}

// cap lowers complexities to those of the nodes above.
func (b *rpartBranch) cap(n int32, above float64) {
	b.complex[n] = min(b.complex[n], max(above, b.alpha))
	if b.Kind(n) != tree.Leaf {
		b.cap(b.Child(n), b.complex[n])
		b.cap(b.Child(n)+1, b.complex[n])
	}
}

// leaf reports whether a node is a leaf of the tree that rpart grows.
func (b *rpartBranch) leaf(n int32) bool {
	return b.Kind(n) == tree.Leaf || b.complex[n] <= b.alpha+tiny*b.risk[0]
}

// next is the node that rpart's prediction sends a row to, n itself if the row stays there, for
// rows of other trees too. It differs from Walk.Next in three ways. A value equal to the split
// point goes up. A level that no training row had at the node is as missing. The last resort is the
// child of more rows, or of more weight within cross-validation.
func (b *rpartBranch) next(n, row int32, validating bool) int32 {
	first := b.Child(n)
	c := &b.run.ds.Columns[b.Feature(n)]
	switch {
	case c.Codes() == nil && !math.IsNaN(c.Number(int(row))):
		if c.Number(int(row)) < b.SplitPoint(n) {
			return first
		}
		return first + 1
	case c.Codes() != nil && c.Code(int(row)) != data.MissingCode && b.level[n][c.Code(int(row))]:
		return b.NextCode(n, c.Code(int(row)))
	}
	control := &b.run.Control
	if control.UseSurrogate > 0 {
		for _, u := range b.SplitOf(n).Surrogates {
			c := &b.run.ds.Columns[u.Feature]
			switch {
			case u.Kind == tree.Numeric && !math.IsNaN(c.Number(int(row))):
				if (c.Number(int(row)) < u.SplitPoint) != u.Flip {
					return first
				}
				return first + 1
			case u.Kind == tree.SetFirst && tree.InSet(u.Set, c.Code(int(row))):
				return first
			case u.Kind == tree.SetLast && tree.InSet(u.Set, c.Code(int(row))):
				return first + 1
			}
		}
	}
	switch {
	case control.UseSurrogate < 2:
		return n
	case validating && b.Fraction[first] != b.Fraction[first+1] && control.MaxSurrogate > 0:
		return b.Majority(n)
	case !validating && b.Stats.Rows[first] > b.Stats.Rows[first+1]:
		return first
	case !validating && b.Stats.Rows[first] == b.Stats.Rows[first+1]:
		return n
	}
	return first + 1
}

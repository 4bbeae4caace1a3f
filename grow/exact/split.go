package exact

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// relativeTie is the share of a node's impurity below which two gains are one: sums of the same
// rows in the order of two columns differ by rounding, and the tie must go to the column that comes
// first and the lower cut all the same.
const relativeTie = 1e-12

// split is the best split found so far of one node.
type split struct {
	gain    float64
	per     float64 // splits are compared by gain / per, see criterion.Ratio; 0 means 1
	feature int32
	kind    tree.Kind
	cut     float64
	rank    uint32 // Cut: rows of at most this rank go first
	next    uint32 // Cut: the least rank that goes last; sorting.MissingRank if none does
	low     uint32 // Cut of a column in order: a row of that rank
	high    uint32 // and of that next
	set     []uint64
	missing tree.Missing
	shares  []float64   // each child's share of the weight of the rows with a value
	arity   int32       // number of children; 0 = 2
	terms   []tree.Term // of a split along a direction

	surrogates []tree.Surrogate

	constant bool // there is no split because the column has one value
}

// found reports whether there is a split at all.
func (s *split) found() bool { return s.kind != tree.Leaf }

// missingFirst reports whether rows without a value go first.
func (s *split) missingFirst() bool {
	return s.missing == tree.MissingFirst || s.missing == tree.MissingMajority && s.shares[0] >= s.shares[1]
}

// beats reports whether the split is better than another by more than the tie.
func (s *split) beats(o *split, tie float64) bool { return s.gain > compared(o.gain, o.per, s.per)+tie }

// compared returns the gain that a split of divisor per needs to be worth what a gain of divisor
// oldPer is.
func compared(gain, oldPer, per float64) float64 {
	if oldPer == per {
		return gain
	}
	if oldPer != 0 {
		gain /= oldPer
	}
	if per != 0 {
		gain = float64(gain * per)
	}
	return gain
}

// cutBetween returns the cut that separates a from b, a < b: their midpoint, unless rounding,
// infinities or overflow put it outside a <= cut < b; then a.
func cutBetween(a, b float64) float64 {
	if m := float64(a/2) + float64(b/2); a <= m && m < b {
		return m
	}
	return a
}

func bitSet(codes []uint32) []uint64 {
	if len(codes) == 0 {
		return nil
	}
	set := make([]uint64, slices.Max(codes)/64+1)
	for _, c := range codes {
		set[c/64] |= 1 << (c % 64)
	}
	return set
}

// uses reports whether a split looks at a column.
func (b *split) uses(column int32) bool {
	return b.feature == column || slices.ContainsFunc(b.terms, func(t tree.Term) bool { return t.Feature == column })
}

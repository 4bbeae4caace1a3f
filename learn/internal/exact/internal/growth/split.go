package growth

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// RelativeTie is the fraction of a node's impurity below which two gains are equal. Sums of the
// same rows in the order of two columns differ by rounding. The tie must go to the column that
// comes first and to the lower split point nevertheless.
const RelativeTie = 1e-12

// Split is the best split found so far of one node.
type Split struct {
	Gain       float64
	Per        float64 // splits are compared by gain / per, see criterion.Ratio; 0 means 1
	Feature    int32
	Kind       tree.Kind
	SplitPoint float64
	Rank       uint32 // Numeric: rows of at most this rank go first
	Next       uint32 // Numeric: the least rank that goes last; sorting.MissingRank if none does
	Low        uint32 // Numeric, of a column in order: a row of that rank
	High       uint32 // and of that next
	Set        []uint64
	Others     []uint64 // where Turns: the codes of the node that Set has not
	Turns      bool     // of a set: weights or rules leave open which child's codes it names
	Missing    tree.Missing
	Complete   bool        // every row of the node has a value
	Fractions  []float64   // each child's fraction of the weight of the rows with a value
	Arity      int32       // number of children; 0 = 2
	Terms      []tree.Term // of a split along a direction

	Surrogates []tree.Surrogate

	Constant bool // there is no split because the column has one value
}

// Found reports whether there is a split at all.
func (s *Split) Found() bool { return s.Kind != tree.Leaf }

// MissingFirst reports whether rows without a value go first.
func (s *Split) MissingFirst() bool {
	return s.Missing == tree.MissingFirst || s.Missing == tree.MissingMajority &&
		s.Fractions[0] >= s.Fractions[1]
}

// Beats reports whether the split is better than another by more than the tie.
func (s *Split) Beats(o *Split, tie float64) bool {
	return s.Gain > Compared(o.Gain, o.Per, s.Per)+tie
}

// Compared returns the gain that a split of divisor per needs to be worth what a gain of divisor
// oldPer is.
func Compared(gain, oldPer, per float64) float64 {
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

// SplitPointBetween returns the split point x that separates a from b, a < b: their midpoint,
// unless rounding, infinities or overflow put it outside a <= x < b; then a.
func SplitPointBetween(a, b float64) float64 {
	if m := float64(a/2) + float64(b/2); a <= m && m < b {
		return m
	}
	return a
}

// BitSet returns a set of codes as tree.InSet reads it.
func BitSet(codes []uint32) []uint64 {
	if len(codes) == 0 {
		return nil
	}
	set := make([]uint64, slices.Max(codes)/64+1)
	for _, c := range codes {
		set[c/64] |= 1 << (c % 64)
	}
	return set
}

// Uses reports whether a split uses a column.
func (b *Split) Uses(column int32) bool {
	return b.Feature == column || slices.ContainsFunc(b.Terms,
		func(t tree.Term) bool { return t.Feature == column })
}

// SetSplitPoint sets the split point of a numeric column whose values are given by rank.
func (b *Split) SetSplitPoint(values []float64) {
	if b.SplitPoint = math.Inf(1); b.Next != sorting.MissingRank {
		b.SplitPoint = SplitPointBetween(values[b.Rank], values[b.Next])
	}
}

package scan

import (
	"math"
	"math/bits"
	"sort"

	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// Task is what all scanners of a tree use: what splits are judged by, and what they must leave to
// each child.
type Task struct {
	*growth.Labels
	ratio criterion.Ratio // nil: splits are compared by their gain
	// the criterion's scan for rows that have weights; nil = it has none
	Weighed     criterion.WeighedScanner
	Signed      []float64 // weights by position, as Weighed takes them
	Shift       uint      // bits of the class in an entry's key
	MissingRank uint32    // rank of a missing value: all bits that the class leaves
	Rule        growth.Rule
	MinLeaf     int // rows, with multiplicity, that each child keeps
	// weight of the lightest row, which fractions of rows must have to count as a row; 0 = rows
	// stay whole
	RowWeight float64
	Subsets   Subsets
}

// NewTask returns a task of rows that stay whole.
func NewTask(l *growth.Labels, rule growth.Rule, minLeaf int) *Task {
	t := &Task{Labels: l, MissingRank: sorting.MissingRank, Rule: rule, MinLeaf: max(minLeaf, 1)}
	if l.Family == criterion.Classes {
		t.Shift = uint(bits.Len(uint(l.Pop.Classes - 1)))
		t.MissingRank >>= t.Shift
	}
	t.ratio, _ = l.Criterion.(criterion.Ratio)
	return t
}

// Below returns the task of other rows, with the same criterion.
func (t *Task) Below(l *growth.Labels) *Task {
	other := *t
	other.Labels = l
	return &other
}

// SetWeighed prepares for the scan of weights, where the criterion has one: of two classes, or of
// numbers.
func (t *Task) SetWeighed() {
	scan, ok := t.Criterion.(criterion.WeighedScanner)
	if !ok || t.Pop.Weight == nil || t.Plain || t.ratio != nil || t.Width != 2 {
		return
	}
	t.Weighed, t.Signed = scan, t.Pop.Weight
	if t.Family != criterion.Classes {
		return
	}
	t.Signed = make([]float64, len(t.Pop.Weight))
	for i, w := range t.Pop.Weight { // no branch, for none would foretell classes
		t.Signed[i] = math.Float64frombits(math.Float64bits(w) ^ uint64(1-t.Pop.Class[i])<<63)
	}
}

// RankKeys makes keys nothing but ranks: the classes are looked up by position.
func (t *Task) RankKeys() { t.Shift, t.MissingRank = 0, sorting.MissingRank }

// Keys returns what the keys of a sorted column hold beside the rank.
func (t *Task) Keys() *sorting.Keys {
	return &sorting.Keys{Class: t.Pop.Class, Shift: t.Shift, Missing: t.MissingRank}
}

// scanColumn finds the best split point of a column.
func (t *Task) scanColumn(c *criterion.Column, b *criterion.Best) {
	if t.Weighed != nil {
		t.Weighed.ScanWeighed(c, b)
	} else {
		t.Scanner.Scan(c, b)
	}
}

// SortedKnown splits entries into those with a value and the rest.
func (t *Task) SortedKnown(order []sorting.Entry) (known, missing []sorting.Entry) {
	k := sort.Search(len(order), func(i int) bool { return order[i].Key>>t.Shift == t.MissingRank })
	return order[:k], order[k:]
}

// LeastWeight is the weight that fractions of rows must have to count as so many rows; 0 if rows
// stay whole.
func (t *Task) LeastWeight(rows int) float64 {
	return float64(float64(rows)*t.RowWeight) * (1 - growth.RelativeTie)
}

// Subsets limits the sets into which the categories of a column are split.
type Subsets struct {
	// categories of a column up to which they are split into any sets; 0 = any number
	UpTo int
	// of the categories of a column of more, the fraction that a node samples to be split; 0 = none
	Fraction float64
}

// many reports whether a column has more categories than are split into any sets.
func (s *Subsets) many(levels int) bool { return s.UpTo > 0 && levels > s.UpTo }

// Merges reports whether nodes sample the categories of a column of so many that they split.
func (t *Task) Merges(levels int) bool {
	return t.Subsets.Fraction > 0 && t.Values == nil && t.Subsets.many(levels)
}

// ByCode reports whether the categories of a column are split in the order of their codes.
func (t *Task) ByCode(levels int) bool { return t.Subsets.many(levels) && !t.Merges(levels) }

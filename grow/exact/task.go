package exact

import (
	"math"
	"math/bits"
	"sort"

	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
)

// task is what all scanners of a tree share: what splits are judged by, and what they must leave to
// each child.
type task struct {
	*labels
	ratio criterion.Ratio // nil: splits are compared by their gain
	// the criterion's scan for rows that have weights; nil = it has none
	weighed criterion.WeighedScanner
	signed  []float64 // weights by position as weighed wants them
	shift   uint      // bits of the class in an entry's key
	missing uint32    // rank of a missing value: all bits that the class leaves
	rule    Missing
	minLeaf int // rows, with multiplicity, that each child keeps
	// weight of the lightest row, which parts of rows must have to count as a row; 0 = rows stay
	// whole
	rowWeight float64
	subsets   subsets
}

// newTask returns a task of rows that stay whole.
func newTask(l *labels, rule Missing, minLeaf int) *task {
	t := &task{labels: l, missing: sorting.MissingRank, rule: rule, minLeaf: max(minLeaf, 1)}
	if l.family == criterion.Classes {
		t.shift = uint(bits.Len(uint(l.pop.Classes - 1)))
		t.missing >>= t.shift
	}
	t.ratio, _ = l.criterion.(criterion.Ratio)
	return t
}

// below returns the task of other rows, which are judged alike.
func (t *task) below(l *labels) *task {
	other := *t
	other.labels = l
	return &other
}

// setWeighed makes ready for the scan of weights, where the criterion has one: of two classes, or
// of numbers.
func (t *task) setWeighed() {
	scan, ok := t.criterion.(criterion.WeighedScanner)
	if !ok || t.pop.Weight == nil || t.plain || t.ratio != nil || t.width != 2 {
		return
	}
	t.weighed, t.signed = scan, t.pop.Weight
	if t.family != criterion.Classes {
		return
	}
	t.signed = make([]float64, len(t.pop.Weight))
	for i, w := range t.pop.Weight { // no branch, for none would foretell classes
		t.signed[i] = math.Float64frombits(math.Float64bits(w) ^ uint64(1-t.pop.Class[i])<<63)
	}
}

// rankKeys makes keys nothing but ranks: the classes are looked up by position.
func (t *task) rankKeys() { t.shift, t.missing = 0, sorting.MissingRank }

// keys returns what the keys of a sorted column hold beside the rank.
func (t *task) keys() *sorting.Keys {
	return &sorting.Keys{Class: t.pop.Class, Shift: t.shift, Missing: t.missing}
}

// scanColumn finds the best cut of a column.
func (t *task) scanColumn(c *criterion.Column, b *criterion.Best) {
	if t.weighed != nil {
		t.weighed.ScanWeighed(c, b)
	} else {
		t.scan.Scan(c, b)
	}
}

// sortedKnown splits entries into those with a value and the rest.
func (t *task) sortedKnown(order []entry) (known, missing []entry) {
	k := sort.Search(len(order), func(i int) bool { return order[i].Key>>t.shift == t.missing })
	return order[:k], order[k:]
}

// leastWeight is the weight that parts of rows must have to count as so many rows; 0 if rows stay
// whole.
func (t *task) leastWeight(rows int) float64 {
	return float64(float64(rows)*t.rowWeight) * (1 - relativeTie)
}

// subsets says into which sets the categories of a column are parted.
type subsets struct {
	// categories of a column up to which they are parted into any sets; 0 = any number
	upTo int
	// of the categories of a column of more, the fraction that a node draws to be parted; 0 = none
	share float64
}

// many reports whether a column has more categories than are parted into any sets.
func (s *subsets) many(levels int) bool { return s.upTo > 0 && levels > s.upTo }

// merges reports whether nodes draw which categories of a column of so many they part.
func (t *task) merges(levels int) bool {
	return t.subsets.share > 0 && t.values == nil && t.subsets.many(levels)
}

// byCode reports whether the categories of a column are cut in the order of their codes.
func (t *task) byCode(levels int) bool { return t.subsets.many(levels) && !t.merges(levels) }

package tree

import (
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// alone is the number of rows below which each goes its way by itself: nodes near the leaves have
// few.
const alone = 5

// LeavesOf writes, for each of rows, the node that LeafOf returns. Rows go down the tree together,
// node by node, so that a node's column is read in the order of its rows: for many rows that is
// several times as fast.
//
//	rows     | 0 1 2 3 4 5 |        each node's segment ascends or descends
//	root     | 1 4 | 5 3 2 0 |      those that go to the last child in reverse
func (w Walk) LeavesOf(dst, rows []int32) {
	t := w.t
	d, ok := descents.Get().(*descent)
	if !ok {
		d = &descent{}
	}
	defer descents.Put(d)
	d.start(w, rows)
	defer func() { d.Walk = Walk{} }()
	type segment struct {
		node   int32
		list   int // 0 and 1: in descent.lists; 2: the rows as they were given
		lo, hi int
	}
	open := []segment{{0, 2, 0, len(rows)}}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		at := rows
		if s.list < 2 {
			at = d.lists[s.list][s.lo:s.hi]
		}
		if t.Kind(s.node) == Leaf {
			for _, row := range at {
				d.ends[row] = s.node
			}
			continue
		}
		first, other := -1, 1-s.list&1
		if len(at) >= alone {
			first = d.divide(d.lists[other][s.lo:s.hi], s.node, at)
		}
		if first < 0 {
			for _, row := range at {
				d.ends[row] = w.leafFrom(s.node, row)
			}
			continue
		}
		c := t.Child(s.node)
		open = append(open, segment{c + 1, other, s.lo + first, s.hi},
			segment{c, other, s.lo, s.lo + first})
	}
	for i, row := range rows {
		dst[i] = d.ends[row]
	}
}

var descents sync.Pool // of *descent: forests take rows down hundreds of trees

// descent is rows on their way down.
type descent struct {
	Walk
	most int32 // the greatest row
	// rows, by node; the rows of a node's children are in the other list than its own
	lists [2][]int32
	ends  []int32   // by row
	dense []float64 // of a sparse column, by row
}

// start allocates lists for the rows, whose numbers must not be negative.
func (d *descent) start(w Walk, rows []int32) {
	d.Walk, d.most = w, 0
	for _, row := range rows {
		d.most = int32(max(uint32(d.most), uint32(row)))
	}
	for i := range d.lists {
		d.lists[i] = slices.Grow(d.lists[i][:0], len(rows))[:len(rows)]
	}
	d.ends = slices.Grow(d.ends[:0], int(d.most)+1)[:d.most+1]
}

// divide writes the rows of a node that go to the first child to the beginning of a list. The
// others stand in reverse at its end. It returns the number of the former. It returns -1, and does
// nothing, at nodes that do not send each row to one of two children by its value alone, and at
// those of few rows that look at a sparse column.
func (d *descent) divide(to []int32, n int32, rows []int32) (first int) {
	t := d.t
	missingFirst := t.NextMissing(n) == t.Child(n)
	if r := t.Missing(n); r == MissingFractional || r == MissingStop || r == MissingSurrogate {
		return -1
	}
	switch t.Kind(n) {
	case Numeric:
		if d.scattered(t.Feature(n), len(rows)) {
			return -1
		}
		return kernel.PartitionBySplitPoint(to, rows, d.numbers(t.Feature(n)), t.SplitPoint(n),
			missingFirst)
	case SetFirst, SetLast:
		return d.set(to, n, rows, missingFirst)
	}
	return -1
}

// fewRows is the number of rows of a table for each row of a node below which the values of a
// column that is not in place are looked up one by one.
const fewRows = 16

// scattered reports whether so many rows are too few to copy a column for them.
func (d *descent) scattered(feature int32, rows int) bool {
	return !d.columns[feature].InPlace() && rows*fewRows <= int(d.most)
}

// numbers returns the values of a column by row, up to the greatest row.
func (d *descent) numbers(feature int32) []float64 {
	c := &d.columns[feature]
	if !c.InPlace() {
		d.dense = slices.Grow(d.dense[:0], int(d.most)+1)[:d.most+1]
	}
	return c.NumbersIn(0, int(d.most)+1, d.dense)
}

// set is divide for nodes that divide by a set of categories. It writes each row to both sides and
// moves one of them on, so that no branch depends on where a row goes.
func (d *descent) set(to []int32, n int32, rows []int32, missingFirst bool) int {
	set, codes := d.t.Set(n), d.columns[d.t.Feature(n)].Codes()[:d.most+1]
	if len(set) < 2 {
		return kernel.PartitionBySet(to, rows, codes,
			sidesOf(set, d.t.Kind(n) == SetFirst, missingFirst))
	}
	inside, missing := 0, 0
	if d.t.Kind(n) == SetFirst {
		inside = 1
	}
	if missingFirst {
		missing = 1
	}
	k, rest := 0, len(rows)-1
	for _, row := range rows {
		code := codes[row]
		first := 1 - inside
		switch {
		case code == data.MissingCode:
			first = missing
		case InSet(set, code):
			first = inside
		}
		to[k], to[rest] = row, row
		k += first
		rest -= 1 - first
	}
	return k
}

// sidesOf returns which codes go first by a set of one word.
func sidesOf(set []uint64, heldFirst, missingFirst bool) *kernel.Sides {
	s := &kernel.Sides{}
	if len(set) > 0 {
		s[0], s[1] = set[0]<<2, set[0]>>62
	}
	if !heldFirst {
		s[0], s[1] = ^s[0], ^s[1]
	}
	s[0] &^= 1 << 1
	if missingFirst {
		s[0] |= 1 << 1
	}
	return s
}

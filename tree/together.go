package tree

import (
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// alone is the number of rows below which each goes its way by itself: nodes near the leaves have few.
const alone = 5

// LeavesOf writes, for each of rows, the node that LeafOf returns. Rows go down the tree together, node by node, so that a
// node's column is read in the order of its rows: for many rows that is several times as fast.
//
//	rows     | 0 1 2 3 4 5 |        places in rows, each node's segment ascending
//	root     | 1 4 | 0 2 3 5 |      those that go to the first child first
func (t *Tree) LeavesOf(dst []int32, columns []data.Column, rows []int32) {
	d, ok := descents.Get().(*descent)
	if !ok {
		d = &descent{}
	}
	defer descents.Put(d)
	d.t, d.columns, d.rows = t, columns, rows
	d.at, d.rest = slices.Grow(d.at[:0], len(rows))[:len(rows)], slices.Grow(d.rest[:0], len(rows))[:len(rows)]
	defer func() { d.t, d.columns, d.rows = nil, nil, nil }()
	for i := range d.at {
		d.at[i] = int32(i)
	}
	type segment struct {
		node   int32
		lo, hi int
	}
	todo := []segment{{0, 0, len(rows)}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at := d.at[s.lo:s.hi]
		if t.Kind(s.node) == Leaf {
			for _, i := range at {
				dst[i] = s.node
			}
			continue
		}
		var first int
		divided := false
		if len(at) >= alone {
			first, divided = d.divide(s.node, at)
		}
		if !divided {
			for _, i := range at {
				dst[i] = t.leafFrom(s.node, columns, rows[i])
			}
			continue
		}
		c := t.Child(s.node)
		todo = append(todo, segment{c + 1, s.lo + first, s.hi}, segment{c, s.lo, s.lo + first})
	}
}

var descents sync.Pool // of *descent: forests take rows down hundreds of trees

// descent is rows on their way down.
type descent struct {
	t       *Tree
	columns []data.Column
	rows    []int32
	at      []int32 // places in rows, by node
	rest    []int32 // of a segment: places that go last
}

// divide puts the places of a node whose rows go to the first child before the others, and returns their number. It reports
// false, and does nothing, at nodes that do not send each row to one of two children by its value alone.
func (d *descent) divide(n int32, at []int32) (first int, ok bool) {
	t := d.t
	missing := t.NextMissing(n) - t.Child(n) // 0 or 1 for the first or last child
	if r := t.Missing(n); r == MissingFractional || r == MissingStop || r == MissingSurrogate {
		return 0, false
	}
	switch t.Kind(n) {
	case Cut:
		return d.cut(at, d.columns[t.Feature(n)].Num, t.Cut(n), int(1-missing)), true
	case SetFirst, SetLast:
		return d.set(at, n, int(1-missing)), true
	}
	return 0, false
}

// cut divides by a threshold; missing is 1 if rows without a value go first, else 0. It writes each place to both sides and
// moves one of them on, so that it need not guess where a row goes.
func (d *descent) cut(at []int32, values []float64, cut float64, missing int) int {
	rows, rest := d.rows, d.rest[:len(at)]
	k, m := 0, 0
	for _, i := range at {
		x := values[rows[i]]
		first := 0
		if x <= cut {
			first = 1
		}
		if x != x {
			first = missing
		}
		at[k], rest[m] = i, i
		k += first
		m += 1 - first
	}
	copy(at[k:], rest[:m])
	return k
}

// set is cut for nodes that divide by a set of categories.
func (d *descent) set(at []int32, n int32, missing int) int {
	set, codes, rest := d.t.Set(n), d.columns[d.t.Feature(n)].Code, d.rest[:len(at)]
	inside := 0
	if d.t.Kind(n) == SetFirst {
		inside = 1
	}
	k, m := 0, 0
	for _, i := range at {
		code := codes[d.rows[i]]
		first := 1 - inside
		switch {
		case code == data.MissingCode:
			first = missing
		case InSet(set, code):
			first = inside
		}
		at[k], rest[m] = i, i
		k += first
		m += 1 - first
	}
	copy(at[k:], rest[:m])
	return k
}

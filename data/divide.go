package data

import "slices"

// window locates the rows of a data set that Divide made: they are the rows from first on of
// another data set, and both use the same memory. The zero value is that of all other data sets.
//
//	of     0 1 2 3 4 5
//	set 0  0 1 2            first 0
//	set 1        0          first 3
//	set 2          0 1      first 4
type window struct {
	of    *Dataset
	first int
}

// Divide returns a data set for each of some sets of rows, which are tables of their own, whose
// rows count from 0. They are slices of one copy of the columns, in which the rows of each set are
// adjacent. If they are adjacent already, as in a table that is in the order of time, nothing is
// copied. They use the same dictionaries. Number and Locate name the rows as before. A row that is
// in no set is in no data set.
func (d *Dataset) Divide(sets ...[]int32) []*Dataset {
	all := d.reordered(slices.Concat(sets...))
	divided, at := make([]*Dataset, len(sets)), 0
	for i, rows := range sets {
		divided[i] = all.between(at, at+len(rows))
		at += len(rows)
	}
	return divided
}

// reordered returns the data set with its rows in another order, some of which may be left out; d
// itself where its first rows are in this order.
func (d *Dataset) reordered(order []int32) *Dataset {
	same := true
	for i, row := range order {
		same = same && int(row) == i
	}
	if same {
		return d
	}
	all := &Dataset{Frame: d.Frame.Subset(order), Target: d.Target.Subset(order), Kept: order}
	if d.Kept != nil {
		all.Kept = Pick(d.Kept, order)
	}
	return all
}

// Subset returns the target of the given rows, in their order, as Frame.Subset does.
func (t *Target) Subset(rows []int32) Target {
	r := *t
	r.Y = make([][]float64, len(t.Y))
	for k, y := range t.Y {
		r.Y[k] = Pick(y, rows)
	}
	if t.Y == nil {
		r.Y = nil
	}
	r.Class, r.Upper, r.Event = Pick(t.Class, rows), Pick(t.Upper, rows), Pick(t.Event, rows)
	r.Weight, r.Group, r.Time = Pick(t.Weight, rows), Pick(t.Group, rows), Pick(t.Time, rows)
	if t.Offset != nil {
		outputs := t.outputsOfOffset()
		r.Offset = make([]float64, 0, len(rows)*outputs)
		for _, row := range rows {
			r.Offset = append(r.Offset, t.Offset[int(row)*outputs:(int(row)+1)*outputs]...)
		}
	}
	return r
}

// rows returns the number of rows of a target that has a label, else 0.
func (t *Target) rows() int {
	if t.Class != nil {
		return len(t.Class)
	}
	if len(t.Y) > 0 {
		return len(t.Y[0])
	}
	return 0
}

// outputsOfOffset returns the number of initial scores of a row.
func (t *Target) outputsOfOffset() int {
	if n := t.rows(); n > 0 {
		return len(t.Offset) / n
	}
	return 0
}

// between returns the data set of the rows from ... to-1, in the memory of d.
func (d *Dataset) between(from, to int) *Dataset {
	f := &Frame{Schema: d.Schema, Columns: make([]Column, len(d.Columns)), rows: to - from}
	for i := range d.Columns {
		f.Columns[i] = d.Columns[i].between(from, to)
	}
	if d.Origin != nil {
		rows := AllRows(to)[from:]
		f.Origin = d.Origin.subset(rows)
	}
	t := d.Target
	if t.Y != nil {
		t.Y = make([][]float64, len(d.Target.Y))
		for k, y := range d.Target.Y {
			t.Y[k] = slice(y, from, to, 1)
		}
	}
	t.Class, t.Upper, t.Event = slice(t.Class, from, to, 1), slice(t.Upper, from, to, 1),
		slice(t.Event, from, to, 1)
	t.Weight, t.Group, t.Time = slice(t.Weight, from, to, 1), slice(t.Group, from, to, 1),
		slice(t.Time, from, to, 1)
	t.Offset = slice(t.Offset, from, to, d.Target.outputsOfOffset())
	own := &Dataset{Frame: f, Target: t, window: window{of: d, first: from}}
	if d.Kept != nil {
		own.Kept = d.Kept[from:to:to]
	} else {
		own.Kept = AllRows(to)[from:]
	}
	return own
}

// slice returns the values of the rows from ... to-1, width each; nil stays nil.
func slice[T any](values []T, from, to, width int) []T {
	if values == nil {
		return nil
	}
	return values[from*width : to*width : to*width]
}

// common returns the data set that Divide made both of two data sets from, nil if there is none. It
// is none once a target or a table was changed.
func common(a, b *Dataset) *Dataset {
	of := a.window.of
	if of == nil || of != b.window.of || !a.unchanged() || !b.unchanged() {
		return nil
	}
	return of
}

// unchanged reports whether the data set still is what Divide made: whether its columns and its
// target are those of the whole.
func (d *Dataset) unchanged() bool {
	w, at := d.window.of, d.window.first
	t, u := &d.Target, &w.Target
	if len(d.Columns) != len(w.Columns) || len(t.Y) != len(u.Y) || t.Task != u.Task ||
		len(t.Classes) != len(u.Classes) {
		return false
	}
	for i := range d.Columns {
		if d.Schema.Fields[i].Name != w.Schema.Fields[i].Name ||
			!d.Columns[i].startsAt(&w.Columns[i], at) {
			return false
		}
	}
	for k := range t.Y {
		if !startsAt(t.Y[k], u.Y[k], at) {
			return false
		}
	}
	return startsAt(t.Class, u.Class, at) && startsAt(t.Upper, u.Upper, at) &&
		startsAt(t.Event, u.Event, at) &&
		startsAt(t.Weight, u.Weight, at) && startsAt(t.Group, u.Group, at) &&
		startsAt(t.Time, u.Time, at) &&
		startsAt(t.Offset, u.Offset, at*u.outputsOfOffset())
}

// startsAt reports whether values are those of a whole from a place on, in the same memory; nil
// starts at any place of nil.
func startsAt[T any](values, whole []T, at int) bool {
	if len(values) == 0 || whole == nil {
		return values == nil == (whole == nil)
	}
	return at < len(whole) && &values[0] == &whole[at]
}

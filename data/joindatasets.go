package data

import (
	"fmt"
	"math"
	"slices"
)

// With returns one data set of the rows of d and, after them, those of another, such as a
// validation set; mine and theirs are the numbers of these rows in it. It has the schema and the
// classes of d:
//
//	           d                  other              all
//	colour     red=0 blue=1       blue=0 green=1     red=0 blue=1; green is unseen
//	class      no=0 yes=1         yes=0 no=1         no=0 yes=1
//
// Columns are found by name, categories and classes by text, and columns that d does not have are
// left out. Dates become the parts that d has of them. Where one Divide made d and other, nothing
// is copied: all is the data set that was divided.
//
// Errors:
//
//   - a column that is missing in the other table or has another kind there;
//   - a label that is none of d's classes (*UnknownLabelError), is a number in one table and a text
//     in the other, or is absent;
//   - initial scores, upper ends or queries in one of the tables only.
func (d *Dataset) With(other *Dataset) (all *Dataset, mine, theirs []int32, err error) {
	if of := common(d, other); of != nil {
		own := *of
		own.Target.Positive = d.Target.Positive
		rows := AllRows(of.Rows())
		a, b := d.window.first, other.window.first
		return &own, rows[a : a+d.Rows() : a+d.Rows()], rows[b : b+other.Rows()], nil
	}
	f, err := other.Frame.like(&d.Schema)
	if err != nil {
		return nil, nil, nil, err
	}
	t, err := other.Target.like(&d.Target, other.Frame)
	if err != nil {
		return nil, nil, nil, err
	}
	all = &Dataset{Target: joinTargets(&d.Target, &t, d.Rows(), f.Rows())}
	if all.Frame, err = Concat(d.Frame, f); err != nil {
		return nil, nil, nil, err
	}
	rows := AllRows(all.Rows())
	return all, rows[:d.Rows():d.Rows()], rows[d.Rows():], nil
}

// like returns the table with the columns, dictionaries and parts of dates of a schema.
func (f *Frame) like(s *Schema) (*Frame, error) {
	f, err := Expand(f, s)
	if err != nil {
		return nil, err
	}
	g := &Frame{Schema: s.Like(slices.Clone(s.Fields)), Origin: f.Origin, rows: f.rows}
	at := -1
	for i := range s.Fields {
		want := &s.Fields[i]
		at = f.Schema.IndexFrom(want.Name, at+1)
		if at < 0 {
			return nil, missingColumn(f, want.Name)
		}
		got, c := &f.Schema.Fields[at], f.Columns[at]
		if got.Kind != want.Kind {
			return nil, fmt.Errorf("%scolumn %q is %s, in the training set it is %s", f.place(),
				want.Name, got.Kind, want.Kind)
		}
		switch {
		case want.Kind == Categorical:
			c.code = recode(c.code, got.Levels, want)
		case !samePart(want, got):
			if want.Text != nil || got.Text != nil {
				return nil, fmt.Errorf("%scolumn %q is made of other texts than in the training "+
					"set", f.place(), want.Name)
			}
			if want.From.Part != Days || got.From.Part != Days {
				return nil, fmt.Errorf("%scolumn %q is another window of a date than in the "+
					"training set", f.place(), want.Name)
			}
			days := make([]float64, c.Len())
			for row, v := range c.Numbers() {
				days[row] = want.From.Of(got.From.Date(v))
			}
			c = Numbers(days)
		}
		g.Columns = append(g.Columns, c)
	}
	return g, nil
}

// recode returns codes of a dictionary as codes of a field: UnseenCode for texts that mean none of
// its levels. Of equal dictionaries they are the codes themselves.
func recode(codes []uint32, from []string, to *Field) []uint32 {
	if slices.Equal(from, to.Levels) {
		return codes
	}
	index := IndexLevels(to)
	table := make([]uint32, len(from))
	for i, text := range from {
		table[i] = index.Find(text)
	}
	out := make([]uint32, len(codes))
	for row, c := range codes {
		if out[row] = c; c < UnseenCode {
			out[row] = table[c]
		}
	}
	return out
}

// like returns the target of a table with the task and the classes of another target.
func (t *Target) like(want *Target, f *Frame) (Target, error) {
	own := *t
	own.Task, own.Classes, own.Positive = want.Task, want.Classes, want.Positive
	own.Class, own.Y = nil, nil
	switch {
	case want.Class == nil && want.Y == nil:
		return own, nil
	case t.Class == nil && t.Y == nil:
		return own, fmt.Errorf("%sthere is no label", f.place())
	case want.Class != nil:
		classes, err := t.WithClasses(want.Classes, f)
		if err != nil {
			return own, err
		}
		own.Class = classes.Class
	case t.Class != nil:
		y, err := t.numbers(f)
		if err != nil {
			return own, err
		}
		own.Y = [][]float64{y}
	default:
		own.Y = t.Y
	}
	if len(own.Y) != len(want.Y) {
		return own, fmt.Errorf("%sthe label has %d outputs, in the training set %d", f.place(),
			len(own.Y), len(want.Y))
	}
	return own, own.sameRoles(want, f)
}

// WithClasses returns the target with other classes, as those of a model: each label becomes the
// class of the same text or, failing that, of the same number. A number becomes the class that it
// names. A label that is none of them is an *UnknownLabelError, which names its place in the table.
// The positive one of two classes stays what it is.
func (t *Target) WithClasses(classes []string, f *Frame) (Target, error) {
	own := *t
	own.Task, own.Classes, own.Positive, own.Y = classTask(len(classes)), classes, Positive{}, nil
	l := labels{name: t.Name, code: t.Class, text: t.Classes}
	if t.Class == nil {
		l = labels{name: t.Name, num: t.Y[0]}
	}
	if at := t.PositiveClass(); at >= 0 && len(classes) == 2 {
		own.Positive = Positive{First: classFinder(classes)(t.Classes[at]) == 0,
			Why: t.Positive.Why}
	}
	return own, l.match(&own, f)
}

// numbers returns the labels of classes whose names are numbers.
func (t *Target) numbers(f *Frame) ([]float64, error) {
	y := make([]float64, len(t.Class))
	for row, c := range t.Class {
		v, ok := parseNumber(t.Classes[c])
		if !ok {
			return nil, fmt.Errorf("%s: the label in column %q is no number, %q, as in the "+
				"training set", f.Locate(row), t.Name, t.Classes[c])
		}
		y[row] = v
	}
	return y, nil
}

// sameRoles reports a role that one of two targets has, and for which there is no default.
func (t *Target) sameRoles(want *Target, f *Frame) error {
	for _, role := range []struct {
		what        string
		here, there bool
	}{
		{"initial scores", t.Offset != nil, want.Offset != nil},
		{"upper ends of times", t.Upper != nil, want.Upper != nil},
		{"queries to rank in (a group column)", t.Group != nil || t.Task != Ranking,
			want.Group != nil || t.Task != Ranking},
	} {
		switch {
		case role.here && !role.there:
			return fmt.Errorf("%sthere are %s, the training set has none", f.place(), role.what)
		case role.there && !role.here:
			return fmt.Errorf("%sthere are no %s, the training set has them", f.place(), role.what)
		}
	}
	if want.Offset != nil && t.outputsOfOffset() != want.outputsOfOffset() {
		return fmt.Errorf("%sthere are %d initial scores for a row, in the training set %d",
			f.place(), t.outputsOfOffset(), want.outputsOfOffset())
	}
	return nil
}

// joinTargets returns the target of the rows of a, then those of b, which is like a. What is
// missing in one of them is filled in: weights are 1, events are observed, groups and times are 0.
func joinTargets(a, b *Target, rowsA, rowsB int) Target {
	t := *a
	t.Y = nil
	for k := range a.Y {
		t.Y = append(t.Y, join(a.Y[k], b.Y[k]))
	}
	t.Class = joinOr(a.Class, b.Class, rowsA, rowsB, 0)
	t.Upper = joinOr(a.Upper, b.Upper, rowsA, rowsB, math.Inf(1)) // both have them
	t.Event = joinOr(a.Event, b.Event, rowsA, rowsB, 1)
	t.Weight = joinOr(a.Weight, b.Weight, rowsA, rowsB, 1)
	t.Group = joinOr(a.Group, b.Group, rowsA, rowsB, 0)
	t.Time = joinOr(a.Time, b.Time, rowsA, rowsB, 0)
	t.Offset = nil
	if a.Offset != nil {
		t.Offset = join(a.Offset, b.Offset)
	}
	return t
}

// joinOr joins values of the rows of two tables, of which one that has none gets the same value for
// all; nil if neither has any.
func joinOr[T any](a, b []T, rowsA, rowsB int, fill T) []T {
	if a == nil && b == nil {
		return nil
	}
	if a == nil {
		a = slices.Repeat([]T{fill}, rowsA)
	}
	if b == nil {
		b = slices.Repeat([]T{fill}, rowsB)
	}
	return join(a, b)
}

package data

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/param"
)

// Concat returns a table of the rows of a, then those of b. It has a's columns with a's policies.
// The columns of b are found by name; those that a does not have are left out. The codes of a's
// levels stay. A level of b that means one of a's, by LevelIndex, is that one; others get the codes
// after them, while b's unseen values stay unseen. Locate names the file and line of every row if
// both tables have them. Dates are dates, whatever format they were read by; parts of dates must
// count from one origin.
//
// Errors: a column of a that is missing in b or has another kind there; more rows or levels than a
// table can hold.
func Concat(a, b *Frame) (*Frame, error) {
	rows := int64(a.rows) + int64(b.rows)
	if rows > math.MaxInt32 {
		return nil, fmt.Errorf("%d rows, the limit is %d", rows, math.MaxInt32)
	}
	f := &Frame{Columns: make([]Column, len(a.Columns)), Origin: concatOrigins(a, b),
		rows: int(rows)}
	f.Schema.AbsentValues, f.Schema.FirstIndex = a.Schema.AbsentValues, a.Schema.FirstIndex
	at := -1
	for i, field := range a.Schema.Fields {
		at = b.Schema.IndexFrom(field.Name, at+1)
		if at < 0 {
			return nil, missingColumn(b, field.Name)
		}
		if kind := b.Schema.Fields[at].Kind; kind != field.Kind {
			return nil, fmt.Errorf("%scolumn %q is %s, in the table before it it is %s", b.place(),
				field.Name, kind, field.Kind)
		}
		if !samePart(&field, &b.Schema.Fields[at]) {
			return nil, fmt.Errorf("%scolumn %q is another part of a date or text than in the "+
				"table before it", b.place(), field.Name)
		}
		from, to := &a.Columns[i], &b.Columns[at]
		if !field.Kind.HasLevels() {
			f.Columns[i] = joinNumbers(from, to)
		} else {
			var recode []uint32
			field.Levels, recode = mergeLevels(&field, b.Schema.Fields[at].Levels)
			if len(field.Levels) > MaxLevels {
				return nil, fmt.Errorf("%scolumn %q has %d levels together with the table before "+
					"it, the limit is %d", b.place(), field.Name, len(field.Levels), MaxLevels)
			}
			codes := join(from.code, to.code)
			for row := a.rows; row < len(codes); row++ {
				if codes[row] < UnseenCode {
					codes[row] = recode[codes[row]]
				}
			}
			f.Columns[i].code = codes
			if from.unseen != nil || to.unseen != nil {
				f.Columns[i].unseen = &UnseenTexts{}
				f.Columns[i].unseen.Join(from.unseen)
				f.Columns[i].unseen.Join(to.unseen)
			}
		}
		f.Schema.Fields = append(f.Schema.Fields, field)
	}
	return f, nil
}

// samePart reports whether two fields can mean the same part of dates or texts. A field that does
// not record what it was made of can.
func samePart(f, g *Field) bool {
	if !f.Derived() || !g.Derived() {
		return true
	}
	if a, b := f.From, g.From; a != nil && b != nil {
		return a.Part == b.Part && a.Origin == b.Origin
	}
	return f.MadeAs(g)
}

func missingColumn(f *Frame, name string) error {
	return fmt.Errorf("%sthere is no column %q%s", f.place(), name,
		param.Meant("; ", name, f.Schema.Names()))
}

// place names the file that a table starts with for an error message, with its colon; "" if it has
// none.
func (f *Frame) place() string {
	if f.Origin == nil || len(f.Origin.Files) == 0 {
		return ""
	}
	return f.Origin.Files[0] + ": "
}

func join[T any](a, b []T) []T {
	joined := make([]T, 0, len(a)+len(b))
	return append(append(joined, a...), b...)
}

// mergeLevels returns the levels of a field, then those of b that mean none of them, and the new
// code of each of b's. Texts, which are no categories, mean nothing but themselves.
//
//	a  x y      merged  x y z
//	b  y z      recode  1 2
func mergeLevels(a *Field, b []string) (merged []string, recode []uint32) {
	index := IndexLevels(a)
	merged = a.Levels[:len(a.Levels):len(a.Levels)]
	recode = make([]uint32, len(b))
	for i, text := range b {
		c := index.Find(text)
		if c == UnseenCode {
			c = uint32(len(merged))
			merged = append(merged, text)
		}
		recode[i] = c
	}
	return merged, recode
}

// concatOrigins joins the origins of two tables, nil if one of them has none.
func concatOrigins(a, b *Frame) *Origin {
	if a.Origin == nil || b.Origin == nil {
		return nil
	}
	o := &Origin{Files: join(a.Origin.Files, b.Origin.Files),
		First: join(a.Origin.First, b.Origin.First), Skip: a.Origin.Skip}
	for i := len(a.Origin.First); i < len(o.First); i++ {
		o.First[i] += int32(a.rows)
	}
	if a.Origin.Line != nil || b.Origin.Line != nil || a.Origin.Skip != b.Origin.Skip {
		o.Line = append(a.Origin.lines(a.rows), b.Origin.lines(b.rows)...)
	}
	return o
}

// lines returns the line of each row.
func (o *Origin) lines(rows int) []int32 {
	lines := make([]int32, rows)
	for row := range lines {
		if k := o.file(int32(row)); k >= 0 {
			lines[row] = o.line(int32(row), k)
		}
	}
	return lines
}

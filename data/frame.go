package data

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Frame is a table: a schema and one column per field, all of the same length. A frame is not
// changed once it is built, so it may be shared by goroutines.
type Frame struct {
	Schema  Schema
	Columns []Column
	Origin  *Origin // where the rows came from; nil for tables made in memory
	rows    int
	outline bool // it has no values
}

// NewFrame checks that columns fit the schema (kinds, equal lengths, codes inside their
// dictionaries) and joins them. It keeps the slices, it does not copy them.
func NewFrame(schema Schema, columns []Column) (*Frame, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if len(columns) != len(schema.Fields) {
		return nil, fmt.Errorf("%d columns for %d fields", len(columns), len(schema.Fields))
	}
	f := &Frame{Schema: schema, Columns: columns}
	for i := range columns {
		if i == 0 {
			f.rows = columns[i].Len()
		}
		if f.rows > math.MaxInt32 {
			return nil, fmt.Errorf("%d rows, the limit is %d", f.rows, math.MaxInt32)
		}
		if err := checkColumn(&schema.Fields[i], &columns[i], f.rows); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// RowsFrame returns n rows of numbers, as model.Predictor.PredictRow takes them, as a table of
// their schema. The error is that of NewFrame.
func RowsFrame(s *Schema, n int, row func(i int) []float64) (*Frame, error) {
	columns := make([]Column, len(s.Fields))
	for k := range s.Fields {
		values := make([]float64, n)
		for i := range values {
			values[i] = row(i)[k]
		}
		if columns[k] = Numbers(values); s.Fields[k].Kind.HasLevels() {
			codes := make([]uint32, n)
			for i, v := range values {
				codes[i] = CodeOf(v)
			}
			columns[k] = Codes(codes)
		}
	}
	return NewFrame(*s, columns)
}

func checkColumn(field *Field, c *Column, rows int) error {
	if c.Len() != rows {
		return fmt.Errorf("column %q has %d rows, the first column has %d", field.Name,
			c.Len(), rows)
	}
	if c.sparse != nil {
		if err := c.sparse.check(); err != nil {
			return fmt.Errorf("column %q: %w", field.Name, err)
		}
	}
	if !field.Kind.HasLevels() {
		if c.code != nil {
			return fmt.Errorf("column %q is %s and holds codes", field.Name, field.Kind)
		}
		if field.Kind == Date {
			if row := c.firstInfinite(); row >= 0 {
				return fmt.Errorf("column %q, row %d: the date is infinite", field.Name, row)
			}
		}
		return nil
	}
	if c.num != nil || !c.InPlace() {
		return fmt.Errorf("column %q is %s and holds numbers", field.Name, field.Kind)
	}
	for i, code := range c.code {
		if uint(code) >= uint(len(field.Levels)) && code < UnseenCode {
			return fmt.Errorf("column %q, row %d: code %d is outside its dictionary of %d levels",
				field.Name, i, code, len(field.Levels))
		}
	}
	return nil
}

// Rows returns the number of rows.
func (f *Frame) Rows() int { return f.rows }

// Select returns a frame of the columns at the given positions, in that order. Columns, what was
// read as missing, and origin are shared.
func (f *Frame) Select(positions []int) *Frame {
	g := &Frame{Origin: f.Origin, rows: f.rows, outline: f.outline, Schema: f.Schema.Like(nil)}
	for _, p := range positions {
		g.Schema.Fields = append(g.Schema.Fields, f.Schema.Fields[p])
		g.Columns = append(g.Columns, f.Columns[p])
	}
	return g
}

// RowError reports that a table has no row of a number.
type RowError struct {
	Row  int32
	Rows int // of the table
}

func (e *RowError) Error() string {
	if e.Rows == 0 {
		return fmt.Sprintf("there is no row %d in a table without rows", e.Row)
	}
	return fmt.Sprintf("there is no row %d: those of the table are 0 to %d", e.Row, e.Rows-1)
}

// CheckRows returns a *RowError of the first row that the frame does not have.
func (f *Frame) CheckRows(rows []int32) error {
	for _, r := range rows {
		if uint(r) >= uint(f.rows) { // negative ones too
			return &RowError{r, f.rows}
		}
	}
	return nil
}

// Subset returns a frame of the given rows, in that order; a row may repeat. Values are copied,
// dictionaries are shared, and Locate still names the file and line that a row came from. Sparse
// columns stay sparse, and take time in proportion to their stored values.
func (f *Frame) Subset(rows []int32) *Frame {
	g := &Frame{Schema: f.Schema, Columns: make([]Column, len(f.Columns)), rows: len(rows)}
	where := places{rows: rows, of: f.rows}
	for i := range f.Columns {
		g.Columns[i] = f.Columns[i].pick(&where)
	}
	if f.Origin != nil {
		g.Origin = f.Origin.subset(rows)
	}
	return g
}

// Pick returns the values at some places, as at rows; nil stays nil, because it marks the kind of a
// column, or that all are alike.
func Pick[T any, P int | int32](values []T, at []P) []T {
	if values == nil {
		return nil
	}
	picked := make([]T, len(at))
	for i, place := range at {
		picked[i] = values[place]
	}
	return picked
}

// IsMissing reports whether the value at (row, column) is missing.
func (f *Frame) IsMissing(row, column int) bool {
	c := &f.Columns[column]
	if c.code != nil {
		return c.code[row] == MissingCode
	}
	return math.IsNaN(c.Number(row))
}

// Locate names a row for an error message: "adult.csv:17" where the origin is known, else "row 17"
// (from 1).
func (f *Frame) Locate(row int) string {
	return f.Origin.Locate(row)
}

// AllRows returns the row numbers 0 ... n-1.
func AllRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// Chosen returns the given rows, where nil stands for all rows of the frame.
func (f *Frame) Chosen(rows []int32) []int32 {
	if rows == nil {
		return AllRows(f.Rows())
	}
	return rows
}

// Distinct returns the given rows in ascending order without repetitions, in a new slice; nil,
// which means all rows of a frame, stays nil.
func Distinct(rows []int32) []int32 {
	if rows == nil {
		return nil
	}
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return slices.Compact(rows)
}

// InOrder is Distinct without a copy, for lists that are not changed: rows that ascend already are
// returned as they are.
func InOrder(rows []int32) []int32 {
	for i := 1; i < len(rows); i++ {
		if rows[i] <= rows[i-1] {
			return Distinct(rows)
		}
	}
	return rows
}

// Origin records the files and lines that the rows of a frame were read from.
//
//	Files   train.csv           more.csv
//	First   0                   3
//	rows    0     1     2       3     4
//	Line    2     3     5       2     3
//
// Line 4 of train.csv belongs to row 1, which has a quoted field with a newline.
type Origin struct {
	Files []string // names, in the order of reading; a name may occur more than once
	First []int32  // First[i] is the first row that came from Files[i]; ascending, First[0] is 0
	Line  []int32  // Line[row] counts from 1; nil when line = row - First + Skip
	Skip  int32    // used when Line is nil: the line of a file's first row (2 below a header line)

	// Columns names all columns of the files, those that were not read among them.
	Columns []string
}

// file returns the index into Files of a row, -1 if no file holds it. Of files that start at the
// same row all but the last are empty, so the last one is it.
func (o *Origin) file(row int32) int {
	return sort.Search(len(o.First), func(i int) bool { return o.First[i] > row }) - 1
}

func (o *Origin) line(row int32, file int) int32 {
	if o.Line != nil {
		return o.Line[row]
	}
	return row - o.First[file] + o.Skip
}

// Locate names a row for an error message: "adult.csv:17", or "row 17" (from 1) where no file holds
// the row or o is nil.
func (o *Origin) Locate(row int) string {
	if o != nil {
		if file, line := o.Place(row); line > 0 {
			return fmt.Sprintf("%s:%d", file, line)
		}
	}
	return fmt.Sprintf("row %d", row+1)
}

// Place returns the file that holds a row and the line on which it begins there, "" and 0 where no
// file holds it.
func (o *Origin) Place(row int) (file string, line int) {
	k := o.file(int32(row))
	if k < 0 {
		return "", 0
	}
	return o.Files[k], int(o.line(int32(row), k))
}

// subset returns the origin of a table of the given rows: a new entry of Files starts wherever the
// file changes.
func (o *Origin) subset(rows []int32) *Origin {
	s := &Origin{Line: make([]int32, len(rows))}
	last := -1
	for i, row := range rows {
		k := o.file(row)
		if k < 0 {
			return nil
		}
		if k != last {
			s.Files = append(s.Files, o.Files[k])
			s.First = append(s.First, int32(i))
			last = k
		}
		s.Line[i] = o.line(row, k)
	}
	return s
}

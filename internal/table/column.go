package table

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Column is one column of a file and what was read of it. Readers fill the slices themselves or use
// the Append methods, not both; the slices may be longer than the table.
type Column struct {
	Field    data.Field // what the frame will call it; the levels are filled in at the end
	Type     Type
	Storage  Storage
	Position int // in ReadOptions.Schema, -1 if it is not there
	Bits     int // of the file's numbers: those of 32 are shorter as texts; else 64

	Num    []float64
	Code   []uint32
	Dict   *Dictionary
	Stored *data.Column // numbers that are stored sparsely, in place of Num

	Kept Verbatim

	Turned *Turn // what turned an inferred column categorical

	// Literal makes a name of all that is no plain number, however people write numbers and dates.
	Literal bool

	// Texts are the rules by which texts are numbers.
	Texts TextRules

	resolved resolved // of a column that turned

	plan    *Plan
	counts  *Counts // of the texts, where rows are not kept
	rows    int     // appended so far
	rounded rounding

	appended bool // the values come by the Append methods, which remove blanks
	start    start
}

// resolved is what a recogniser makes of a column that turned categorical.
type resolved struct {
	note    string    // behind the column's name
	meaning []float64 // by code: the numbers or dates that its texts are; nil: they are names
}

// Verbatim has the texts of a column as they stand in the file.
type Verbatim struct {
	Codes []uint32
	Dict  *Dictionary // nil: the texts are not kept
}

// add appends a text.
func (k *Verbatim) add(text []byte) *data.ReadError {
	code, fault := k.Dict.Encode(text)
	k.Codes = append(k.Codes, code)
	return fault
}

// rounding is what a column reports of integers that are no float64.
type rounding struct {
	first    *Turn // nil: there is none
	became   string
	reported bool // a note was logged
}

// Turn is a text and where it stands.
type Turn struct {
	Text string // in quotes
	Row  int    // of the table
	File string // and Line, if the text does not stand where its row begins
	Line int

	first bool // no number came before it, among the rows that the column had
}

// Used reports whether the values are needed.
func (c *Column) Used() bool { return c.Storage != NotStored || c.Kept.Dict != nil }

// Rows returns how many values were appended.
func (c *Column) Rows() int { return c.rows }

// Grow allocates memory for more values, if they are needed.
func (c *Column) Grow(rows int) {
	switch c.Storage {
	case Numbers:
		c.Num = grow(c.Num, rows)
	case Codes:
		c.Code = grow(c.Code, rows)
	}
}

// grow is slices.Grow, which writes zeros into all that it allocates. Memory that is new here is
// touched first by the goroutine that reads the values.
func grow[T any](s []T, n int) []T {
	if len(s) == 0 && cap(s) < n {
		return make([]T, 0, n)
	}
	return slices.Grow(s, n)
}

// AppendMissing appends a missing value.
func (c *Column) AppendMissing() {
	switch c.Storage {
	case Numbers:
		c.Num = append(c.Num, math.NaN())
	case Codes:
		c.Code = append(c.Code, data.MissingCode)
	}
	if c.Kept.Dict != nil {
		c.fail(c.Kept.add(nil))
	}
	c.rows++
}

// AppendNumber appends a number; NaN is a missing value.
func (c *Column) AppendNumber(v float64) {
	switch {
	case math.IsNaN(v):
		c.AppendMissing()
	case c.Storage == Numbers && c.Kept.Dict == nil:
		c.Num = append(c.Num, c.Texts.value(v))
		c.rows++
	case c.Used():
		text := data.NumberText(v, c.Bits)
		c.appendNumeral(v, text, []byte(text))
	default:
		c.rows++
	}
}

// appendNumeral appends a number that has a text of its own, and one that a verbatim column keeps.
func (c *Column) appendNumeral(v float64, text string, kept []byte) {
	switch c.Storage {
	case Numbers:
		c.Num = append(c.Num, c.Texts.value(v))
	case Codes:
		c.encode([]byte(text))
	}
	if c.Kept.Dict != nil {
		c.fail(c.Kept.add(kept))
	}
	c.rows++
}

// AppendText appends a text; one of nothing but blanks is missing, except that a column of texts
// has the empty one. In a numeric column it is a number, missing, or a fault.
func (c *Column) AppendText(text []byte) {
	short := trim(text)
	if c.Storage == Numbers && (c.Texts.inferred || c.Texts.insisted) &&
		!c.Texts.IsMissing(short) &&
		c.Texts.Turn(short) {
		c.turn(text)
	}
	switch {
	case c.Storage == Numbers:
		c.Num = append(c.Num, c.number(short))
	case c.Refuses(text):
		c.fail(c.Texts.NotNumber(text))
	case c.Storage == Codes:
		if c.Field.Kind == data.Text && len(text) == 0 {
			c.Code = append(c.Code, c.Dict.emptyText())
		} else if len(short) == 0 {
			c.encode(short)
		} else {
			c.encode(text)
		}
	}
	if c.Kept.Dict != nil {
		c.fail(c.Kept.add(text))
	}
	c.rows++
}

// number returns the number that stands in a text, NaN if it is missing or a fault.
func (c *Column) number(text []byte) float64 {
	if c.Texts.IsMissing(text) {
		return math.NaN()
	}
	v, ok := c.Texts.Parse(text)
	if !ok {
		c.fail(c.Texts.NotNumber(text))
	}
	return c.Texts.value(v)
}

// Refuses reports whether a text of a column that turned categorical is a fault: one of
// ReadOptions.Numeric holds nothing but numbers, in a format that is not known yet.
func (c *Column) Refuses(text []byte) bool {
	text = trim(text)
	return c.Texts.insisted && c.Storage == Codes && !c.Texts.IsMissing(text) && !c.Texts.Turn(text)
}

// StoreFormat gives the field the format of a numeric column, for readers to whom every value is a
// text.
func (c *Column) StoreFormat() {
	if c.Storage == Numbers && c.Field.Kind == data.Numeric {
		c.Field.Format = c.Texts.format.Code()
	}
}

// AppendToken appends a missing value if a text means one; else it reports false and appends
// nothing.
func (c *Column) AppendToken(text []byte) bool {
	if !c.Texts.IsMissing(trim(text)) {
		return false
	}
	c.AppendMissing()
	return true
}

// AppendBool appends the text true or false.
func (c *Column) AppendBool(v bool) {
	if v {
		c.AppendText([]byte("true"))
	} else {
		c.AppendText([]byte("false"))
	}
}

// encode appends the code of a text.
func (c *Column) encode(text []byte) {
	code, fault := c.Dict.Encode(text)
	c.Code = append(c.Code, code)
	c.fail(fault)
}

// fail records the first fault of the table, nil for none; the column continues with any value.
func (c *Column) fail(e *data.ReadError) {
	if p := c.plan; e != nil && p.fault == nil {
		e.Column = c.Field.Name
		p.fault, p.faultRow = e, c.rows
	}
}

// turn makes a categorical column of one that was numeric so far, because of a text that follows.
func (c *Column) turn(text []byte) {
	numbers := c.Num
	c.Turn(&Turn{Text: Quote(text), Row: c.start.before + c.rows, first: true})
	c.Code = make([]uint32, 0, len(numbers)+1)
	for _, v := range numbers {
		if math.IsNaN(v) {
			c.Code = append(c.Code, data.MissingCode)
		} else {
			c.Turned.first = false
			c.encode([]byte(data.NumberText(v, c.Bits)))
		}
	}
	c.rounded.first = nil
}

// Turn makes a categorical column without values of a numeric one.
func (c *Column) Turn(by *Turn) {
	c.Storage, c.Dict, c.Num = Codes, c.plan.dictionary(c), nil
	c.Texts.inferred = false
	c.Field.Format, c.Turned = "", by
}

package input

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// NamedReader reads values by the names of their columns into rows of numbers for a model, in the
// form that the PredictRow of package model takes: one row of JSON, say, at a time. Whoever gets
// values from elsewhere than a file or a struct uses it. It is safe for concurrent use.
type NamedReader struct {
	schema  data.Schema
	columns []namedColumn
	index   map[string]int
}

// namedColumn is a column as tables have it, and how its values become numbers.
type namedColumn struct {
	field  data.Field
	at     int              // its place in a row; of a text the first of its places
	levels *data.LevelIndex // of categories
	date   data.DateFormat
	number spelling.NumberFormat
	made   []data.Field // of a text that becomes counts
	write  func(dst []float64, text string, known bool)
	tokens []string // texts that mean a missing value
}

// NewNamedReader returns the reader of values for a model of a schema. Parts of a date or a text
// are read as the date or the text that they are made of.
func NewNamedReader(s *data.Schema) *NamedReader {
	r := &NamedReader{index: map[string]int{}, schema: s.Like(nil)}
	var texts []int
	for i := range s.Fields {
		f := &s.Fields[i]
		name := f.Source()
		if _, known := r.index[name]; known {
			continue
		}
		r.index[name] = len(r.columns)
		c := namedColumn{field: data.Field{Name: name, Kind: f.Kind, Format: f.Format,
			Missing: f.Missing, Unseen: f.Unseen}}
		switch {
		case f.Text != nil:
			c.made, c.field.Kind, c.field.Format = MadeOf(s, name), data.Text, ""
			c.write = data.TextWriter(c.made)
			texts = append(texts, len(r.columns))
		case f.From != nil:
			c.field.Kind, c.date = data.Date, f.From.Format
			c.field.Format = c.date.String()
		case f.Kind == data.Date:
			c.date, _ = f.DateFormat() // an unknown format is ymd
		case f.Kind.HasLevels():
			c.field.Levels = f.Levels
			c.levels = data.IndexLevels(&c.field)
		default:
			c.number, _ = spelling.ParseNumberFormat(f.Format)
		}
		c.tokens = c.missing(s)
		if c.made == nil {
			c.at = len(r.schema.Fields)
			r.schema.Fields = append(r.schema.Fields, c.field)
		}
		r.columns = append(r.columns, c)
	}
	for _, i := range texts { // what texts become stands behind all others
		c := &r.columns[i]
		c.at = len(r.schema.Fields)
		r.schema.Fields = append(r.schema.Fields, c.made...)
	}
	return r
}

// MadeOf returns the fields of a schema that are made of a column of dates or texts.
func MadeOf(s *data.Schema, source string) []data.Field {
	var made []data.Field
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Derived() && f.Source() == source {
			made = append(made, *f)
		}
	}
	return made
}

// missing returns the texts that mean a missing value in a column, as a file would have them.
func (c *namedColumn) missing(s *data.Schema) []string {
	tokens := slices.Concat(s.Tokens, s.TokensOf[c.field.Name])
	if s.Tokens != nil {
		return tokens
	}
	for _, token := range data.DefaultMissing {
		if !slices.Contains(c.field.Levels, token) { // which no file has made a category
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// Schema returns the columns of a row, to which a model is bound. Callers must not change it.
func (r *NamedReader) Schema() *data.Schema { return &r.schema }

// Columns returns the number of columns that tables have for the model.
func (r *NamedReader) Columns() int { return len(r.columns) }

// Field returns a column as tables have it: a date or a text where the model has parts of it.
// Callers must not change it.
func (r *NamedReader) Field(column int) *data.Field { return &r.columns[column].field }

// Index returns the column of a name, -1 if the model does not use it.
func (r *NamedReader) Index(name []byte) int {
	if i, ok := r.index[string(name)]; ok {
		return i
	}
	return -1
}

// Missing writes a missing value of a column into a row.
func (r *NamedReader) Missing(row []float64, column int) {
	if c := &r.columns[column]; c.made != nil {
		c.write(row[c.at:][:len(c.made)], "", false)
	} else {
		row[c.at] = math.NaN()
	}
}

// Value returns what a row has of a column: a number, the code of a level, -1 for a category that
// the model does not have, or a date in microseconds since 1970; NaN is missing. Of a text it is
// the first of the numbers that are made of it.
func (r *NamedReader) Value(row []float64, column int) float64 { return row[r.columns[column].at] }

// Number writes a number of a column into a row; NaN is missing. Of categories it is the level that
// the number is written as. The error says what the column has instead.
func (r *NamedReader) Number(row []float64, column int, v float64) error {
	c := &r.columns[column]
	switch {
	case math.IsNaN(v):
		r.Missing(row, column)
	case c.field.Kind == data.Numeric:
		row[c.at] = v
	case c.field.Kind == data.Categorical:
		row[c.at] = c.code([]byte(data.NumberText(v, 64)))
	case c.field.Kind == data.Date && c.date.Unit() > 0:
		row[c.at] = c.date.FromNumber(v)
	default:
		return fmt.Errorf("want %s, not the number %s", c.wants(), data.NumberText(v, 64))
	}
	return nil
}

// Time writes a date of a column into a row, in microseconds since 1970-01-01 00:00. Of categories
// it is the level that the date is written as; of numbers the microseconds.
func (r *NamedReader) Time(row []float64, column int, micros float64) error {
	c := &r.columns[column]
	switch {
	case math.IsNaN(micros):
		r.Missing(row, column)
	case c.field.Kind == data.Date || c.field.Kind == data.Numeric:
		row[c.at] = micros
	default:
		return r.Text(row, column, []byte(data.DateText(micros)))
	}
	return nil
}

// Numeral writes a number that is given as text, as in JSON, into a row. A category is the level
// that is written so, or else the level of the same number. A number beyond the range of float64 is
// an error.
func (r *NamedReader) Numeral(row []float64, column int, text []byte) error {
	c := &r.columns[column]
	if c.field.Kind == data.Categorical {
		if row[c.at] = c.code(text); row[c.at] >= 0 {
			return nil
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("the number %s is beyond the range of float64", shortened(text))
	}
	return r.Number(row, column, v)
}

// Truth writes a truth value of a column into a row: 1 or 0 in a column of numbers, and the level
// true or false of categories.
func (r *NamedReader) Truth(row []float64, column int, v bool) error {
	c := &r.columns[column]
	number, text := 0.0, "false"
	if v {
		number, text = 1, "true"
	}
	switch {
	case c.field.Kind == data.Numeric:
		row[c.at] = number
	case c.field.Kind == data.Categorical:
		if row[c.at] = c.code([]byte(text)); row[c.at] < 0 && c.field.BareCodes() {
			row[c.at] = c.code([]byte(data.NumberText(number, 64)))
		}
	default:
		return fmt.Errorf("want %s, not %s", c.wants(), text)
	}
	return nil
}

// Text writes a text of a column into a row, as a file would have it: of numbers in the format of
// training, of dates in theirs or as RFC 3339. The empty text is missing but for columns of texts,
// as are the texts that mean so in files: Schema.Tokens and Schema.TokensOf, or
// data.DefaultMissing. Of a column of texts nothing but blanks is. A text that is not UTF-8 is an
// error.
func (r *NamedReader) Text(row []float64, column int, text []byte) error {
	c := &r.columns[column]
	if !utf8.Valid(text) {
		return fmt.Errorf("want a text in UTF-8, not %q", shortened(text))
	}
	trimmed := bytes.TrimSpace(text)
	if c.made != nil {
		blank := len(trimmed) == 0 && len(text) > 0
		c.write(row[c.at:][:len(c.made)], string(text), !blank)
		return nil
	}
	if c.means(trimmed) {
		row[c.at] = math.NaN()
		return nil
	}
	switch c.field.Kind {
	case data.Categorical, data.Text:
		row[c.at] = c.code(trimmed)
		return nil
	case data.Date:
		if micros, ok := data.ParseDate(string(trimmed), c.textFormat()); ok {
			row[c.at] = micros
			return nil
		}
	default:
		v, ok := c.number.Number(trimmed)
		if math.IsInf(v, 0) {
			return fmt.Errorf("the number %s is beyond the range of float64", shortened(trimmed))
		}
		if ok {
			row[c.at] = v
			return nil
		}
	}
	return fmt.Errorf("want %s, not %q", c.wants(), shortened(trimmed))
}

// Cell writes the text of a CSV file into a row: Text, but that in columns of texts, too, those
// that mean a missing value in files are missing.
func (r *NamedReader) Cell(row []float64, column int, text []byte) error {
	text = bytes.TrimSpace(text)
	if r.columns[column].means(text) {
		r.Missing(row, column)
		return nil
	}
	return r.Text(row, column, text)
}

// means reports whether a text means a missing value.
func (c *namedColumn) means(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	for _, token := range c.tokens {
		if token == string(text) {
			return true
		}
	}
	return false
}

// shortened cuts a long text for a message.
func shortened(text []byte) string {
	const most = 40
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + "..."
}

// textFormat returns the format that texts of dates are read by.
func (c *namedColumn) textFormat() data.DateFormat {
	if c.date.Unit() > 0 {
		return data.YearFirst
	}
	return c.date
}

// wants names what the column has.
func (c *namedColumn) wants() string {
	switch c.field.Kind {
	case data.Date:
		return "a date such as \"2024-01-31\" or \"2024-01-31T17:05:09Z\""
	case data.Numeric:
		if c.number.Plain() {
			return "a number"
		}
		return "a number written as " + c.number.String()
	}
	return "a text"
}

// code returns the code of a category, -1 for one that the model does not have.
func (c *namedColumn) code(text []byte) float64 {
	if code := c.levels.FindBytes(text); code != data.UnseenCode {
		return float64(code)
	}
	return -1
}

package csvdata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/param"
)

// column is one column of the file and where its values go.
type column struct {
	name  string
	field data.Field // what the frame will call it; Levels are filled in at the end
	want  want
	fast  bool // numeric, and no more than scanNumber has to look at a field
	infer bool // the first text turns a numeric column into a categorical one
	model int  // position in Options.Schema, -1 if it is not there

	num  []float64
	code []uint32
	dict *dictionary

	// What turned an inferred column categorical: the first text and where it stands. The rows before again were
	// read as numbers and are read again.
	text  string
	file  string
	line  int
	again int

	kept     []uint32 // verbatim: codes of the texts
	keptDict *dictionary
}

// want says what becomes of a column's fields.
type want uint8

const (
	wantNothing want = iota
	wantNumbers
	wantCodes
)

// check finds faults that can be seen without a file.
func (o *Options) check() error {
	c := o.Comma
	if c >= 0x80 || c != 0 && c != '\t' && c < ' ' || c == 0x7f || strings.IndexByte(`"+-._`, c) >= 0 ||
		'0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
		return optionError(fmt.Sprintf("%q cannot separate fields", c))
	}
	for _, n := range o.Numeric {
		if slices.Contains(o.Categorical, n) {
			return optionError(fmt.Sprintf("column %q cannot be both numeric and categorical", n))
		}
	}
	return nil
}

func optionError(msg string) error { return &Error{Msg: msg, Err: ErrOption} }

// tokens returns the trimmed texts that mean missing, the empty one among them.
func (o *Options) tokens() []string {
	from := o.Missing
	if from == nil {
		from = DefaultMissing
	}
	tokens := []string{""}
	for _, t := range from {
		tokens = append(tokens, strings.TrimSpace(t))
	}
	return tokens
}

// columns decides what to read of the columns with these names.
func (o *Options) columns(file string, names, tokens []string) ([]column, error) {
	exists := set(names)
	for _, list := range [][]string{o.Numeric, o.Categorical, o.Ignore, o.Also, o.Verbatim} {
		for _, n := range list {
			if !exists[n] {
				return nil, unknownColumn(file, n, names)
			}
		}
	}
	numeric, categorical, ignore, also, verbatim := set(o.Numeric), set(o.Categorical), set(o.Ignore), set(o.Also), set(o.Verbatim)
	var schema []data.Field
	position := map[string]int{}
	if o.Schema != nil {
		schema = o.Schema.Fields
		for i := range schema {
			position[schema[i].Name] = i
		}
	}
	// A token for missing that is a number can only be told from a value by comparing texts.
	numbers := slices.ContainsFunc(tokens, func(t string) bool { _, ok := parseNumber([]byte(t)); return ok })
	columns := make([]column, len(names))
	for i, n := range names {
		c := &columns[i]
		c.name, c.field, c.model = n, data.Field{Name: n}, -1
		if p, ok := position[n]; ok && !ignore[n] {
			c.bind(p, schema[p], tokens)
		} else if !ignore[n] && (o.Schema == nil || also[n]) {
			c.choose(numeric[n], categorical[n] || o.AllCategorical, tokens)
		}
		if verbatim[n] {
			c.keptDict = newDictionary(nil)
		}
		c.fast = c.want == wantNumbers && c.keptDict == nil && !numbers
	}
	return columns, nil
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// bind reads the column as a model's schema has it, at a position there.
func (c *column) bind(position int, field data.Field, tokens []string) {
	c.model, c.field, c.want = position, field, wantNumbers
	if field.Kind == data.Categorical {
		c.want, c.dict = wantCodes, closedDictionary(tokens, field.Levels)
	}
}

// choose reads the column as the options or its values say.
func (c *column) choose(numeric, categorical bool, tokens []string) {
	switch {
	case numeric:
		c.want = wantNumbers
	case categorical:
		c.want, c.dict = wantCodes, newDictionary(tokens)
	default:
		c.want, c.infer = wantNumbers, true
	}
}

func unknownColumn(file, name string, names []string) error {
	e := &Error{File: file, Msg: fmt.Sprintf("there is no column %q", name), Err: ErrOption}
	if near := param.Nearest(name, names); near != "" {
		e.Msg += fmt.Sprintf("; did you mean %q?", near)
	}
	return e
}

// grow makes room for a number of rows.
func (c *column) grow(rows int) {
	switch c.want {
	case wantNumbers:
		c.num = extend(c.num, rows)
	case wantCodes:
		c.code = extend(c.code, rows)
	}
	if c.keptDict != nil {
		c.kept = extend(c.kept, rows)
	}
}

func extend[T any](values []T, rows int) []T {
	longer := make([]T, rows)
	copy(longer, values)
	return longer
}

// turn makes a categorical column of one that was read as numbers until row, because of a text in that row.
func (c *column) turn(row int, text []byte, s *splitter, tokens []string) {
	c.want, c.fast, c.infer = wantCodes, false, false
	c.code, c.num = make([]uint32, len(c.num)), nil
	c.dict = newDictionary(tokens)
	c.text, c.file, c.line, c.again = quote(text), s.name, s.at, row
}

// finish cuts the column to its rows and returns it with its field.
func (c *column) finish(rows int) (data.Field, data.Column) {
	if c.want == wantNumbers {
		return c.field, data.Column{Num: fit(c.num, rows)}
	}
	codes := fit(c.code, rows)
	c.dict.sort(codes)
	c.field.Kind, c.field.Levels = data.Categorical, c.dict.levels
	return c.field, data.Column{Code: codes}
}

// finishVerbatim does so with the texts that were kept.
func (c *column) finishVerbatim(rows int) (data.Field, data.Column) {
	codes := fit(c.kept, rows)
	c.keptDict.sort(codes)
	return data.Field{Name: c.name, Kind: data.Categorical, Levels: c.keptDict.levels}, data.Column{Code: codes}
}

// fit cuts values to their rows; where much room is left it copies them and lets the room go.
func fit[T any](values []T, rows int) []T {
	if len(values)-rows > rows/8 {
		return slices.Clone(values[:rows])
	}
	return values[:rows:rows]
}

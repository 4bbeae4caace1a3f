package model

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/param"
)

// Coverage counts what a model does not know of the tables that it predicts: categories that
// training had not, and missing values. Predictions of such rows rest on the other columns, so a
// table that writes its values in another way than the training set, such as RED for red, is
// predicted badly and without an error. Add takes tables, or the parts of one, and Suspicious names
// the columns that a person should look at.
//
// Columns that no tree of a model of trees uses are left out. It takes time in proportion to the
// values, and memory to the columns. It is not safe for concurrent use.
type Coverage struct {
	schema  *data.Schema
	columns []covered
	at      []int // where the last table had the schema's fields
	rows    int
	sparse  bool // a table has sparse columns
	absent  bool // of sparse rows values are missing that they do not name
}

// covered is a column of tables that a model uses.
type covered struct {
	ColumnCoverage
	field  int // of the schema
	stored bool
	texts  data.UnseenTexts
	index  *data.LevelIndex // made for the first table that has other levels than the model
}

// ColumnCoverage is what a model does not know of a column of tables.
type ColumnCoverage struct {
	Column  string // of the tables
	Rows    int
	New     int // rows of a category that training had not
	Missing int // rows without a value
	// a new category: of a sample the one that most rows hold; "" if there is none, or if the
	// tables do not name it
	Example string
	// the category of training that is probably meant by Example; "" if none is near
	Nearest string
	Levels  []string // the categories of training, which callers do not change
}

// When tables are suspicious.
const (
	manyNew     = 0.1 // of the rows
	missingRows = 10  // fewer may all miss a value
	fewNamed    = 0.1 // of a model's columns in a sparse table
	// of how many levels all letters are compared
	nearestLevels = 1 << 14
)

// NewCoverage returns the coverage of no tables.
func NewCoverage(m Model) *Coverage {
	s := &m.Spec().Schema
	c := &Coverage{schema: s, at: make([]int, len(s.Fields))}
	uses := func(int) bool { return true }
	if e := m.Describe().Ensemble; e != nil && len(e.Meta.Schema.Fields) == len(s.Fields) {
		used := e.Uses()
		uses = func(i int) bool {
			_, found := slices.BinarySearch(used, int32(i))
			return found
		}
	}
	seen := map[string]bool{}
	for i := range s.Fields {
		c.at[i] = i
		name := s.Fields[i].Source()
		if uses(i) && !seen[name] {
			seen[name] = true
			c.columns = append(c.columns,
				covered{ColumnCoverage: ColumnCoverage{Column: name, Levels: s.Fields[i].Levels}, field: i})
		}
	}
	return c
}

// Add counts the rows of a table. A column that is absent is a *MissingColumnError.
func (c *Coverage) Add(f *data.Frame) error {
	if missing := f.Schema.Find(c.schema.Fields, c.at); missing != nil {
		return &MissingColumnError{missing.Source()}
	}
	c.rows += f.Rows()
	c.absent = c.absent || f.Schema.AbsentValues == data.AbsentMissing
	for i := range c.columns {
		own := &c.columns[i]
		at := c.at[own.field]
		own.Rows += f.Rows()
		own.add(&c.schema.Fields[own.field], &f.Schema.Fields[at], &f.Columns[at], f.Rows())
		c.sparse = c.sparse || f.Columns[at].IsSparse()
	}
	return nil
}

// add counts the rows of a table's column.
func (c *covered) add(field, got *data.Field, column *data.Column, rows int) {
	if codes := column.Codes(); codes != nil {
		c.stored = true
		c.addCodes(field, got, codes, column.UnseenTexts())
		return
	}
	codes := field.CodeIndex()
	count := func(v float64) {
		switch {
		case v != v:
			c.Missing++
		case codes != nil && codes.Find(v) < 0:
			c.New++
		}
	}
	stored, values, absent, sparse := column.Stored()
	if sparse {
		c.stored = c.stored || len(stored) > 0
		for _, v := range values {
			count(v)
		}
		if absent != absent {
			c.Missing += rows - len(stored)
		}
		return
	}
	c.stored = c.stored || rows > 0
	const tile = 1 << 10
	var scratch [tile]float64
	for from := 0; from < rows; from += tile {
		for _, v := range column.NumbersIn(from, min(from+tile, rows), scratch[:]) {
			count(v)
		}
	}
}

// addCodes counts the codes of a table's column. Texts have none that are new.
func (c *covered) addCodes(
	field, got *data.Field, codes []uint32, texts *data.UnseenTexts,
) {
	categories := field.Kind == data.Categorical
	own := !categories || slices.Equal(field.Levels, got.Levels)
	var in []int // the rows of each of the table's levels, where they are not the model's
	if !own {
		in = make([]int, len(got.Levels))
	}
	for _, code := range codes {
		switch {
		case code == data.MissingCode:
			c.Missing++
		case int64(code) >= int64(len(got.Levels)):
			if categories {
				c.New++
			}
		case !own:
			in[code]++
		}
	}
	if categories {
		c.texts.Join(texts)
	}
	if own {
		return
	}
	if c.index == nil {
		c.index = data.IndexLevels(field)
	}
	for code, n := range in {
		if n > 0 && c.index.Find(got.Levels[code]) == data.UnseenCode {
			c.New += n
			c.texts.AddRows(got.Levels[code], n)
		}
	}
}

// Columns returns the counts of all columns that the model uses, in the order of its schema.
func (c *Coverage) Columns() []ColumnCoverage {
	all := make([]ColumnCoverage, len(c.columns))
	for i := range c.columns {
		own := &c.columns[i]
		if own.Example = own.texts.Most(); own.Example != "" {
			own.Nearest = nearestLevel(own.Example, c.schema.Fields[own.field].Levels)
		}
		all[i] = own.ColumnCoverage
	}
	return all
}

// Suspicious returns the columns in which at least a tenth of the rows have new categories, or all
// of at least ten rows no value: those with most such rows first. Columns that no sparse row names
// are left to Named.
func (c *Coverage) Suspicious() []ColumnCoverage {
	var all []ColumnCoverage
	for i, x := range c.Columns() {
		none := x.Empty() && x.Rows >= missingRows && (c.columns[i].stored || !c.absent)
		if none || x.New > 0 && float64(x.New) >= manyNew*float64(x.Rows) {
			all = append(all, x)
		}
	}
	unknown := func(x ColumnCoverage) int {
		if x.Empty() {
			return x.Rows
		}
		return x.New
	}
	slices.SortStableFunc(all, func(a, b ColumnCoverage) int {
		return cmp.Compare(unknown(b), unknown(a))
	})
	return all
}

// Empty reports whether no row has a value.
func (x *ColumnCoverage) Empty() bool { return x.Rows > 0 && x.Missing == x.Rows }

// Named returns in how many of the columns that the model uses a sparse table names a value, and
// how many there are. few reports that these are so few that the table hardly is of the model's
// features: none, or less than a tenth of them in a table of as many rows as there are columns.
func (c *Coverage) Named() (named, columns int, few bool) {
	for i := range c.columns {
		if c.columns[i].stored {
			named++
		}
	}
	columns = len(c.columns)
	few = c.sparse && c.rows > 0 && (named == 0 ||
		float64(named) < fewNamed*float64(columns) && c.rows >= columns)
	return named, columns, few
}

// nearestLevel returns the level that a text probably means: one that is the same number, or that
// differs in case, blanks and marks alone, or else one of nearly the same letters. Of texts with
// digits, which often number things, no other is meant.
func nearestLevel(text string, levels []string) string {
	plain, number := spelling.PlainInteger(text)
	folded := letters(text)
	for _, level := range levels {
		if other, ok := spelling.PlainInteger(level); ok && number && other == plain {
			return level
		}
		if folded != "" && strings.ContainsFunc(text, unicode.IsLetter) &&
			letters(level) == folded {
			return level
		}
	}
	if strings.ContainsFunc(text, unicode.IsDigit) || len(levels) > nearestLevels {
		return ""
	}
	return param.Nearest(text, levels)
}

// letters returns the letters and digits of a text in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

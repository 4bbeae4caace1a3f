package model

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/param"
)

// Coverage counts what a model does not know of the tables that it predicts: categories that
// training had not, missing values, and numbers beyond those of training. Predictions of such rows
// rest on the other columns, so a table that writes its values in another way than the training
// set, such as RED for red, is predicted badly and without an error. Add takes tables, or the parts
// of one, and Suspicious names the columns that a person should look at.
//
// Columns that no tree of a model of trees uses are left out. It takes time in proportion to the
// values, and memory to the columns and the flags of a table. It is not safe for concurrent use.
type Coverage struct {
	schema  *data.Schema
	profile *Profile
	columns []covered
	at      []int // where the last table had the schema's fields
	rows    int
	sparse  bool // a table has sparse columns
	absent  bool // of sparse rows values are missing that they do not name

	flags   []rowFlag // of the last table, by row
	refused *refusal  // of the last table the first value that is refused
}

// covered is a column of tables that a model uses.
type covered struct {
	ColumnCoverage
	trained
	by     [flagKinds]data.Policy
	stored bool
	far    float64 // how far Farthest is beyond the range
	texts  data.UnseenTexts
	index  *data.LevelIndex // made for the first table that has other levels than the model
}

// rowFlag is a flag of a row of a table.
type rowFlag struct {
	row, column int32 // column: of the coverage
	kind        FlagKind
}

// refusal is a value that is refused.
type refusal struct {
	rowFlag
	value float64
}

// ColumnCoverage is what a model does not know of a column of tables.
type ColumnCoverage struct {
	Column  string // of the tables
	Rows    int
	New     int // rows of a category that training had not
	Missing int // rows without a value
	Outside int // rows of a number or a date beyond those of training
	// no training row missed a value, as far as the model stores it
	Complete bool
	// a new category: of a sample the one that most rows hold; "" if there is none, or if the
	// tables do not name it
	Example string
	// the category of training that is probably meant by Example; "" if none is near
	Nearest string
	Levels  []string // the categories of training, which callers do not change
	// the value outside that is farthest from those of training, and the range of these, as texts
	Farthest, Range string
	// the values are dates, of which new rows have later ones
	Dates bool
	// Beyond are the kinds of which there is more than chance gives; Suspicious sets them.
	Beyond []FlagKind
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
	s := m.Spec()
	c := &Coverage{schema: &s.Schema, profile: s.Profile, at: make([]int, len(s.Schema.Fields))}
	for i := range c.at {
		c.at[i] = i
	}
	for _, t := range trainedColumns(m) {
		own := ColumnCoverage{Column: t.column, Complete: t.complete,
			Levels: s.Schema.Fields[t.features[0]].Levels}
		if t.low > math.Inf(-1) {
			own.Range, own.Dates = t.rangeText(), t.profile.Kind == data.Date
		}
		c.columns = append(c.columns, covered{ColumnCoverage: own, trained: t})
	}
	return c
}

// Check makes Add flag or refuse values too, as checks require.
func (c *Coverage) Check(checks Checks) {
	for i := range c.columns {
		c.columns[i].by = checks.policies(c.columns[i].Column)
	}
}

// Add counts the rows of a table. A column that is absent is a *MissingColumnError. The first value
// that is refused is a *ValueError.
func (c *Coverage) Add(f *data.Frame) error {
	if missing := f.Schema.Find(c.schema.Fields, c.at); missing != nil {
		return &MissingColumnError{missing.Source()}
	}
	c.rows += f.Rows()
	c.absent = c.absent || f.Schema.AbsentValues == data.AbsentMissing
	c.flags, c.refused = c.flags[:0], nil
	for i := range c.columns {
		own := &c.columns[i]
		own.Rows += f.Rows()
		mark := func(row int, kind FlagKind, v float64) { c.mark(int32(i), row, kind, v) }
		own.add(c.schema, f, c.at, mark)
		c.sparse = c.sparse || f.Columns[c.at[own.features[0]]].IsSparse()
	}
	if r := c.refused; r != nil {
		t := &c.columns[r.column].trained
		return t.refusal(r.kind, r.value, &f.Schema.Fields[c.at[t.ranged]], int(r.row))
	}
	slices.SortStableFunc(c.flags, func(a, b rowFlag) int { return cmp.Compare(a.row, b.row) })
	return nil
}

// mark notes a value of a row that training had not, if the checks look for it.
func (c *Coverage) mark(column int32, row int, kind FlagKind, v float64) {
	own := &c.columns[column]
	if kind == NewMissing && !own.complete {
		return
	}
	switch x := (rowFlag{int32(row), column, kind}); own.by[kind] {
	case data.Flag:
		c.flags = append(c.flags, x)
	case data.Refuse:
		if c.refused == nil || x.row < c.refused.row {
			c.refused = &refusal{x, v}
		}
	}
}

// Flags appends to flags those of a row of the last table, in the order of the model's columns.
func (c *Coverage) Flags(flags []Flag, row int) []Flag {
	at, _ := slices.BinarySearchFunc(c.flags, int32(row),
		func(x rowFlag, row int32) int { return cmp.Compare(x.row, row) })
	for ; at < len(c.flags) && c.flags[at].row == int32(row); at++ {
		flags = append(flags, Flag{c.columns[c.flags[at].column].Column, c.flags[at].kind})
	}
	return flags
}

// add counts the rows of a table's column, and marks those with values that training had not.
func (c *covered) add(
	s *data.Schema, f *data.Frame, at []int, mark func(row int, kind FlagKind, v float64),
) {
	field, first := &s.Fields[c.features[0]], at[c.features[0]]
	got := &f.Schema.Fields[first]
	if codes := f.Columns[first].Codes(); codes != nil {
		c.stored = true
		c.addCodes(field, got, codes, f.Columns[first].UnseenTexts(), mark)
		return
	}
	codes := field.CodeIndex()
	low, high := c.low, c.high // numbers within are known without a further look
	if codes != nil {
		low = math.Inf(1)
	}
	if c.ranged != c.features[0] { // the days of a date decide
		first, got = at[c.ranged], &f.Schema.Fields[at[c.ranged]]
	}
	count := func(row int, v float64) {
		switch {
		case v != v:
			c.Missing++
			mark(row, NewMissing, v)
		case codes != nil:
			if codes.Find(v) < 0 {
				c.New++
				mark(row, NewCategory, v)
			}
		default:
			c.outside(got, v)
			mark(row, OutOfRange, v)
		}
	}
	c.each(&f.Columns[first], f.Rows(), low, high, count)
}

// each calls count for the numbers of a column that are not within limits. Values that sparse rows
// do not name count as those that they stand for, 0 or missing ones.
func (c *covered) each(
	column *data.Column, rows int, low, high float64, count func(row int, v float64),
) {
	stored, values, absent, sparse := column.Stored()
	if sparse {
		c.stored = c.stored || len(stored) > 0
		for i, v := range values {
			if !(v >= low && v <= high) {
				count(int(stored[i]), v)
			}
		}
		switch {
		case absent != absent && !c.complete: // nothing to mark
			c.Missing += rows - len(stored)
		case !(absent >= low && absent <= high):
			for row := range rows {
				if len(stored) > 0 && int(stored[0]) == row {
					stored = stored[1:]
					continue
				}
				count(row, absent)
			}
		}
		return
	}
	c.stored = c.stored || rows > 0
	const tile = 1 << 10
	var scratch [tile]float64
	for from := 0; from < rows; from += tile {
		for i, v := range column.NumbersIn(from, min(from+tile, rows), scratch[:]) {
			if !(v >= low && v <= high) {
				count(from+i, v)
			}
		}
	}
}

// outside counts a number beyond those of training.
func (c *covered) outside(f *data.Field, v float64) {
	c.Outside++
	if far := max(c.low-v, v-c.high); c.Farthest == "" || far > c.far {
		c.far, c.Farthest = far, numberText(f, v)
	}
}

// addCodes counts the codes of a table's column. Texts have none that are new.
func (c *covered) addCodes(
	field, got *data.Field, codes []uint32, texts *data.UnseenTexts,
	mark func(row int, kind FlagKind, v float64),
) {
	categories := field.Kind == data.Categorical
	own := !categories || slices.Equal(field.Levels, got.Levels)
	var in []int // the rows of each of the table's levels, where they are not the model's
	var unknown []bool
	if !own {
		in, unknown = make([]int, len(got.Levels)), make([]bool, len(got.Levels))
		if c.index == nil {
			c.index = data.IndexLevels(field)
		}
		for code, level := range got.Levels {
			unknown[code] = c.index.Find(level) == data.UnseenCode
		}
	}
	for row, code := range codes {
		switch {
		case code == data.MissingCode:
			c.Missing++
			mark(row, NewMissing, math.NaN())
		case int64(code) >= int64(len(got.Levels)):
			if categories {
				c.New++
				mark(row, NewCategory, -1)
			}
		case !own && unknown[code]:
			in[code]++
			mark(row, NewCategory, -1)
		}
	}
	if categories {
		c.texts.Join(texts)
	}
	for code, n := range in {
		if n > 0 {
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
			own.Nearest = nearestLevel(own.Example, own.Levels)
		}
		all[i] = own.ColumnCoverage
	}
	return all
}

// Suspicious returns the columns with more values that training had not than chance gives (see
// beyondChance), those of most such rows first, and which kinds of values that are. A tenth of the
// rows with new categories is always more, and so are ten rows or more without any value. Columns
// that no sparse row names are left to Named.
func (c *Coverage) Suspicious() []ColumnCoverage {
	var all []ColumnCoverage
	for i, x := range c.Columns() {
		own := &c.columns[i]
		none := x.Empty() && x.Rows >= missingRows && (own.stored || !c.absent)
		if x.New > 0 && (float64(x.New) >= manyNew*float64(x.Rows) || c.tooMany(own, NewCategory, x.New)) {
			x.Beyond = append(x.Beyond, NewCategory)
		}
		if none || own.complete && !x.Empty() && c.tooMany(own, NewMissing, x.Missing) {
			x.Beyond = append(x.Beyond, NewMissing)
		}
		if c.tooMany(own, OutOfRange, x.Outside) {
			x.Beyond = append(x.Beyond, OutOfRange)
		}
		if x.Beyond != nil {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b ColumnCoverage) int {
		return cmp.Compare(b.Count(b.Beyond...), a.Count(a.Beyond...))
	})
	return all
}

// Found returns the kinds of values that training had not and some rows have. Missing values are
// among them only where the model stores that no training row missed one.
func (x *ColumnCoverage) Found() []FlagKind {
	var found []FlagKind
	for kind := range FlagKind(flagKinds) {
		if x.Count(kind) > 0 && (kind != NewMissing || x.Complete) {
			found = append(found, kind)
		}
	}
	return found
}

// Count returns how many rows have values of some kinds that training had not.
func (x *ColumnCoverage) Count(kinds ...FlagKind) int {
	sum := 0
	for _, kind := range kinds {
		sum += [flagKinds]int{NewCategory: x.New, NewMissing: x.Missing, OutOfRange: x.Outside}[kind]
	}
	return sum
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

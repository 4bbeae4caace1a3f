package table

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// distinct are the distinct texts of a column whose kind was to be inferred and which one of them
// turned categorical. Slices are indexed by code.
type distinct struct {
	options *data.ReadOptions
	column  *Column
	origin  *data.Origin
	levels  []string // without blanks around them; "" for a text that means a missing value
	rows    []int    // how many rows hold the text
	first   []int    // the first of them
	total   int      // rows that hold a text
	weak    []int    // the codes of data.MissingNumbers, which are missing in numbers and dates
}

// verdict is what a recogniser makes of texts.
type verdict struct {
	kind   data.Kind // data.Categorical leaves the column as it is
	format string    // how the texts are written: Field.Format
	num    []float64 // by code: what the texts mean, NaN for missing; nil for data.Categorical
	note   string    // what ReadOptions.Log receives behind the column's name
	// the code of the text that keeps a column of ReadOptions.Numeric from being numeric: the note
	// is an error
	odd int
}

// recognisers run in their order, and the first that has a verdict decides. A recogniser returns
// nil where it has nothing to report of the texts. They run once all rows are read, for columns of
// inferred kind alone.
func recognisers() []func(*distinct) *verdict {
	return []func(*distinct) *verdict{numberTexts, dateTexts}
}

// resolve decides on a column that turned categorical: all its texts may have a meaning that is not
// that of names. The error, which has no column yet, is that of a column that must be numeric and
// is not.
func resolve(c *Column, o *data.ReadOptions, rows int, origin *data.Origin) *data.ReadError {
	t := distinctTexts(c, o, rows, origin)
	v := t.verdict()
	if v == nil {
		return nil
	}
	if v.kind != data.Categorical {
		v.apply(c, rows)
	} else if c.Texts.insisted {
		file, line := origin.Place(t.first[v.odd])
		return &data.ReadError{File: file, Line: line, Column: c.Field.Name, Msg: v.note, Err: data.ErrNumber}
	}
	c.resolved.note = v.note
	return nil
}

func (t *distinct) verdict() *verdict {
	if t.column.Turned == nil {
		return declaredTexts(t)
	}
	if t.column.Texts.insisted {
		return numberTexts(t)
	}
	for _, recognise := range recognisers() {
		if v := recognise(t); v != nil {
			return v
		}
	}
	return nil
}

// apply makes a column of values from one of codes.
func (v *verdict) apply(c *Column, rows int) {
	c.Storage, c.Field.Kind, c.Field.Format = Numbers, v.kind, v.format
	c.resolved.meaning = v.num
	c.Num = make([]float64, rows)
	for row, code := range c.Code[:rows] {
		c.Num[row] = math.NaN()
		if code < data.UnseenCode {
			c.Num[row] = v.num[code]
		}
	}
	c.Code, c.Dict, c.Turned = nil, nil, nil
}

// distinctTexts collects the distinct texts of a column.
func distinctTexts(c *Column, o *data.ReadOptions, rows int, origin *data.Origin) *distinct {
	n := len(c.Dict.levels)
	t := &distinct{options: o, column: c, origin: origin, levels: make([]string, n),
		rows: make([]int, n), first: make([]int, n)}
	if c.counts != nil {
		t.rows, t.first = c.counts.rows, c.counts.first
	}
	for row, code := range c.Code[:rows] {
		if code >= data.UnseenCode {
			continue
		}
		if t.rows[code] == 0 {
			t.first[code] = row
		}
		t.rows[code]++
	}
	for code, level := range c.Dict.levels {
		if t.meansMissing([]byte(level)) {
			continue
		}
		short := trim(level)
		if slices.Contains(c.plan.weak, short) {
			t.weak = append(t.weak, code)
			continue
		}
		t.levels[code] = short
		t.total += t.rows[code]
	}
	return t
}

// meansMissing reports whether a text of the dictionary means a missing value. What was appended
// does so whatever blanks are around it, and however its number is written; readers that fill the
// slices themselves compare texts as they stand.
func (t *distinct) meansMissing(level []byte) bool {
	c := t.column
	if !c.appended {
		return c.Texts.IsMissing(level)
	}
	short := trim(level)
	return c.Texts.IsMissing(short) || c.Texts.isMissingNumber(short)
}

// place names the first row that holds the text of a code.
func (t *distinct) place(code int) string { return t.origin.Locate(t.first[code]) }

// shown quotes the text of a code with the place of its first row.
func (t *distinct) shown(code int) string {
	return Quote([]byte(t.levels[code])) + " at " + t.place(code)
}

// earlier returns that of two codes whose text comes first in the table; one of them may be -1,
// which is none.
func (t *distinct) earlier(a, b int) int {
	if a < 0 || b >= 0 && t.first[b] < t.first[a] {
		return b
	}
	return a
}

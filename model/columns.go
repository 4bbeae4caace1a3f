package model

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// feature is a feature of the model.
type feature struct {
	field  *data.Field
	slot   int // place in the row buffer, -1 if no tree uses it
	source int // place among the sources of derived columns, -1 if it is none
	codes  dictionary
	bare   bool       // the field's levels are bare codes, for which tables may have numbers
	bound  conversion // of the schema that was bound
	// the column of that schema is numeric
	numeric bool
}

// idle reports whether neither the predictions nor a policy depend on the values.
func (in *feature) idle() bool {
	return in.slot < 0 && in.source < 0 && in.field.Missing != data.Refuse &&
		in.field.Unseen != data.Refuse
}

// dictionary finds the model's codes for the categories of any table, by their texts. It is right
// for every dictionary: the stored translation of the bound dictionary is used only after its texts
// were compared.
type dictionary struct {
	field  *data.Field // the model's
	levels []string    // of field: levels[code] is the text
	// of the schema that was bound: a copy of its own, or levels where they are equal; nil if the
	// feature is idle
	bound  []string
	recode []uint32 // code in bound -> code in levels; nil: the same codes
	size   int      // levels of the schema that was bound

	once  sync.Once
	index *data.LevelIndex // made for the first text that bound does not have at its place
}

// bind stores the dictionary of the schema that is bound.
func (d *dictionary) bind(levels []string) {
	d.bound = d.levels
	if slices.Equal(levels, d.levels) {
		return
	}
	d.bound = nil // not to be found by translate
	d.recode, d.bound = d.translate(levels), slices.Clone(levels)
}

// translate returns the model's code for each code of a table's dictionary, nil if they are the
// same.
func (d *dictionary) translate(levels []string) []uint32 {
	if slices.Equal(levels, d.bound) {
		return d.recode
	}
	table := make([]uint32, len(levels))
	for code := range levels {
		table[code] = d.find(levels, uint32(code))
	}
	return table
}

// find returns the model's code for one code of a table's dictionary, data.UnseenCode if there is
// none.
func (d *dictionary) find(levels []string, code uint32) uint32 {
	if uint64(code) >= uint64(len(levels)) {
		return data.UnseenCode
	}
	text := levels[code]
	if uint64(code) < uint64(len(d.bound)) && d.bound[code] == text {
		if d.recode != nil {
			code = d.recode[code]
		}
		return code
	}
	d.once.Do(func() { d.index = data.IndexLevels(d.field) })
	return d.index.Find(text)
}

// ofRow returns what the program compares for a value of a row, as PredictRow takes it; ok is false
// if it is none.
func (d *dictionary) ofRow(x float64) (value float64, ok bool) {
	switch {
	case math.IsNaN(x) || x == -1:
		return x, true
	case !(x >= 0 && x < float64(d.size)) || x != math.Trunc(x):
		return 0, false
	case d.recode == nil:
		return x, true
	}
	return d.value(d.recode[int(x)]), true
}

// codeError is the error of a value in PredictRow that is no code of the dictionary that was bound.
func (in *feature) codeError(x float64) error {
	what := fmt.Sprintf("%v is no category: use NaN for a missing value or -1 for an unseen "+
		"category", x)
	if in.codes.size > 0 {
		what = fmt.Sprintf("%v is no category: use a code from 0 to %d of the bound dictionary, "+
			"NaN for a missing value or -1 for an unseen category", x, in.codes.size-1)
	}
	return &ValueError{Column: in.field.Name, Row: -1, What: what}
}

// value returns the number that the program compares for a code of the model that is not missing:
// -1 for an unseen category.
func (d *dictionary) value(code uint32) float64 {
	if uint64(code) >= uint64(len(d.levels)) {
		return -1
	}
	return float64(code)
}

// column is a feature with its column of a table that is predicted.
type column struct {
	*feature
	*data.Column
	// levels is the table's dictionary where so few rows are predicted that each value is looked up
	// by its text. nil: recode was made of, or compared with, the whole dictionary.
	levels []string
	recode []uint32   // code of the table -> code of the model; nil: the same codes
	number conversion // of a column without codes
}

// find finds the columns of all features in a table, by their names, and returns those that
// predictions of n rows use.
func (p *predictor) find(found []column, f *data.Frame, n int) ([]column, error) {
	s := &f.Schema
	at, err := p.places(s)
	if err != nil {
		return nil, err
	}
	for i := range p.features {
		in := &p.features[i]
		got := &s.Fields[at[i]]
		number, err := match(in.field, got, in.bare)
		if err != nil {
			return nil, err
		}
		if in.idle() {
			continue
		}
		c := column{feature: in, Column: &f.Columns[at[i]], number: number}
		if got.Kind == data.Categorical {
			if n < len(got.Levels) {
				c.levels = got.Levels
			} else {
				c.recode = in.codes.translate(got.Levels)
			}
		}
		found = append(found, c)
	}
	return found, nil
}

// places returns the position of each field of the model in a schema. Those of the last schema are
// tried first; they are right only where they have the names.
func (p *predictor) places(s *data.Schema) ([]int, error) {
	at := *p.last.Load()
	for i := range p.own.Fields {
		if !s.Matches(at[i], &p.own.Fields[i]) {
			at = slices.Clone(at)
			if missing := s.Find(p.own.Fields, at); missing != nil {
				return nil, &MissingColumnError{missing.Source()}
			}
			p.last.Store(&at)
			break
		}
	}
	return at, nil
}

// code returns what the program compares for a code of the table.
func (c *column) code(code uint32) float64 {
	if c.levels != nil && code != data.MissingCode {
		return c.codes.value(c.codes.find(c.levels, code))
	}
	return recoded(code, c.recode, len(c.codes.levels))
}

// recoded returns what the program compares for a code of a table, whose translation is recode, nil
// = the same codes, to one of n codes of the model. The compiler inlines it into the loops below.
func recoded(code uint32, recode []uint32, n int) float64 {
	if recode != nil && uint64(code) < uint64(len(recode)) {
		code = recode[code]
	} else if code == data.MissingCode {
		return math.NaN()
	} else if recode != nil {
		return -1
	}
	if uint64(code) >= uint64(n) {
		return -1
	}
	return float64(code)
}

// copy writes the values of consecutive rows.
func (c *column) copy(dst []float64, row int) {
	if c.Codes() == nil {
		copy(dst, c.NumbersIn(row, row+len(dst), dst))
		c.number.apply(dst)
		return
	}
	codes := c.Codes()[row : row+len(dst)]
	if c.levels != nil {
		for i, code := range codes {
			dst[i] = c.code(code)
		}
		return
	}
	recode, n := c.recode, len(c.codes.levels)
	for i, code := range codes {
		dst[i] = recoded(code, recode, n)
	}
}

// gather writes the values of some rows.
func (c *column) gather(dst []float64, rows []int32) {
	if c.Codes() == nil {
		c.PickNumbers(dst, rows)
		c.number.apply(dst)
		return
	}
	if c.levels != nil {
		for i, r := range rows {
			dst[i] = c.code(c.Code(int(r)))
		}
		return
	}
	recode, n := c.recode, len(c.codes.levels)
	for i, r := range rows {
		dst[i] = recoded(c.Code(int(r)), recode, n)
	}
}

// value returns the value of one row.
func (c *column) value(row int) float64 {
	if c.Codes() == nil {
		if c.number.none() {
			return c.Number(row)
		}
		return c.number.of(c.Number(row))
	}
	return c.code(c.Code(row))
}

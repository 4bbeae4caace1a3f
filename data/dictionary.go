package data

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// dictionary collects the cells of a categorical or a text column. While it grows, codes count
// texts in the order of their first occurrence; finish puts the texts in bytewise order, so that
// the order of rows leaves no trace in a schema.
type dictionary struct {
	codes map[string]uint32
	texts []string
	cells []uint32
}

func newDictionary(rows int) *dictionary {
	return &dictionary{codes: map[string]uint32{}, cells: make([]uint32, 0, rows)}
}

// add appends a cell. A category is its trimmed text; the empty text is a missing value.
func (d *dictionary) add(text []byte) {
	text = bytes.TrimSpace(text)
	code, ok := d.codes[string(text)] // without an allocation
	if !ok {
		code = d.code(string(text))
	}
	d.cells = append(d.cells, code)
}

// addMissing appends a missing cell.
func (d *dictionary) addMissing() { d.cells = append(d.cells, MissingCode) }

// addText appends a cell of a text column: the text as it is, which may be empty.
func (d *dictionary) addText(text []byte) {
	code, ok := d.codes[string(text)]
	if !ok {
		code = uint32(len(d.texts))
		d.codes[string(text)] = code
		d.texts = append(d.texts, string(text))
	}
	d.cells = append(d.cells, code)
}

func (d *dictionary) code(text string) uint32 {
	if text == "" {
		return MissingCode
	}
	code, ok := d.codes[text]
	if !ok {
		code = uint32(len(d.texts))
		d.codes[text] = code
		d.texts = append(d.texts, text)
	}
	return code
}

// finish returns the sorted texts and the cells recoded to them.
func (d *dictionary) finish() (levels []string, cells []uint32) {
	levels = slices.Clone(d.texts)
	slices.Sort(levels)
	recode := make([]uint32, len(levels))
	for i, text := range levels {
		recode[d.codes[text]] = uint32(i)
	}
	for i, code := range d.cells {
		if code != MissingCode {
			d.cells[i] = recode[code]
		}
	}
	return levels, d.cells
}

// NumberText writes a number as a category or class name. It is the shortest decimal text that
// reads back as the same number of the given size in bits. Only numbers from 1e21 up and below 1e-6
// have an exponent. Zero has no sign.
func NumberText(v float64, bits int) string { return string(appendNumber(nil, v, bits)) }

// appendNumber appends what NumberText returns.
func appendNumber(dst []byte, v float64, bits int) []byte {
	if v == 0 {
		return append(dst, '0')
	}
	format := byte('f')
	if a := math.Abs(v); a >= 1e21 || a < 1e-6 {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, bits)
}

// parseNumber reads a finite decimal number. The spellings that only Go reads (hexadecimal,
// underscores) and the words for infinity and NaN are texts here.
func parseNumber(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

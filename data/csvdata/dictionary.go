package csvdata

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
)

// dictionary gives texts their codes. An open one numbers new texts in the order of their appearance until sort;
// a closed one holds a model's levels and calls every other text unseen.
type dictionary struct {
	closed bool
	codes  map[string]uint32
	levels []string
	last   []byte // the previous text and its code: neighbouring rows are often alike
	code   uint32
}

// newDictionary returns an open dictionary in which the tokens mean a missing value.
func newDictionary(tokens []string) *dictionary {
	d := &dictionary{codes: make(map[string]uint32, len(tokens))}
	for _, t := range tokens {
		d.codes[t] = data.MissingCode
	}
	return d
}

// closedDictionary returns the dictionary of a model's column. A text that is one of its levels is that level, also
// if it is a token for missing: the levels were made when the tokens were known.
func closedDictionary(tokens, levels []string) *dictionary {
	d := newDictionary(tokens)
	d.closed, d.levels = true, levels
	for i, l := range levels {
		d.codes[l] = uint32(i)
	}
	return d
}

// encode returns the code of a text. It fails where the text cannot become a level.
func (d *dictionary) encode(text []byte) (uint32, *Error) {
	if d.last != nil && bytes.Equal(text, d.last) {
		return d.code, nil
	}
	code, known := d.codes[string(text)]
	if !known {
		if d.closed {
			return data.UnseenCode, nil
		}
		if len(d.levels) == data.MaxLevels {
			return 0, &Error{Msg: "more distinct texts than a column can hold", Err: ErrLimit}
		}
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return 0, &Error{Msg: quote(text) + " is not UTF-8 text (convert the file to UTF-8)", Err: ErrText}
		}
		code = uint32(len(d.levels))
		level := string(text)
		d.levels = append(d.levels, level)
		d.codes[level] = code
	}
	d.last, d.code = append(d.last[:0], text...), code
	return code, nil
}

// sort puts the levels of an open dictionary in order and changes the codes given out before accordingly.
func (d *dictionary) sort(codes []uint32) {
	if d.closed {
		return
	}
	sorted := slices.Clone(d.levels)
	slices.Sort(sorted)
	renumber := make([]uint32, len(sorted))
	for i, l := range sorted {
		renumber[d.codes[l]] = uint32(i)
	}
	for row, c := range codes {
		if c < data.UnseenCode {
			codes[row] = renumber[c]
		}
	}
	d.levels = sorted
}

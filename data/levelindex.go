package data

import (
	"strings"

	"github.com/coppice-ml/coppice/internal/spelling"
)

// LevelIndex finds the level of a categorical field that a text of any table means:
//
//   - the level that is the text itself;
//   - one that is another spelling of its truth value (true of TRUE and of True);
//   - where every level is a plain integer, the level of the same number (7 of 7.0 and of 7e0);
//   - where levels are numbers in the model's file, the level of the same number, see NumberLevels;
//   - where levels may be hashes, the level that is its hash, see HashedLevels.
//
// Whatever reads texts for a model finds them by it, so a text has one meaning everywhere. Of a
// field of texts it finds a text itself and nothing else. It is safe for concurrent use.
type LevelIndex struct {
	codes                     map[string]uint32
	bare                      int // levels that are bare codes, which codes has not; 0: they are others
	integers, numbers, hashed bool
}

// IndexLevels returns the index of a field's levels, of which it keeps none but their texts.
func IndexLevels(field *Field) *LevelIndex {
	if field.BareCodes() && field.Format != CodeLevels {
		return &LevelIndex{bare: len(field.Levels), integers: true, hashed: field.Hashed()}
	}
	x := &LevelIndex{codes: make(map[string]uint32, len(field.Levels)), hashed: field.Hashed(),
		integers: field.IntegerLevels(), numbers: field.Numbers()}
	for code, level := range field.Levels {
		x.codes[level] = uint32(code)
	}
	if field.Kind != Categorical {
		return x
	}
	for code, level := range field.Levels {
		for _, spelling := range spelling.Truths(level) {
			if _, taken := x.codes[spelling]; !taken {
				x.codes[spelling] = uint32(code)
			}
		}
	}
	return x
}

// Find returns the code of the level that a text means, UnseenCode if it means none.
func (x *LevelIndex) Find(text string) uint32 {
	if code, ok := x.level(text); ok {
		return code
	}
	return x.other(text)
}

// level returns the code of the level that a text is.
func (x *LevelIndex) level(text string) (code uint32, ok bool) {
	if x.bare > 0 {
		return bareCode(text, x.bare)
	}
	code, ok = x.codes[text]
	return code, ok
}

// FindBytes is Find for bytes, which it copies only where they are no level by themselves.
func (x *LevelIndex) FindBytes(text []byte) uint32 {
	if x.bare > 0 {
		if code, ok := bareCode(text, x.bare); ok {
			return code
		}
	} else if code, ok := x.codes[string(text)]; ok {
		return code
	}
	return x.other(string(text))
}

// other is Find for a text that is no level by itself.
func (x *LevelIndex) other(text string) uint32 {
	if x.integers {
		if plain, ok := spelling.PlainInteger(text); ok {
			if code, ok := x.level(plain); ok {
				return code
			}
		}
	}
	if v, ok := parseNumber(text); ok && x.numbers && !beginsWithZeros(text) {
		if code, ok := x.level(NumberText(v, 64)); ok {
			return code
		}
	}
	if x.hashed {
		if code, ok := x.level(spelling.HashedLevel(text)); ok {
			return code
		}
	}
	return UnseenCode
}

// NumberLevels is the Field.Format of a categorical column whose levels are numbers in the file of
// another tool, such as 0.5 and 2, as NumberText writes them. A text of a number means the level of
// that number, unless it begins with a zero before other digits. Levels that are integers alone
// need no format: see IntegerLevels.
const NumberLevels = "number"

// Numbers reports whether the field's levels are numbers in the file of the model.
func (f *Field) Numbers() bool { return f.Kind == Categorical && f.Format == NumberLevels }

// beginsWithZeros reports whether a text of a number begins as codes and names do.
func beginsWithZeros(text string) bool {
	text = strings.TrimLeft(text, "+-")
	return len(text) > 1 && text[0] == '0' && '0' <= text[1] && text[1] <= '9'
}

// OutOfDictionary is the level that stands for all texts without a level of their own in the
// dictionaries of YDF. It is no name, so that the other levels may be integers.
const OutOfDictionary = "<OOD>"

// IntegerLevels reports whether every level of a categorical field, of which there are some, is a
// plain integer, as spelling.PlainInteger writes it, or OutOfDictionary. Such a field takes every
// text of an integral number for the level of that number, since tools write 1 as 1.0 as soon as a
// column has missing values.
func (f *Field) IntegerLevels() bool {
	if f.Kind != Categorical {
		return false
	}
	some := false
	for _, level := range f.Levels {
		switch {
		case plainInteger(level):
			some = true
		case level != OutOfDictionary:
			return false
		}
	}
	return some
}

// plainInteger reports whether a text is an integer without needless signs and zeros.
func plainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] == '0' && text != "0" {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

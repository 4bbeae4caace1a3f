package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// CodeLevels is the Field.Format of a categorical column whose levels are some codes, ascending,
// where the file of another tool names categories by codes that may be far apart. The model tells
// these codes apart, and all others are unseen.
const CodeLevels = "code"

// BareCodes reports whether the levels of a categorical field are codes alone: "0", "1", "2", ...
// in order, or some of them by the format CodeLevels. Models that other tools wrote have such
// levels where their files name categories by codes. For such a field a number is a category too,
// see CodeIndex, so tables and structs may have a numeric column in its place.
func (f *Field) BareCodes() bool {
	return f.Kind == Categorical && len(f.Levels) > 0 &&
		(f.Format == CodeLevels || bareCodes(f.Levels) == len(f.Levels))
}

// bareCodes returns how many levels from the first on are "0", "1", "2", ...
func bareCodes(levels []string) int {
	var text [20]byte
	for code, level := range levels {
		if string(strconv.AppendInt(text[:0], int64(code), 10)) != level {
			return code
		}
	}
	return len(levels)
}

// bareCode returns the code that a text writes without needless signs and zeros, false if it writes
// none below n.
func bareCode[T string | []byte](text T, n int) (code uint32, ok bool) {
	if len(text) == 0 || len(text) > 8 || text[0] == '0' && len(text) > 1 {
		return 0, false // MaxLevels has 8 digits
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		code = 10*code + uint32(digit-'0')
	}
	return code, int64(code) < int64(n)
}

// CodeIndex finds the level that a number means in a field whose levels are bare codes.
type CodeIndex struct {
	levels int
	codes  []uint32 // of the levels, ascending; nil: they are 0, 1, 2, ...
}

// CodeIndex returns the index of the field's levels, nil if these are no bare codes.
func (f *Field) CodeIndex() *CodeIndex {
	if !f.BareCodes() {
		return nil
	}
	x := &CodeIndex{levels: len(f.Levels)}
	if f.Format == CodeLevels {
		x.codes, _ = codesOf(f.Levels) // which Schema.Validate has checked
	}
	return x
}

// codesOf returns the codes that levels of the format CodeLevels are, and an error for others.
func codesOf(levels []string) ([]uint32, error) {
	codes := make([]uint32, len(levels))
	for i, level := range levels {
		code, err := strconv.ParseUint(level, 10, 31)
		if err != nil || strconv.FormatUint(code, 10) != level || i > 0 && uint32(code) <= codes[i-1] {
			return nil, fmt.Errorf("level %d, %q, is no code, or does not ascend", i, level)
		}
		codes[i] = uint32(code)
	}
	return codes, nil
}

// Find returns the place of the level that a number means, truncated towards zero. It is -1, the
// code of an unseen category, if there is none; it is NaN, a missing value, of NaN.
func (x *CodeIndex) Find(v float64) float64 {
	switch v = math.Trunc(v); {
	case v == 0 && x.codes == nil:
		return 0 // not -0
	case v < 0 || x.codes == nil && v >= float64(x.levels):
		return -1
	case x.codes == nil || v != v:
		return v
	case v > math.MaxInt32:
		return -1
	}
	if place, ok := slices.BinarySearch(x.codes, uint32(v)); ok {
		return float64(place)
	}
	return -1
}

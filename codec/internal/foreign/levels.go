package foreign

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// LevelType is the type that the categories of a column have in a table of typed columns, such as a
// data frame that was read from a file of texts.
type LevelType uint8

// The types.
const (
	TextLevels    LevelType = iota
	IntegerLevels           // every level is a whole number
	NumberLevels            // every level is a number, some are not whole
)

// TypeOf returns the type of the levels of a categorical field, which has some. A level counts as a
// number only if it is written as data.NumberText or spelling.PlainInteger writes that number: 007
// is a text.
func TypeOf(f *data.Field) LevelType {
	t := TextLevels
	for _, level := range f.Levels {
		as, kind := NumberLevel(level)
		if as != level || kind == TextLevels {
			return TextLevels
		}
		t = max(t, kind)
	}
	return t
}

// NumberLevel returns the level that a number of a file is, and its type. Whole numbers of any size
// keep their digits. A text that is no number is TextLevels.
func NumberLevel(text string) (level string, as LevelType) {
	if plain, ok := spelling.PlainInteger(text); ok {
		return plain, IntegerLevels
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return text, TextLevels
	}
	return data.NumberText(x, 64), NumberLevels
}

// JSONLevels returns the levels of a categorical field as values of JSON: as numbers with all their
// digits if TypeOf finds them to be such, else as texts.
func JSONLevels(f *data.Field) []any {
	numbers := TypeOf(f) != TextLevels
	all := make([]any, len(f.Levels))
	for i, level := range f.Levels {
		if all[i] = level; numbers {
			all[i] = json.Number(level)
		}
	}
	return all
}

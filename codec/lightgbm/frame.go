package lightgbm

import (
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// frameColumn is a categorical column of a data frame.
type frameColumn struct {
	levels  []string
	numbers bool // every level is a number
}

// readFrame reads pandas_categorical: for each categorical column of the data frame a list of its
// levels; nil for null.
func readFrame(s *jsonscan.Scanner) (frame []frameColumn) {
	if s.Next() != '[' {
		if string(s.Word()) != "null" {
			s.Fail("pandas_categorical is not a list")
		}
		return nil
	}
	frame = []frameColumn{}
	s.Array(func(int) {
		column := frameColumn{levels: []string{}, numbers: true}
		s.Array(func(int) {
			if s.Take(bytesPerLevel) {
				level, number := readLevel(s)
				column.levels = append(column.levels, level)
				column.numbers = column.numbers && number
			}
		})
		if s.Take(128) {
			frame = append(frame, column)
		}
	})
	return frame
}

// readLevel reads a category, and reports whether it is a number. Numbers are written as
// foreign.NumberLevel does, and truth values are True and False, as Python writes them.
func readLevel(s *jsonscan.Scanner) (level string, number bool) {
	if s.Next() == '"' {
		return s.Text(), false
	}
	word := string(s.Word())
	switch word {
	case "true":
		return "True", false
	case "false":
		return "False", false
	}
	level, as := foreign.NumberLevel(word)
	if as == foreign.TextLevels {
		s.Fail("%.20q is no category", word)
	}
	return level, true
}

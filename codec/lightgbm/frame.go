package lightgbm

import (
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readFrame reads pandas_categorical: for each categorical column of the data frame a list of its
// levels; nil for null.
func readFrame(s *jsonscan.Scanner) (levels [][]string) {
	if s.Next() != '[' {
		if string(s.Word()) != "null" {
			s.Fail("pandas_categorical is not a list")
		}
		return nil
	}
	levels = [][]string{}
	s.Array(func(int) {
		column := []string{}
		s.Array(func(int) {
			if s.Take(bytesPerLevel) {
				column = append(column, readLevel(s))
			}
		})
		if s.Take(128) {
			levels = append(levels, column)
		}
	})
	return levels
}

// readLevel reads a category. Whole numbers have no fraction, as tables write them, and truth
// values are True and False, as Python writes them.
func readLevel(s *jsonscan.Scanner) string {
	if s.Next() == '"' {
		return s.Text()
	}
	word := string(s.Word())
	switch word {
	case "true":
		return "True"
	case "false":
		return "False"
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		s.Fail("%.20q is no category", word)
		return ""
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(int64(x), 10)
	}
	return word
}

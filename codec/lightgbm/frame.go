package lightgbm

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// frame reads pandas_categorical: for each categorical column of the data frame a list of its
// levels; nil for null.
func (s *scanner) frame() (levels [][]string, err error) {
	if s.peek() != '[' {
		if token, err := s.token(); err != nil || string(token) != "null" {
			return nil, errors.New("pandas_categorical is not a list")
		}
		return nil, nil
	}
	levels = [][]string{}
	err = s.list(func(int) error {
		column := []string{}
		err := s.list(func(int) error {
			level, err := s.level()
			column = append(column, level)
			return errors.Join(err, s.Take(bytesPerLevel))
		})
		levels = append(levels, column)
		return errors.Join(err, s.Take(128))
	})
	return levels, err
}

// level reads a category. Whole numbers have no fraction, as tables write them, and truth values
// are True and False, as Python writes them.
func (s *scanner) level() (string, error) {
	if s.peek() == '"' {
		return s.string()
	}
	token, err := s.token()
	if err != nil {
		return "", err
	}
	switch string(token) {
	case "true":
		return "True", nil
	case "false":
		return "False", nil
	}
	x, err := strconv.ParseFloat(string(token), 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return "", fmt.Errorf("%.20q is no category", token)
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(int64(x), 10), nil
	}
	return string(token), nil
}

package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// defaultMaxValues is the largest number of values of a table unless ReadOptions.MaxValues is
// another: 16 GiB of numbers.
const defaultMaxValues = 1<<31 - 1

// Tokens returns the trimmed texts that mean missing, the empty one first: those of Missing or, if
// that is nil, of the schema or, if there are none either, of otherwise.
func Tokens(o *data.ReadOptions, otherwise []string) []string {
	from := o.Missing
	if from == nil && o.Schema != nil {
		from = o.Schema.Tokens
	}
	if from == nil {
		from = otherwise
	}
	tokens := []string{""}
	for _, t := range from {
		tokens = append(tokens, strings.TrimSpace(t))
	}
	return tokens
}

// CheckOptions finds faults that need no file.
func CheckOptions(o *data.ReadOptions) error {
	for _, n := range o.Numeric {
		if slices.Contains(o.Categorical, n) {
			return BadOption(fmt.Sprintf("column %q cannot be both numeric and categorical", n))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(o.Dates)) {
		if slices.Contains(o.Numeric, n) || slices.Contains(o.Categorical, n) {
			return BadOption(fmt.Sprintf("column %q cannot be both a date and numeric or "+
				"categorical", n))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(o.Texts)) {
		if _, date := o.Dates[n]; date || slices.Contains(o.Numeric, n) ||
			slices.Contains(o.Categorical, n) {
			return BadOption(fmt.Sprintf("column %q cannot be both a text and a date, numeric or "+
				"categorical", n))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Formats)) {
		if _, err := spelling.ParseNumberFormat(o.Formats[name]); err != nil {
			return BadOption(fmt.Sprintf("column %q: %v", name, err))
		}
	}
	if err := o.Absent.Check(); err != nil {
		return BadOption(err.Error())
	}
	if err := o.FirstIndex.Check(); err != nil {
		return BadOption(err.Error())
	}
	return checkMarks(o)
}

func checkMarks(o *data.ReadOptions) error {
	switch {
	case o.Decimal != 0 && o.Decimal != '.' && o.Decimal != ',':
		return BadOption(fmt.Sprintf("%q cannot stand before decimals: want a point or a comma",
			o.Decimal))
	case o.Thousands != 0 && !strings.ContainsRune(separators, o.Thousands):
		return BadOption(fmt.Sprintf("%q cannot separate thousands: want a comma, a point, a "+
			"blank or an apostrophe", o.Thousands))
	case o.Thousands != 0 && o.Thousands == o.Decimal:
		return BadOption(fmt.Sprintf("%q cannot both separate thousands and stand before decimals",
			o.Decimal))
	}
	return nil
}

// BadOption returns an Error for options that cannot be used, whatever the file.
func BadOption(msg string) error { return &data.ReadError{Msg: msg, Err: data.ErrOption} }

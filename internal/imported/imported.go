// Package imported owns what the readers of other tools' models share: names and levels where a
// file has none, the memory that a file may take, and Grow, which makes a tree of nodes that are
// linked by number.
package imported

import (
	"strconv"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/data"
)

// Names returns n names of columns: those that a file has, and prefix and the number of the column
// in place of those that are missing or empty.
func Names(names []string, n int, prefix string) []string {
	all := make([]string, n)
	copy(all, names)
	for i, name := range all {
		if name == "" {
			all[i] = prefix + strconv.Itoa(i)
		}
	}
	return all
}

// Codes returns the levels of a column whose categories a file names by codes alone: "0", "1", ...,
// n of them, so that the code of a level is the tool's.
func Codes(n int) []string {
	levels := make([]string, n)
	for i := range levels {
		levels[i] = strconv.Itoa(i)
	}
	return levels
}

// Schema returns the schema of columns with some names; levels has the dictionary of each that is
// categorical, and is nil for those that are numeric.
func Schema(names []string, levels [][]string) data.Schema {
	fields := make([]data.Field, len(names))
	for i := range fields {
		fields[i].Name = names[i]
		if levels[i] != nil {
			fields[i].Kind, fields[i].Levels = data.Categorical, levels[i]
		}
	}
	return data.Schema{Fields: fields}
}

// Budget counts the memory that decoding a file allocates, before it is allocated.
type Budget struct {
	format string
	limit  int64
	left   int64
}

// NewBudget returns the budget of a file of size bytes in some format.
func NewBudget(format string, size int64, l codec.Limits) *Budget {
	limit := l.MemoryFor(size)
	return &Budget{format, limit, limit}
}

// Take takes n bytes, or returns a *codec.LimitError if so many are not left.
func (b *Budget) Take(n int64) error {
	if n < 0 || n > b.left {
		return &codec.LimitError{Format: b.format, Limit: b.limit}
	}
	b.left -= n
	return nil
}

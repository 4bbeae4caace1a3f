// Package sorting puts rows in the order of a column's values: all rows of a table once, and the
// rows of a node by ranks that were computed before. Missing values come last, equal values in the
// order of their rows. It owns the tables of columns in such orders, and the bins of the columns.
// Several strategies grow trees on them.
package sorting

import (
	"math"

	"github.com/coppice-ml/coppice/internal/criterion"
)

// Entry is one row in the order of a column. In a prepared table, Key is the rank of the row's
// value among the distinct values of the column. While a tree grows, the lowest bits of Key hold
// the row's class, so that a scan for split points reads nothing but entries.
type Entry = criterion.Entry

// MissingRank is the rank of a missing value: it is above all others.
const MissingRank = math.MaxUint32

// FewValues is the number of distinct values, or of categories, up to which ranks are kept in one
// byte. The byte behind the last rank stands for a missing value.
const FewValues = 255

// Known returns the number of entries with a value, in an order whose keys are ranks.
func Known(sorted []Entry) int {
	n := len(sorted)
	for n > 0 && sorted[n-1].Key == MissingRank {
		n--
	}
	return n
}

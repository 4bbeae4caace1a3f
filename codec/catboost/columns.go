package catboost

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/imported"
)

// column is a column of the model's schema.
type column struct {
	flat  int32
	name  string
	cat   bool
	place int // in file.floats or file.cats
}

// columns returns the columns in the order of the training table.
func (f *file) columns() []column {
	all := make([]column, 0, len(f.floats)+len(f.cats))
	for i, c := range f.floats {
		all = append(all, column{c.flat, c.name, false, i})
	}
	for i, c := range f.cats {
		all = append(all, column{c.flat, c.name, true, i})
	}
	slices.SortFunc(all, func(a, b column) int { return cmp.Compare(a.flat, b.flat) })
	return all
}

// schema returns the schema of columns. A name that the file lacks is "f" and the number of the
// column, as is one that another column has.
func (f *file) schema(columns []column) data.Schema {
	taken := make(map[string]bool, len(columns))
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
		if c.name == "" || taken[c.name] {
			names[i] = "f" + strconv.Itoa(int(c.flat))
		}
		taken[names[i]] = true
	}
	return imported.Schema(names, make([][]string, len(columns)))
}

package bins

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Apply puts rows of a table (ascending and distinct; nil = all) in the bins of m: rows of another
// table of the same columns and dictionaries, or others of the same. Categories without a bin are
// in that of missing values. Every column is a group of its own, since other rows may be away from
// the most frequent bins of several columns of a bundle. Listed columns stay listed. The Missing of
// the columns that it returns is that of these rows.
func (m *Matrix) Apply(
	ctx context.Context, from data.RowSource, rows []int32, workers int,
) (*Matrix, error) {
	return Encode(ctx, from, rows, m.Columns, Options{}, workers)
}

// Encode puts rows of a table (ascending and distinct; nil = all) in bins that were fitted before.
// Of the options it takes Bundle, List, Joint and Unpacked.
func Encode(
	ctx context.Context, from data.RowSource, rows []int32, columns []Column,
	o Options, workers int,
) (*Matrix, error) {
	columns = slices.Clone(columns)
	if err := checkColumns(from, columns); err != nil {
		return nil, err
	}
	if err := checkRows(from, rows); err != nil {
		return nil, err
	}
	workers = parallel.Workers(workers)
	return encode(ctx, from, rows, columns, nil, o, workers)
}

// checkColumns reports whether a table has the columns.
func checkColumns(from data.RowSource, columns []Column) error {
	fields := from.Fields()
	for i := range columns {
		c := &columns[i]
		if int(c.Feature) >= len(fields) {
			return fmt.Errorf("rows to put in bins have %d columns, the bins are of column %d",
				len(fields), c.Feature+1)
		}
		if field := &fields[c.Feature]; (field.Kind == data.Categorical) != c.Nominal() {
			return fmt.Errorf("column %q is %v, its bins are not", field.Name, field.Kind)
		}
	}
	return nil
}

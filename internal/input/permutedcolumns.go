package input

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// PermutedColumns are the columns of a table with the values of some exchanged among rows, one set
// of columns after the other. They hold memory for one goroutine.
type PermutedColumns struct {
	columns []data.Column
	// as long as the table's: the i-th holds the i-th column of a set
	spare []data.Column
}

// NewPermutedColumns makes PermutedColumns of the columns of a table, which it does not change.
func NewPermutedColumns(columns []data.Column) *PermutedColumns {
	return &PermutedColumns{columns: columns}
}

// With returns the columns of the table with the values of some of them exchanged: row to[k]
// has those of row from[k]. Values of other rows are undefined in these columns. The next call
// overwrites the columns.
func (p *PermutedColumns) With(columns, to, from []int32) []data.Column {
	all := slices.Clone(p.columns)
	for i, c := range columns {
		if i == len(p.spare) {
			p.spare = append(p.spare, data.Column{})
		}
		old, own := &p.columns[c], &p.spare[i]
		if old.Codes() != nil {
			if own.Codes() == nil {
				*own = data.Codes(make([]uint32, len(old.Codes())))
			}
			for k, row := range to {
				own.Codes()[row] = old.Code(int(from[k]))
			}
			all[c] = data.Codes(own.Codes())
			continue
		}
		if own.Numbers() == nil {
			*own = data.Numbers(make([]float64, old.Len()))
		}
		for k, row := range to {
			own.Numbers()[row] = old.Number(int(from[k]))
		}
		all[c] = data.Numbers(own.Numbers())
	}
	return all
}

package importance

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Units are sets of columns whose values are permuted at once, so that they stay together.
type Units struct {
	sets   [][]int32 // by unit: its columns, ascending
	within [][]int32 // by column: the units that hold it
}

// NewUnits makes a unit of each set of columns of a table, in their order. A column may be in
// several sets, or in none.
func NewUnits(columns int, sets [][]int32) *Units {
	u := &Units{within: make([][]int32, columns)}
	for _, set := range sets {
		set = slices.Clone(set)
		slices.Sort(set)
		set = slices.Compact(set)
		for _, c := range set {
			u.within[c] = append(u.within[c], int32(len(u.sets)))
		}
		u.sets = append(u.sets, set)
	}
	return u
}

// Singles returns a set for each column of a table alone.
func Singles(columns int) [][]int32 {
	sets := make([][]int32, columns)
	for c := range sets {
		sets[c] = []int32{int32(c)}
	}
	return sets
}

// Len returns the number of units.
func (u *Units) Len() int { return len(u.sets) }

// Columns returns the columns of a unit, ascending. The caller must not change them.
func (u *Units) Columns(unit int) []int32 { return u.sets[unit] }

// With returns the units that hold a column. The caller must not change them.
func (u *Units) With(column int32) []int32 { return u.within[column] }

// Touched reports for each unit whether it holds one of some columns; nil stands for all columns.
func (u *Units) Touched(columns []int32) []bool {
	seen := make([]bool, len(u.sets))
	if columns == nil {
		for unit, set := range u.sets {
			seen[unit] = len(set) > 0
		}
	}
	for _, c := range columns {
		for _, unit := range u.within[c] {
			seen[unit] = true
		}
	}
	return seen
}

// Shuffled returns rows in a random order, in the memory of dst if there is enough.
func Shuffled(dst, rows []int32, stream *rng.Stream) []int32 {
	dst = append(dst[:0], rows...)
	stream.Shuffle(len(dst), func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
	return dst
}

// Table is a table of which some columns are exchanged for permuted ones, unit after unit. It holds
// memory for one goroutine.
type Table struct {
	columns []data.Column
	// as long as the table's: the i-th holds the i-th column of a permuted unit
	spare []data.Column
}

// NewTable makes a Table of columns, which it does not change.
func NewTable(columns []data.Column) *Table { return &Table{columns: columns} }

// Permuted returns the columns of the table with the values of some of them exchanged: row to[k]
// has those of row from[k]. Values of other rows are undefined in these columns. The next call
// overwrites the columns.
func (t *Table) Permuted(columns, to, from []int32) []data.Column {
	all := slices.Clone(t.columns)
	for i, c := range columns {
		if i == len(t.spare) {
			t.spare = append(t.spare, data.Column{})
		}
		old, own := &t.columns[c], &t.spare[i]
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

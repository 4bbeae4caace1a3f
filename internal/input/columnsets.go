package input

import "slices"

// ColumnSets are sets of columns whose values are permuted at once, so that they stay together.
type ColumnSets struct {
	sets   [][]int32 // by unit: its columns, ascending
	within [][]int32 // by column: the units that hold it
}

// NewColumnSets makes a unit of each set of columns of a table, in their order. A column may be in
// several sets, or in none.
func NewColumnSets(columns int, sets [][]int32) *ColumnSets {
	u := &ColumnSets{within: make([][]int32, columns)}
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

// SingleColumns returns a set for each column of a table alone.
func SingleColumns(columns int) [][]int32 {
	sets := make([][]int32, columns)
	for c := range sets {
		sets[c] = []int32{int32(c)}
	}
	return sets
}

// Len returns the number of units.
func (u *ColumnSets) Len() int { return len(u.sets) }

// Columns returns the columns of a unit, ascending. The caller must not change them.
func (u *ColumnSets) Columns(unit int) []int32 { return u.sets[unit] }

// With returns the units that hold a column. The caller must not change them.
func (u *ColumnSets) With(column int32) []int32 { return u.within[column] }

// Touched reports for each unit whether it holds one of some columns; nil stands for all columns.
func (u *ColumnSets) Touched(columns []int32) []bool {
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

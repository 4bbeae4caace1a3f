package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// sparse is a column of numbers of which only some rows are stored. All other rows have one value.
type sparse struct {
	rows   int
	absent float64   // 0 or NaN
	row    []int32   // ascending
	value  []float64 // of row; it may be the absent one
}

// Sparse returns the column of a numeric or a date field that stores the values of some rows. row
// ascends without repetitions, and value has the value of each, NaN for a missing one. All other
// rows have the value absent, which is 0 or NaN. The slices are kept, not copied. NewFrame checks
// all of this.
//
// Results do not depend on the storage. A sparse column takes 12 bytes for a stored row, a dense
// one 8 for each row. Reading a single value is a search, so at most a quarter of the rows should
// be stored.
func Sparse(rows int, absent float64, row []int32, value []float64) Column {
	return Column{sparse: &sparse{rows, absent, row, value}}
}

// Stored returns the rows that a sparse column stores, ascending, with their values, and the value
// of all other rows: 0 or NaN. A stored value may be that one too. sparse is false for a dense
// column. The slices are shared, so callers do not change them.
func (c *Column) Stored() (row []int32, value []float64, absent float64, sparse bool) {
	if c.sparse == nil {
		return nil, nil, 0, false
	}
	return c.sparse.row, c.sparse.value, c.sparse.absent, true
}

// IsSparse reports whether Sparse made the column.
func (c *Column) IsSparse() bool { return c.sparse != nil }

// AppendStored appends the places in rows, which ascend, of those rows that a sparse column stores,
// and their values. All other places have the absent value. A row may repeat.
func (c *Column) AppendStored(at []int32, value []float64, rows []int32) ([]int32, []float64) {
	c.sparse.eachOf(rows, func(place int, v float64) {
		at, value = append(at, int32(place)), append(value, v)
	})
	return at, value
}

// FewStored reports whether a column of some rows is to be sparse if it stores some of them: up to
// a quarter.
func FewStored(stored, rows int) bool { return stored <= rows/sparseRows }

// check returns an error unless the rules of Sparse hold.
func (s *sparse) check() error {
	switch {
	case s.rows < 0:
		return fmt.Errorf("a sparse column of %d rows", s.rows)
	case len(s.row) != len(s.value):
		return fmt.Errorf("%d values for %d stored rows", len(s.value), len(s.row))
	case s.absent != 0 && !math.IsNaN(s.absent):
		return fmt.Errorf("the value of rows that are not stored is %s, want 0 or NaN",
			NumberText(s.absent, 64))
	}
	last := int32(-1)
	for i, row := range s.row {
		if row <= last {
			if row < 0 {
				return fmt.Errorf("there is no row %d", row)
			}
			return fmt.Errorf("the stored rows do not ascend: row %d follows row %d at place %d",
				row, last, i)
		}
		last = row
	}
	if int(last) >= s.rows {
		return fmt.Errorf("row %d is stored, and there are %d rows", last, s.rows)
	}
	return nil
}

// errNoRow is the panic of a row that a column does not have.
var errNoRow = errors.New("data: a row that the column does not have")

// find returns the place of the first stored row that is at least row.
func (s *sparse) find(row int) int {
	return sort.Search(len(s.row), func(i int) bool { return int(s.row[i]) >= row })
}

// at returns the value of a row.
func (s *sparse) at(row int) float64 {
	if uint(row) >= uint(s.rows) {
		panic(errNoRow)
	}
	if i, ok := slices.BinarySearch(s.row, int32(row)); ok {
		return s.value[i]
	}
	return s.absent
}

// dense returns a value for each row.
func (s *sparse) dense() []float64 {
	values := make([]float64, s.rows)
	s.copy(values, 0)
	return values
}

// copy sets dst to the values of consecutive rows.
func (s *sparse) copy(dst []float64, from int) {
	fill(dst, s.absent)
	for i := s.find(from); i < len(s.row) && int(s.row[i])-from < len(dst); i++ {
		dst[int(s.row[i])-from] = s.value[i]
	}
}

func fill(dst []float64, v float64) {
	if v == 0 {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] = v
	}
}

// pick sets dst to the values of some rows.
func (s *sparse) pick(dst []float64, rows []int32) {
	if !slices.IsSorted(rows) {
		for i, row := range rows {
			dst[i] = s.at(int(row))
		}
		return
	}
	fill(dst[:len(rows)], s.absent)
	s.eachOf(rows, func(at int, v float64) { dst[at] = v })
}

// eachOf calls f for the places in ascending rows that are stored, with their values.
func (s *sparse) eachOf(rows []int32, f func(at int, v float64)) {
	if len(rows) == 0 {
		return
	}
	// Both lists ascend. Each step skips the rows that are before the next stored one.
	at := 0
	for i := s.find(int(rows[0])); i < len(s.row) && at < len(rows); i++ {
		for at = advance(rows, at, s.row[i]); at < len(rows) && rows[at] == s.row[i]; at++ {
			f(at, s.value[i])
		}
	}
}

// advance returns the place of the first of ascending rows, from a place on, that is at least row.
// Where rows follow each other it is as far away as the row. Else steps double, so that it costs
// little where few rows are between.
func advance(rows []int32, from int, row int32) int {
	if near := from + int(row-rows[from]); near >= from && near < len(rows) && rows[near] == row &&
		(near == from || rows[near-1] < row) {
		return near
	}
	step := 1
	for rest := rows[from:]; step <= len(rest) && rest[step-1] < row; {
		step *= 2
	}
	low := from + step/2
	at, _ := slices.BinarySearch(rows[low:min(from+step, len(rows))], row)
	return low + at
}

// between returns the column of the rows from ... to-1, whose values are in the memory of s.
func (s *sparse) between(from, to int) *sparse {
	low, high := s.find(from), s.find(to)
	row := s.row[low:high:high]
	if from > 0 {
		row = slices.Clone(row)
		for i := range row {
			row[i] -= int32(from)
		}
	}
	return &sparse{to - from, s.absent, row, s.value[low:high:high]}
}

// startsAt reports whether the column is one that between made of a whole one.
func (s *sparse) startsAt(whole *sparse, from int) bool {
	low := whole.find(from)
	if high := whole.find(from + s.rows); high-low != len(s.value) {
		return false
	}
	return len(s.value) == 0 || &s.value[0] == &whole.value[low]
}

// sparseRows is the least number of rows of a sparse column for each that is stored.
const sparseRows = 4

// pack returns the sparse column of the same values, with the storage that suits their number: a
// dense column where more of them are stored than FewStored allows.
func (c Column) pack() Column {
	if c.sparse == nil || FewStored(len(c.sparse.row), c.sparse.rows) {
		return c
	}
	return Numbers(c.sparse.dense())
}

// joinNumbers returns the column of the rows of a, then those of b. It is sparse if one of them is
// and few rows are stored.
func joinNumbers(a, b *Column) Column {
	switch {
	case a.single != nil && b.single != nil:
		return Numbers32(join(a.single, b.single))
	case a.sparse == nil && b.sparse == nil:
		return Numbers(join(a.Numbers(), b.Numbers()))
	}
	absent := 0.0
	if a.sparse != nil {
		absent = a.sparse.absent
	} else {
		absent = b.sparse.absent
	}
	one, other := a.storedBut(absent), b.storedBut(absent)
	row := join(one.row, other.row)
	for i := len(one.row); i < len(row); i++ {
		row[i] += int32(one.rows)
	}
	return Sparse(one.rows+other.rows, absent, row, join(one.value, other.value)).pack()
}

// storedBut returns a column of numbers that stores all rows but those with a value, 0 or NaN.
func (c *Column) storedBut(absent float64) *sparse {
	if s := c.sparse; s != nil && (s.absent == absent || s.absent != s.absent && absent != absent) {
		return s
	}
	own := &sparse{rows: c.Len(), absent: absent}
	for row, v := range c.Numbers() {
		if v != absent && (v == v || absent == absent) {
			own.row, own.value = append(own.row, int32(row)), append(own.value, v)
		}
	}
	return own
}

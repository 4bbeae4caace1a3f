package quality

import "slices"

// storedRows is what the sparse columns of a table store, row by row.
type storedRows struct {
	start  []int    // row r is at start[r] ... start[r+1]-1
	column []int32  // ascending in each row
	key    []uint64 // other than that of absent values
}

// storedRows lists the values of those columns that are sparse.
func (t *inspected) storedRows(columns []int) *storedRows {
	s := &storedRows{start: make([]int, t.Rows()+1)}
	t.eachStored(columns, func(_ int, row int32, _ uint64) { s.start[row+1]++ })
	for r := range t.Rows() {
		s.start[r+1] += s.start[r]
	}
	n := s.start[t.Rows()]
	s.column, s.key = make([]int32, n), make([]uint64, n)
	next := slices.Clone(s.start)
	t.eachStored(columns, func(column int, row int32, key uint64) {
		s.column[next[row]], s.key[next[row]] = int32(column), key
		next[row]++
	})
	return s
}

// eachStored calls f for each value that a sparse column stores, but for those that equal the
// absent ones.
func (t *inspected) eachStored(columns []int, f func(column int, row int32, key uint64)) {
	for _, i := range columns {
		row, value, absent, _ := t.Columns[i].Stored()
		usual := numberKey(absent)
		for k, r := range row {
			if key := numberKey(value[k]); key != usual {
				f(i, r, key)
			}
		}
	}
}

// equalRows reports whether two rows have the same values.
func (s *storedRows) equal(a, b int32) bool {
	p, q, r, u := s.start[a], s.start[a+1], s.start[b], s.start[b+1]
	return slices.Equal(s.column[p:q], s.column[r:u]) && slices.Equal(s.key[p:q], s.key[r:u])
}

package data

import (
	"fmt"
	"math"
)

// CSR is a table of numbers in compressed sparse rows, as scipy.sparse.csr_matrix has it: the
// values of row i, and their columns, are at the places Start[i] ... Start[i+1]-1.
//
//	             f0  f1  f2
//	row 0         0   5   0      Start  0 1 3
//	row 1         2   0   7      Index  1 0 2
//	                             Value  5 2 7
type CSR struct {
	Start   []int     // begins with 0, does not descend, ends with the number of values
	Index   []int32   // columns, ascending in each row
	Value   []float64 // NaN is a missing value
	Columns int
	Absent  float64 // the value of all other places: 0 or NaN
}

// FromCSR makes a table of numeric columns from compressed sparse rows. Nil names call the columns
// f0, f1, ... The values are copied. Each column is sparse or dense, as Column.Pack chooses, and
// results do not depend on that.
//
// Errors: places that break the rules of CSR, an Absent other than 0 and NaN, and another number of
// names than columns.
func FromCSR(m CSR, names []string) (*Frame, error) {
	if names != nil && len(names) != m.Columns {
		return nil, fmt.Errorf("%d names for %d columns", len(names), m.Columns)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	count := make([]int, m.Columns)
	total := 0
	for i, v := range m.Value {
		if !m.isAbsent(v) {
			count[m.Index[i]]++
			total++
		}
	}
	row, value := make([]int32, total), make([]float64, total)
	columns := make([]sparse, m.Columns)
	rows := len(m.Start) - 1
	for j, n := range count {
		columns[j] = sparse{rows, m.Absent, row[:0:n], value[:0:n]}
		row, value = row[n:], value[n:]
	}
	for i := range rows {
		for k := m.Start[i]; k < m.Start[i+1]; k++ {
			if v := m.Value[k]; !m.isAbsent(v) {
				c := &columns[m.Index[k]]
				c.row, c.value = append(c.row, int32(i)), append(c.value, v)
			}
		}
	}
	made := make([]Column, m.Columns)
	for j := range made {
		made[j] = Column{sparse: &columns[j]}.pack()
	}
	f, err := frameOf(made, names)
	if err == nil && m.Absent != 0 {
		f.Schema.AbsentValues = AbsentMissing
	}
	return f, err
}

// isAbsent reports whether a value is that of places which are not stored.
func (m *CSR) isAbsent(v float64) bool { return v == m.Absent || v != v && m.Absent != m.Absent }

// check returns an error unless the rules of CSR hold.
func (m *CSR) check() error {
	rows := len(m.Start) - 1
	switch {
	case m.Columns < 0:
		return fmt.Errorf("%d columns", m.Columns)
	case m.Absent != 0 && !math.IsNaN(m.Absent):
		return fmt.Errorf("the value of places that are not stored is %s, want 0 or NaN",
			NumberText(m.Absent, 64))
	case rows < 0:
		return fmt.Errorf("no starts of rows: want one more than there are rows")
	case rows > math.MaxInt32:
		return fmt.Errorf("%d rows, the limit is %d", rows, math.MaxInt32)
	case len(m.Index) != len(m.Value):
		return fmt.Errorf("%d columns for %d values", len(m.Index), len(m.Value))
	case m.Start[0] != 0:
		return fmt.Errorf("the first row starts at %d, want 0", m.Start[0])
	case m.Start[rows] != len(m.Value):
		return fmt.Errorf("the last row ends at %d, and there are %d values", m.Start[rows],
			len(m.Value))
	}
	for i := range rows {
		from, to := m.Start[i], m.Start[i+1]
		if to < from || to > len(m.Value) {
			return fmt.Errorf("row %d: it starts at %d and ends at %d of %d values", i, from, to,
				len(m.Value))
		}
		last := int32(-1)
		for _, j := range m.Index[from:to] {
			if j < 0 || int(j) >= m.Columns {
				return fmt.Errorf("row %d: there is no column %d, those of the table are 0 to %d",
					i, j, m.Columns-1)
			}
			if j <= last {
				return fmt.Errorf("row %d: the columns do not ascend: %d follows %d", i, j, last)
			}
			last = j
		}
	}
	return nil
}

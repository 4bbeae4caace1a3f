package data

import (
	"slices"
	"sort"
)

// places finds the new places of rows in a choice of rows, for many columns of one table.
type places struct {
	rows []int32 // the choice: the row at each place
	of   int     // rows of the table

	made    bool
	ascends bool
	first   []int32 // at row r: where its places begin in place; first[of] is their number
	place   []int32 // ascending for each row
}

// make fills first and place by counting.
func (p *places) make() {
	if p.made {
		return
	}
	p.made, p.ascends = true, slices.IsSorted(p.rows)
	p.first, p.place = make([]int32, p.of+1), make([]int32, len(p.rows))
	for _, row := range p.rows {
		p.first[row+1]++
	}
	for r := range p.of {
		p.first[r+1] += p.first[r]
	}
	next := slices.Clone(p.first)
	for at, row := range p.rows {
		p.place[next[row]] = int32(at)
		next[row]++
	}
}

// pick returns the column of a choice of rows.
func (c *Column) pick(p *places) Column {
	if c.sparse != nil {
		return Column{sparse: c.sparse.choose(p)}
	}
	return Column{num: Pick(c.num, p.rows), single: Pick(c.single, p.rows),
		code: Pick(c.code, p.rows)}
}

// choose returns the column of a choice of rows. A few rows are searched one by one.
func (s *sparse) choose(p *places) *sparse {
	own := &sparse{rows: len(p.rows), absent: s.absent}
	if len(p.rows)*fewRows < len(s.row) {
		for at, row := range p.rows {
			if i, ok := slices.BinarySearch(s.row, row); ok {
				own.row, own.value = append(own.row, int32(at)), append(own.value, s.value[i])
			}
		}
		return own
	}
	p.make()
	n := 0
	for _, row := range s.row {
		n += int(p.first[row+1] - p.first[row])
	}
	own.row, own.value = make([]int32, 0, n), make([]float64, 0, n)
	for i, row := range s.row {
		for _, at := range p.place[p.first[row]:p.first[row+1]] {
			own.row, own.value = append(own.row, at), append(own.value, s.value[i])
		}
	}
	if !p.ascends {
		sort.Sort((*byRow)(own))
	}
	return own
}

// fewRows is the cost of a search for a row, in stored rows that are copied.
const fewRows = 16

// byRow sorts the stored rows of a column.
type byRow sparse

func (s *byRow) Len() int           { return len(s.row) }
func (s *byRow) Less(i, j int) bool { return s.row[i] < s.row[j] }
func (s *byRow) Swap(i, j int) {
	s.row[i], s.row[j] = s.row[j], s.row[i]
	s.value[i], s.value[j] = s.value[j], s.value[i]
}

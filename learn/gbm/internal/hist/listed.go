package hist

import "github.com/coppice-ml/coppice/learn/gbm/internal/bins"

// meet is where two ascending lists of rows meet: the places of the next row that both have.
type meet struct {
	list, rows []int32
	i, j       int
}

// meetOf begins with a list and the rows of a leaf.
func meetOf(list, rows []int32) meet {
	m := meet{list: list, rows: rows}
	if len(rows) > 0 {
		m.i = below(list, rows[0])
	}
	return m
}

// next goes to a row that both have. It reports false if there are no more.
func (m *meet) next() bool {
	for m.i < len(m.list) && m.j < len(m.rows) {
		switch a, b := m.list[m.i], m.rows[m.j]; {
		case a == b:
			return true
		case a < b:
			m.i += below(m.list[m.i:], b)
		default:
			m.j += below(m.rows[m.j:], a)
		}
	}
	return false
}

// step leaves the row that both have.
func (m *meet) step() {
	m.i++
	m.j++
}

// countListed adds to counts how many rows of a block are in each bin of a listed column.
func countListed(counts []int32, list *bins.List, rows []int32) {
	away := int32(0)
	for m := meetOf(list.Rows, rows); m.next(); m.step() {
		counts[list.Bins[m.i]]++
		away++
	}
	counts[list.Usual] += int32(len(rows)) - away
}

// partitionListed is kernel.Partition by a listed column. Only rows of the list whose bin is on
// another side than the most frequent one are moved one by one:
//
//	rows    . . x . . . x x .       x is on the other side
//	        --- ----- - then x      runs between them are moved together
func partitionListed(rows, spare []int32, list *bins.List, side []uint8) int {
	usual := side[list.Usual]
	moved, kept, from := spare[:0], 0, 0
	for m := meetOf(list.Rows, rows); m.next(); m.step() {
		if side[list.Bins[m.i]] == usual {
			continue
		}
		moved = append(moved, rows[m.j])
		kept += copy(rows[kept:], rows[from:m.j])
		from = m.j + 1
	}
	if len(moved) == 0 {
		return len(rows) * int(1-usual)
	}
	kept += copy(rows[kept:], rows[from:])
	if usual == 0 {
		copy(rows[kept:], moved)
		return kept
	}
	copy(rows[len(moved):], rows[:kept])
	copy(rows, moved)
	return len(moved)
}

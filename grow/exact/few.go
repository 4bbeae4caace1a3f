package exact

// Frames keep the ranks of a numeric column of few values in a byte each, and no places. A large node is counted in a table, as in
// tables.go; the rows of a small one are dealt to one pile for each value:
//
//	row      0 2 5 6 9          rank     0 | 1   | 3
//	rank     1 0 3 0 1          rows     2 6 | 0 9 | 5
//
// A missing value has the rank behind all others.

// fewValues is the number of distinct values up to which a column has few.
const fewValues = 255

// setFew sets the ranks by row, if the values are few, and reports whether they are.
func (c *column) setFew(rows []int32) bool {
	distinct := 0
	for i := len(c.sorted) - 1; i >= 0 && distinct == 0; i-- {
		if k := c.sorted[i].Key; k != missingRank {
			distinct = int(k) + 1
		}
	}
	if distinct > fewValues {
		return false
	}
	c.values, c.few = make([]float64, distinct), make([]uint8, len(rows))
	for _, e := range c.sorted {
		if e.Key == missingRank {
			c.few[e.Pos] = uint8(distinct)
			continue
		}
		c.few[e.Pos], c.values[e.Key] = uint8(e.Key), c.num[rows[e.Pos]]+0 // -0 becomes 0
	}
	return true
}

// setCodeBytes sets the codes as bytes, if the categories are few.
func (c *column) setCodeBytes() {
	if c.levels > fewValues {
		return
	}
	c.few = make([]uint8, len(c.code))
	for i, code := range c.code {
		c.few[i] = uint8(min(code, uint32(c.levels)))
	}
}

// setTable sets the number of rows from which a node is counted in a column of few values.
func (w *working) setTable(values int, shift uint) {
	if cells := (values + 1) << shift; cells <= tableCells {
		w.from = rowsPerCell * cells
	}
}

// countFew counts the classes of each rank.
func (s *scanner) countFew(counts []uint32, few []uint8, rows []uint32) []uint32 {
	clear(counts)
	class, count, shift := s.g.pop.Class, s.g.pop.Count, s.g.shift
	if count == nil {
		for _, row := range rows {
			counts[uint32(few[row])<<shift|class[row]]++
		}
		return counts
	}
	for _, row := range rows {
		counts[uint32(few[row])<<shift|class[row]] += count[row]
	}
	return counts
}

// deal puts a node's rows in the order of a column of few values.
func (s *scanner) deal(few []uint8, values int, rows []uint32) []entry {
	var piles [fewValues + 1]uint32
	starts := piles[:values+1]
	for _, row := range rows {
		starts[few[row]]++
	}
	at := uint32(0)
	for i, n := range starts {
		starts[i] = at
		at += n
	}
	out := s.room(len(rows))
	class, shift := s.g.pop.Class, s.g.shift
	for _, row := range rows {
		rank := few[row]
		key := uint32(rank)
		if int(rank) == values {
			key = s.g.missing
		}
		if key <<= shift; shift > 0 {
			key |= class[row]
		}
		out[starts[rank]] = entry{Key: key, Pos: row}
		starts[rank]++
	}
	return out
}

// partFew puts the rows of a node whose rank goes first before the others, in order, and returns their number.
func (g *grower) partFew(few []uint8, b *split, values int, rows []uint32) int {
	var goes [fewValues + 1]uint8
	for rank := range values {
		if uint32(rank) <= b.rank {
			goes[rank] = 1
		}
	}
	if b.missingFirst() {
		goes[values] = 1
	}
	rest := g.room(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		first := int(goes[few[row]])
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

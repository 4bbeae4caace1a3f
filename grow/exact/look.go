package exact

import "slices"

func (f *framed) below() store {
	return &framed{frame: frame{columns: make([]frameColumn, len(f.columns))}, all: &f.frame}
}

// gather copies the ranks of rows among all rows, to be replaced by places in the frame when a column is looked at.
func (f *framed) gather(rows []uint32) {
	f.rows = rows
	for i := range f.columns {
		f.columns[i].ready = false
	}
	if !f.all.joined {
		return
	}
	for _, column := range f.all.numeric {
		c := &f.columns[column]
		c.place = slices.Grow(c.place[:0], len(rows))[:len(rows)]
	}
	for from := 0; from < len(rows); from += block {
		some := rows[from:min(from+block, len(rows))]
		for _, column := range f.all.numeric {
			r, place := &f.all.columns[column].ranks, f.columns[column].place[from:]
			for i, row := range some {
				place[i] = r.of(row)
			}
		}
	}
}

// fetch copies the ranks of one column where they do not lie row by row.
func (f *framed) fetch(column int) {
	if f.all.joined {
		return
	}
	c, r := &f.columns[column], &f.all.columns[column].ranks
	c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
	for i, row := range f.rows {
		c.place[i] = r.of(row)
	}
}

// look makes a numeric column of a subtree's frame, if it is not made yet.
func (f *framed) look(s *scanner, column int) *frameColumn {
	c := &f.columns[column]
	if f.all == nil || c.ready {
		return c
	}
	c.ready = true
	all := &f.all.columns[column]
	g := s.g
	f.fetch(column)
	sorted := s.sortRanks(c.place)
	known := len(sorted)
	for known > 0 && sorted[known-1].Key >= all.ranks.known {
		known--
	}
	c.known = uint32(known)
	c.order = slices.Grow(c.order[:0], len(sorted))[:len(sorted)]
	class, shift := g.pop.Class, g.shift
	for i, e := range sorted {
		c.place[e.Pos] = uint32(i)
		key := g.missing
		if i < known {
			key = e.Key
		}
		if key <<= shift; shift > 0 {
			key |= class[e.Pos]
		}
		c.order[i] = entry{Key: key, Pos: e.Pos}
	}
	return c
}

package exact

import "slices"

func (f *framed) below() store {
	return &framed{frame: frame{columns: make([]frameColumn, len(f.columns))}, all: &f.frame}
}

// gather copies the places of rows among all rows, to be replaced by places in the frame when a column is looked at.
func (f *framed) gather(rows []uint32) {
	f.rows = rows
	for i := range f.columns {
		f.columns[i].ready = false
	}
	w := len(f.all.numeric)
	if f.all.byRow == nil {
		return
	}
	for j, column := range f.all.numeric {
		c := &f.columns[column]
		c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
		for i, row := range f.rows {
			c.place[i] = f.all.byRow[int(row)*w+j]
		}
	}
}

// fetch copies the places of one column where there are none row by row.
func (f *framed) fetch(column int) {
	if f.all.byRow != nil {
		return
	}
	c, all := &f.columns[column], &f.all.columns[column]
	c.place = slices.Grow(c.place[:0], len(f.rows))[:len(f.rows)]
	for i, row := range f.rows {
		c.place[i] = all.place[row]
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
	c.order, c.known = slices.Grow(c.order[:0], len(f.rows)), 0
	for i, e := range s.sortPlaces(c.place) {
		e = g.entryAt(all, e.Key, e.Pos)
		if e.Key>>g.shift != g.missing {
			c.known++
		}
		c.place[e.Pos] = uint32(i)
		c.order = append(c.order, e)
	}
	return c
}

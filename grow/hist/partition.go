package hist

import (
	"github.com/coppice-ml/coppice/grow/bins"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// sides writes, by code of the group of a split's column, 0 for those that go to the first child and 1 for the others.
func (r *Grower) sides(s *split, side []uint8) []uint8 {
	c := &r.m.Columns[s.column]
	codes := r.m.Groups[c.Group].Codes
	side = resize(side, max(codes, 256))
	toBin := func(b int) uint8 {
		switch {
		case b == c.Values:
			if s.missing {
				return 0
			}
			return 1
		case s.set == nil && b <= s.bin:
			return 0
		}
		return 1
	}
	for code := range codes {
		side[code] = toBin(c.Bin(code))
	}
	for _, b := range s.set {
		side[codeOf(c, int(b))] = 0
	}
	return side
}

// codeOf returns the code of a bin in its column's group. Columns of categories are never bundled, so that every bin has one.
func codeOf(c *bins.Column, bin int) int { return int(c.First) + bin }

// part puts the rows of a leaf that go to the first child before the others, both in their order, and returns the first row
// of the last child.
func (r *Grower) part(l *open, w *worker) int32 {
	w.side = r.sides(&l.split, w.side)
	rows := r.order[l.begin:l.end]
	if len(w.rows) < len(rows) {
		w.rows = make([]int32, len(r.order))
	}
	g := &r.m.Groups[r.m.Columns[l.split.column].Group]
	n := 0
	if g.Narrow != nil {
		n = kernel.Part(rows, w.rows, g.Narrow, w.side)
	} else {
		n = kernel.Part(rows, w.rows, g.Wide, w.side)
	}
	return l.begin + int32(n)
}

package bins

import "sort"

// Part returns the matrix with the codes of a run of its rows only, those from ... to-1, which its
// blocks number from 0. All else is that of the whole matrix:
//
//	rows of the matrix    0 1 2 3 4 5 6 7 8 9
//	blocks                | 0       | 1     |
//	Part(3, 8)                  | 0 | 1 |       First 0 and 2
//
// One of several processes that train together has such a part. A matrix that is one is returned as
// it is.
func (m *Matrix) Part(from, to int) *Matrix {
	if m.Partial {
		return m
	}
	o := *m
	o.Blocks, o.Partial = nil, true
	for i := range m.Blocks {
		b := &m.Blocks[i]
		lo, hi := max(from-int(b.First), 0), min(to-int(b.First), b.Rows)
		if lo < hi {
			p := b.part(m, lo, hi)
			p.First -= int32(from)
			o.Blocks = append(o.Blocks, p)
		}
	}
	if o.Blocks == nil { // a matrix has one block at least
		o.Blocks = []Block{m.Blocks[0].part(m, 0, 0)}
	}
	return &o
}

// part returns the rows lo ... hi-1 of a block as a block of their own.
func (b *Block) part(m *Matrix, lo, hi int) Block {
	p := Block{First: b.First + int32(lo), Rows: hi - lo, Codes: make([]Codes, len(b.Codes))}
	for i := range b.Codes {
		p.Codes[i] = b.Codes[i].part(lo, hi)
	}
	if b.Packed != nil {
		p.Packed = b.Packed[lo*m.Stride : hi*m.Stride]
	}
	if b.Lists.Start != nil {
		p.Lists = RowLists{Start: b.Lists.Start[lo : hi+1], Places: b.Lists.Places}
	}
	return p
}

func (c *Codes) part(lo, hi int) Codes {
	switch {
	case c.Narrow != nil:
		return Codes{Narrow: c.Narrow[lo:hi]}
	case c.List != nil:
		return Codes{List: c.List.part(int32(lo), int32(hi))}
	case c.Wide != nil:
		return Codes{Wide: c.Wide[lo:hi]}
	}
	return Codes{}
}

func (l *List) part(lo, hi int32) *List {
	before := func(row int32) int {
		return sort.Search(len(l.Rows), func(i int) bool { return l.Rows[i] >= row })
	}
	from, to := before(lo), before(hi)
	p := &List{Rows: make([]int32, to-from), Bins: l.Bins[from:to], Usual: l.Usual}
	for i, r := range l.Rows[from:to] {
		p.Rows[i] = r - lo
	}
	return p
}

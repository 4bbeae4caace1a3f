package bins

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

const (
	narrowCodes = 256     // most codes of a group of one byte
	blockRows   = 1 << 10 // rows that are looked up, and packed, at once
	chunkRows   = 1 << 16 // rows of a column that a worker takes at once
)

// encode returns the matrix of the given rows in the bins of columns, each a group of its own.
func encode(ctx context.Context, f *data.Frame, rows []int32, columns []Column, workers int) (*Matrix, error) {
	m := &Matrix{Rows: rows, Columns: columns, Groups: make([]Group, len(columns))}
	if rows == nil {
		m.Rows = data.AllRows(f.Rows())
	}
	n := len(m.Rows)
	for i := range columns {
		c := &columns[i]
		c.Group, c.First, c.Default = int32(i), 0, -1
		m.Groups[i] = Group{Columns: []int32{int32(i)}, Codes: c.Bins(), At: -1}
	}
	m.allocate()
	chunks := (n + chunkRows - 1) / chunkRows
	whole := n == f.Rows()
	finders := make([]*search, len(columns))
	for i := range columns {
		if !columns[i].Nominal() {
			finders[i] = newSearch(columns[i].Cuts)
		}
	}
	err := each(ctx, workers, len(columns)*chunks, func(_, task int) {
		i, lo := task/chunks, task%chunks*chunkRows
		from := source{column: &columns[i], find: finders[i], frame: &f.Columns[columns[i].Feature]}
		hi := min(lo+chunkRows, n)
		if g := &m.Groups[i]; g.Narrow != nil {
			encodeRows(&from, g.Narrow[lo:hi], m.Rows[lo:hi], whole)
		} else {
			encodeRows(&from, g.Wide[lo:hi], m.Rows[lo:hi], whole)
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range columns {
		c, g := &columns[i], &m.Groups[i]
		if g.Narrow != nil {
			c.Missing = hasCode(g.Narrow, c.Values)
		} else {
			c.Missing = hasCode(g.Wide, c.Values)
		}
	}
	return m, m.pack(ctx, workers)
}

// source is a column of a frame whose bins are looked up.
type source struct {
	column *Column
	find   *search // numeric
	frame  *data.Column
}

// encodeRows sets dst to the bins of some rows, which are all between the first and the last where whole.
func encodeRows[T uint8 | uint16](s *source, dst []T, rows []int32, whole bool) {
	if len(rows) == 0 {
		return
	}
	if whole {
		from, to := int(rows[0]), int(rows[0])+len(rows)
		if s.find != nil {
			codes(s.find, dst, s.frame.Num[from:to])
		} else {
			levelCodes(s.column, dst, s.frame.Code[from:to])
		}
		return
	}
	var x [blockRows]float64
	var code [blockRows]uint32
	for len(rows) > 0 {
		n := min(len(rows), blockRows)
		if s.find != nil {
			for i, r := range rows[:n] {
				x[i] = s.frame.Num[r]
			}
			codes(s.find, dst[:n], x[:n])
		} else {
			for i, r := range rows[:n] {
				code[i] = s.frame.Code[r]
			}
			levelCodes(s.column, dst[:n], code[:n])
		}
		dst, rows = dst[n:], rows[n:]
	}
}

func hasCode[T uint8 | uint16](codes []T, code int) bool { return slices.Contains(codes, T(code)) }

// allocate makes the memory for the codes of all groups, those of narrow groups in one piece.
func (m *Matrix) allocate() {
	n, narrow := len(m.Rows), 0
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Codes <= narrowCodes {
			g.At = narrow
			narrow++
		} else {
			g.Wide = make([]uint16, n)
		}
	}
	m.Stride = (narrow + 3) &^ 3
	pitch := (n + 63) &^ 63 // of columns: aligned, and not at the same place of the cache
	if pitch%4096 == 0 {
		pitch += 64
	}
	codes := make([]uint8, narrow*pitch)
	for i := range m.Groups {
		if g := &m.Groups[i]; g.At >= 0 {
			g.Narrow = codes[g.At*pitch:][:n:n]
		}
	}
	m.Packed = make([]uint8, n*m.Stride)
}

// pack copies the codes of narrow groups to Packed.
func (m *Matrix) pack(ctx context.Context, workers int) error {
	if m.Stride == 0 {
		return ctx.Err()
	}
	n := len(m.Rows)
	return each(ctx, workers, (n+blockRows-1)/blockRows, func(_, block int) {
		lo := block * blockRows
		hi := min(lo+blockRows, n)
		for i := range m.Groups {
			g := &m.Groups[i]
			if g.At < 0 {
				continue
			}
			to := m.Packed[lo*m.Stride+g.At:]
			at := 0
			for _, c := range g.Narrow[lo:hi] {
				to[at] = c
				at += m.Stride
			}
		}
	})
}

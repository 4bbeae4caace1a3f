package hist

import (
	"github.com/coppice-ml/coppice/grow/bins"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// layout says where the cells of each group's codes are in a histogram.
//
//	cells   group 0: Codes cells | padding | group 1 | ...
//
// Groups start at odd multiples of a cache line, so that none is a power of two away from the next: cells of codes that
// many rows share would else wait for each other.
type layout struct {
	at     []uint32 // first cell of each group
	narrow []uint32 // first cells of the groups in a row of Matrix.Packed, in their order there
	cells  int
}

const cacheLine = 8 // cells

func lay(m *bins.Matrix) layout {
	var l layout
	l.at = make([]uint32, len(m.Groups))
	for i := range m.Groups {
		g := &m.Groups[i]
		l.at[i] = uint32(l.cells)
		lines := (g.Codes + cacheLine - 1) / cacheLine
		l.cells += (lines | 1) * cacheLine
		if g.At >= 0 {
			for len(l.narrow) <= g.At {
				l.narrow = append(l.narrow, 0)
			}
			l.narrow[g.At] = l.at[i]
		}
	}
	return l
}

// histogram holds the sums of some rows by group and code. One of its slices is nil.
type histogram struct {
	packed []int64
	pairs  []float64
}

func (l *layout) new(double bool) *histogram {
	if double {
		return &histogram{pairs: make([]float64, 2*l.cells)}
	}
	return &histogram{packed: make([]int64, l.cells)}
}

// fill makes h the histogram of some rows.
func (h *histogram) fill(m *bins.Matrix, l *layout, s *sums, rows []int32) {
	clear(h.packed)
	clear(h.pairs)
	if s.double {
		a := kernel.AddPairs{Cells: h.pairs, At: l.narrow, Codes: m.Packed, Stride: m.Stride, Pairs: s.pairs}
		a.Rows(rows)
	} else {
		a := kernel.AddPacked{Cells: h.packed, At: l.narrow, Codes: m.Packed, Stride: m.Stride, Words: s.packed}
		a.Rows(rows)
	}
	for i := range m.Groups {
		if m.Groups[i].At < 0 {
			h.fillWide(&m.Groups[i], l.at[i], s, rows)
		}
	}
}

// fillWide adds the rows' sums to the cells of a wide group.
func (h *histogram) fillWide(g *bins.Group, at uint32, s *sums, rows []int32) {
	if s.double {
		kernel.AddPairCodes(h.pairs[2*at:], s.pairs, g.Wide, rows)
	} else {
		kernel.AddCodes(h.packed[at:], s.packed, g.Wide, rows)
	}
}

// subtract takes away the histogram of a part of the rows, which leaves that of the others.
func (h *histogram) subtract(part *histogram) {
	kernel.Subtract(h.packed, part.packed)
	kernel.Subtract(h.pairs, part.pairs)
}

// column writes the sums of a column's bins into g and h.
func (h *histogram) column(c *bins.Column, at uint32, total pair, g, w []float64) {
	first := int(at) + int(c.First)
	n := c.Bins()
	if c.Default >= 0 {
		n--
	}
	if h.pairs != nil {
		for i := range n {
			g[i], w[i] = h.pairs[2*(first+i)], h.pairs[2*(first+i)+1]
		}
	} else {
		kernel.Unpack(g[:n], w[:n], h.packed[first:first+n])
	}
	if c.Default >= 0 {
		insertDefault(int(c.Default), total, g[:n+1], w[:n+1])
	}
}

// insertDefault moves the bins from the default one on one place up, and gives the default bin of a bundled column what
// the others leave of the total.
func insertDefault(at int, total pair, g, w []float64) {
	n := len(g) - 1
	rest := total
	for i := range n {
		rest = rest.minus(pair{g[i], w[i]})
	}
	copy(g[at+1:], g[at:n])
	copy(w[at+1:], w[at:n])
	g[at], w[at] = rest.g, rest.h
}

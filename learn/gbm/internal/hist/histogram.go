package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// histogram holds the sums of some rows by output, group and code: of each output a layout of
// cells. One of its slices is nil.
//
//	output 0 | output 1 | ...    stride cells each
type histogram struct {
	packed []int64
	pairs  []float64 // two for each cell
	stride int

	// By number of the listed column.
	away  []int32 // no fewer than its rows that are not in the most frequent bin; empty: unknown
	moved []int32 // cells from its place to where it has them; empty: all are in their places
}

// fit gives a histogram as many cells as there are, of any content.
func (h *histogram) fit(l *layout, outputs int, double bool) {
	h.away = h.away[:0]
	h.stride = (l.cells + cacheLine - 1) &^ (cacheLine - 1)
	if outputs == 1 {
		h.stride = l.cells
	}
	if double {
		h.pairs = resize(h.pairs, 2*outputs*h.stride)
	} else {
		h.packed = resize(h.packed, outputs*h.stride)
	}
}

// words returns the cells of an output.
func (h *histogram) words(output int) []int64 {
	return h.packed[output*h.stride : (output+1)*h.stride]
}

// pairsOf is words for sums of float64.
func (h *histogram) pairsOf(output int) []float64 {
	return h.pairs[2*output*h.stride : 2*(output+1)*h.stride]
}

// plus adds the sums of other rows, which are words.
func (h *histogram) plus(partial *histogram) { kernel.AddWords(h.packed, partial.packed) }

// subtract takes away the histogram of some of the rows, which leaves that of the others.
func (h *histogram) subtract(partial *histogram) {
	kernel.SubtractWords(h.packed, partial.packed)
	kernel.SubtractPairs(h.pairs, partial.pairs)
}

// column writes the sums of a column's bins into g and h. at is the first cell of the column's
// group, total the sum of all rows.
func (h *histogram) column(c *bins.Column, output int, at uint32, total pair, g, w []float64) {
	first := int(at) + int(c.First)
	n := c.Bins()
	if c.Listed {
		h.fillDefault(c, output, at, total)
		defer h.clearDefault(c, output, at)
	} else if c.Default >= 0 {
		n--
	}
	if h.pairs != nil {
		cells := h.pairsOf(output)
		for i := range n {
			g[i], w[i] = cells[2*(first+i)], cells[2*(first+i)+1]
		}
	} else {
		kernel.Unpack(g[:n], w[:n], h.words(output)[first:first+n])
	}
	if c.Default >= 0 && !c.Listed {
		insertDefault(int(c.Default), total, g[:n+1], w[:n+1])
	}
}

// insertDefault moves the bins from the default one on one place up. The default bin of a bundled
// column gets what the others leave of the total.
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

// fillDefault gives the most frequent bin of a listed column what the others leave of the total. No
// rows are added there: its cell is 0 but while the column is looked at.
func (h *histogram) fillDefault(c *bins.Column, output int, at uint32, total pair) {
	first, n, usual := int(at), c.Bins(), int(c.Default)
	if h.pairs == nil {
		words := h.words(output)[first:][:n]
		rest := total.word()
		for _, w := range words {
			rest -= w
		}
		words[usual] = rest
		return
	}
	cells := h.pairsOf(output)[2*first:][:2*n]
	rest := total
	for b := range n {
		if b != usual {
			rest = rest.minus(pair{cells[2*b], cells[2*b+1]})
		}
	}
	cells[2*usual], cells[2*usual+1] = rest.g, rest.h
}

// clearDefault is fillDefault the other way round.
func (h *histogram) clearDefault(c *bins.Column, output int, at uint32) {
	cell := int(at) + int(c.Default)
	if h.pairs == nil {
		h.words(output)[cell] = 0
	} else {
		cells := h.pairsOf(output)
		cells[2*cell], cells[2*cell+1] = 0, 0
	}
}

// overlap is the number of cells where the sums of all columns go that a histogram is without.
const overlap = 256

// move gives the columns of at least some rows their cells, and returns how many these are.
func (h *histogram) move(l *listedLayout, least int32) int {
	h.moved = resize(h.moved, len(l.at))
	cells := int32(0)
	for k, n := range h.away {
		if n < least {
			h.moved[k] = -l.at[k]
			continue
		}
		h.moved[k] = overlap + cells - l.at[k]
		cells += (l.bins[k] + bins.PlaceLine - 1) &^ (bins.PlaceLine - 1)
	}
	return int(cells)
}

// at returns the first cell of a column's group.
func (h *histogram) at(l *layout, c *bins.Column) uint32 {
	at := l.at[c.Group]
	if c.Listed && h.few() {
		return uint32(int32(at) + h.moved[l.listed.number[c.Group]])
	}
	return at
}

// few reports whether the histogram is without the cells of some listed columns.
func (h *histogram) few() bool { return len(h.moved) > 0 }

package trees

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// layer lays out the tables of trees one after the other.
type layer struct {
	*Rows
	games    *games
	requires [][][]required // by listed and bit
	listedAt map[int32]int  // by column
	numbers  int            // laid out
}

// lay appends the parts below a branch. path has by player what rows must satisfy.
func (l *layer) lay(b *branch, path [][]required) {
	if b.part != nil {
		l.part(b.part, path)
		return
	}
	for c, child := range b.children {
		below := slices.Clone(path)
		if b.fresh {
			below = append(below, nil)
		}
		below[b.slot] = append(slices.Clip(below[b.slot]), required{b.node, int32(c)})
		l.lay(child, below)
	}
}

// part appends a part. Its numbers are those of the cells in the order of their places.
func (l *layer) part(p *part, path [][]required) {
	g := l.games
	at := make([]int, len(p.cells)*g.width) // of numbers, by place among the sums
	for i := range at {
		at[i] = i
	}
	place := func(i int) int {
		return (int(g.output)+i/len(p.cells))*l.cells + int(p.cells[i%len(p.cells)])
	}
	slices.SortFunc(at, func(a, b int) int { return place(a) - place(b) })
	t := kernel.EntryTable{From: uint32(l.numbers), Stride: uint32(len(at))}
	last := -1
	for _, i := range at {
		if place(i)/8 != last {
			last = place(i) / 8
			l.entries.Steps = append(l.entries.Steps, kernel.EntryStep{Sums: uint32(8 * last)})
			t.Steps++
		}
		step := &l.entries.Steps[len(l.entries.Steps)-1]
		step.Mask |= 1 << (place(i) % 8)
		step.Count++
	}
	l.entries.Tables = append(l.entries.Tables, t)
	to := l.entries.Value[l.numbers:][:len(p.value)]
	l.numbers += len(to)
	for e := range to {
		to[e] = p.value[e-e%len(at)+at[e%len(at)]]
	}
	p.value = nil
	l.bits(p, path)
}

// bits appends the bits of the last table.
func (l *layer) bits(p *part, path [][]required) {
	first := uint32(16 * (len(l.entries.Tables) - 1))
	for i := range uint32(16) {
		l.entries.Column = append(l.entries.Column, 0)
		l.entries.Low = append(l.entries.Low, kernel.MaxCode+1)
		l.entries.Width = append(l.entries.Width, 0)
		switch j := int(i) - len(path); {
		case j < 0:
			l.require(first+i, path[i])
		case j < len(p.tests):
			l.require(first+i, []required{{p.tests[j], 0}})
		}
	}
}

// require sets what a bit depends on.
func (l *layer) require(bit uint32, all []required) {
	column, values := all[0].column, 0
	numeric, one := all[0].kind == tree.Numeric, true
	for _, r := range all {
		one = one && r.column == column && (r.kind == tree.Numeric) == numeric
		values = max(values, 2+r.values())
	}
	switch {
	case !one || values > mostListed:
		l.mixed = append(l.mixed, mixed{bit, all})
	case numeric:
		l.interval(bit, all)
	default:
		i, known := l.listedAt[column]
		if !known {
			i = len(l.listed)
			l.listedAt[column] = i
			l.listed = append(l.listed, listed{column: column})
			l.requires = append(l.requires, nil)
		}
		c := &l.listed[i]
		c.values, c.bits = max(c.values, values), append(c.bits, bit)
		l.requires[i] = append(l.requires[i], all)
	}
}

// interval sets the codes that a bit requires.
func (l *layer) interval(bit uint32, all []required) {
	column := l.find(all[0].column)
	low, high, missing := 0, kernel.MaxCode, true
	for _, r := range all {
		at, _ := slices.BinarySearch(l.splits[column].split, r.split)
		if r.child == 0 {
			high = min(high, at)
		} else {
			low = max(low, at+1)
		}
		missing = missing && r.missing == r.child
	}
	if low <= high {
		l.entries.Column[bit], l.entries.Low[bit] = uint16(column), uint16(low)
		l.entries.Width[bit] = uint16(high - low)
	}
	if missing {
		l.missing[column] = append(l.missing[column], bit)
	}
}

package sorting

import (
	"context"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// Column is a column of a sorted table.
type Column struct {
	Categorical bool
	Sorted      []Entry   // numeric: by rank, then by row; Pos counts the prepared rows
	Values      []float64 // numeric: by rank
	code        []uint32  // categorical: by frame row
	tidy        bool      // categorical: every code is a level or missing
	Levels      int
}

// Table is a table whose numeric columns are sorted, for trees of which each has columns of
// its own. It is immutable.
type Table struct {
	Rows    []int32 // the prepared frame rows, ascending, distinct
	Columns []Column
	Num     []data.Column // by column, by frame row; empty of categories

	workers int
	once    sync.Once
	bins    []Bins // see binnings
}

// Sort sorts the given rows of a table (ascending and distinct; nil = all).
func Sort(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Table, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	n := len(f.Columns)
	p := &Table{Rows: f.Chosen(rows), Columns: make([]Column, n), Num: make([]data.Column, n),
		workers: parallel.Workers(workers)}
	memory, dense := make([]Sorter, p.workers), make([][]float64, p.workers)
	return p, parallel.EachUntil(ctx, p.workers, n, func(worker, i int) {
		c, from := &p.Columns[i], &f.Columns[i]
		if f.Schema.Fields[i].Kind == data.Categorical {
			levels := len(f.Schema.Fields[i].Levels)
			*c = Column{Categorical: true, code: from.Codes(), Levels: levels,
				tidy: tidy(from.Codes(), levels)}
			return
		}
		m := &memory[worker]
		num := Dense(from, &dense[worker])
		p.Num[i], c.Sorted = *from, m.Column(num, p.Rows)
		c.setValues(num, p.Rows)
		m.Keep() // it is the column's
	})
}

// Dense returns the values of a column by frame row: its own, or of one that is not in place in
// memory that is used again for the next.
func Dense(c *data.Column, memory *[]float64) []float64 {
	if !c.InPlace() {
		*memory = slices.Grow((*memory)[:0], c.Len())[:c.Len()]
	}
	return c.NumbersIn(0, c.Len(), *memory)
}

// setValues sets the values of a sorted column, by rank.
func (c *Column) setValues(num []float64, rows []int32) {
	known := Known(c.Sorted)
	if known == 0 {
		return
	}
	c.Values = make([]float64, c.Sorted[known-1].Key+1)
	for i, e := range c.Sorted[:known] {
		if i == 0 || e.Key != c.Sorted[i-1].Key {
			c.Values[e.Key] = num[rows[e.Pos]] + 0 // -0 becomes 0
		}
	}
}

// Numeric reports whether all columns are numeric.
func (p *Table) Numeric() bool {
	for i := range p.Columns {
		if p.Columns[i].Categorical {
			return false
		}
	}
	return true
}

// Ordered appends the entries of a numeric column to an order, keeping only the rows that a tree is
// grown on.
func (c *Column) Ordered(
	order []Entry, class []uint32, shift uint, place []int32, classOf []uint8,
) []Entry {
	for _, e := range c.Sorted {
		pos := e.Pos
		if place != nil {
			at := place[pos]
			if at < 0 {
				continue
			}
			pos = uint32(at)
		}
		key := e.Key << shift // the rank of a missing value keeps all its bits but the class's
		switch {
		case classOf != nil:
			key |= uint32(classOf[pos])
		case shift > 0:
			key |= class[pos]
		}
		order = append(order, Entry{Key: key, Pos: pos})
	}
	return order
}

// CodesOf returns the codes of some frame rows.
func (c *Column) CodesOf(rows []int32) []uint32 {
	if !c.tidy || len(rows) < len(c.code) {
		return compactCodes(c.code, rows, c.Levels)
	}
	return c.code
}

// CleanCodes returns the codes of some frame rows, of which each is a level or missing.
func CleanCodes(code []uint32, rows []int32, levels int) []uint32 {
	if !tidy(code, levels) || len(rows) < len(code) {
		return compactCodes(code, rows, levels)
	}
	return code
}

// tidy reports that codes are levels or missing: none stands for a text that the dictionary does
// not hold.
func tidy(code []uint32, levels int) bool {
	for _, c := range code {
		if c >= uint32(levels) && c != data.MissingCode {
			return false
		}
	}
	return true
}

// compactCodes copies the codes of the given frame rows; whatever is not a level becomes missing.
func compactCodes(code []uint32, rows []int32, levels int) []uint32 {
	out := make([]uint32, len(rows))
	for i, r := range rows {
		if out[i] = code[r]; out[i] >= uint32(levels) {
			out[i] = data.MissingCode
		}
	}
	return out
}

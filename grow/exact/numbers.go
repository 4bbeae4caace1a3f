package exact

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// numbers is the store for drawn splits: the values themselves, which nobody puts in order. Trees share those of all
// prepared rows; the rows of a small subtree are copied into columns of their own, as frames are.
type numbers struct {
	columns [][]float64 // by column, by row; nil of categories
	all     *numbers    // subtrees: those of all rows
	rows    []uint32    // subtrees: by row, the row of all

	byRow   []float64 // all rows: the numeric columns, row after row; nil if they are many
	numeric []int32   // all rows: the numeric columns
}

// PrepareDrawn makes the given rows (ascending and distinct; nil = all) ready for trees whose splits are drawn. Trees share
// what it makes, whatever rows they are grown on. It serves what PrepareFramed serves. Its memory is a copy of the numeric
// columns, row by row, if these are at most 512.
func PrepareDrawn(ctx context.Context, f *data.Frame, rows []int32) (*Prepared, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	rows = f.Chosen(rows)
	p := &Prepared{rows: rows, columns: make([]column, len(f.Columns)), numbers: &numbers{columns: make([][]float64, len(f.Columns))}}
	for i := range f.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		field := &f.Schema.Fields[i]
		c := column{kind: field.Kind, code: f.Columns[i].Code, levels: len(field.Levels)}
		if field.Kind == data.Categorical {
			c.tidy = tidy(c.code, c.levels)
			c.compact(rows)
		} else {
			p.numbers.columns[i] = f.Columns[i].Num
			if len(rows) < f.Rows() {
				p.numbers.columns[i] = make([]float64, len(rows))
				for j, r := range rows {
					p.numbers.columns[i][j] = f.Columns[i].Num[r]
				}
			}
		}
		p.columns[i] = c
	}
	p.numbers.setRows(len(rows))
	return p, nil
}

// byRowColumns is the number of columns up to which values are kept row by row too: the rows of a subtree then cost a few
// lines of the cache each, not one for every column.
const byRowColumns = 512

// setRows copies the numeric columns row by row.
func (x *numbers) setRows(rows int) {
	x.byRow, x.numeric = nil, nil
	for i, c := range x.columns {
		if c != nil {
			x.numeric = append(x.numeric, int32(i))
		}
	}
	if len(x.numeric) <= byRowColumns {
		x.byRow = rowByRow(rows, x.numeric, func(column int32) []float64 { return x.columns[column] })
	}
}

// block is the number of rows that rowByRow and byColumn move at a time, so that what lies row by row stays in the nearest
// cache.
const block = 64

// byColumn copies some rows of what rowByRow returned to columns.
func byColumn[T any](rows []uint32, byRow []T, columns []int32, of func(column int32) []T) {
	w := len(columns)
	for from := 0; from < len(rows); from += block {
		some := rows[from:min(from+block, len(rows))]
		for j, column := range columns {
			c := of(column)[from:]
			for i, row := range some {
				c[i] = byRow[int(row)*w+j]
			}
		}
	}
}

// rowByRow returns columns row after row.
func rowByRow[T any](rows int, columns []int32, of func(column int32) []T) []T {
	out, w := make([]T, rows*len(columns)), len(columns)
	for from := 0; from < rows; from += block {
		for j, column := range columns {
			for i, v := range of(column)[from:min(from+block, rows)] {
				out[(from+i)*w+j] = v
			}
		}
	}
	return out
}

func (x *numbers) below() store {
	return &numbers{columns: make([][]float64, len(x.columns)), all: x}
}

func (x *numbers) gather(rows []uint32) {
	x.rows = rows
	for _, column := range x.all.numeric {
		c := slices.Grow(x.columns[column][:0], len(rows))[:len(rows)]
		x.columns[column] = c
		if x.all.byRow == nil {
			for i, row := range rows {
				c[i] = x.all.columns[column][row]
			}
		}
	}
	if x.all.byRow != nil {
		byColumn(rows, x.all.byRow, x.all.numeric, func(column int32) []float64 { return x.columns[column] })
	}
}

// order is not asked for: nothing is in order.
func (x *numbers) order(*scanner, *node, int) []entry { return nil }

func (x *numbers) settle(*grower, *node, int) {}

func (x *numbers) divide(g *grower, nd *node) []*node {
	b := &nd.best
	c := x.columns[b.feature]
	if c == nil {
		return g.parts(nd, g.partCodes(g.columns[b.feature].code, b, g.prepared.columns[b.feature].levels, nd.list))
	}
	rows, rest, missingFirst := nd.list, g.room(len(nd.list)), b.missingFirst()
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		v, first := c[row], 0
		if v <= b.cut {
			first = 1
		}
		if v != v && missingFirst {
			first = 1
		}
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return g.parts(nd, n)
}

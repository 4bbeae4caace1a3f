// Package exact owns the engine that tries every cut of every column, or draws some: one node queue
// and one scan per kind of column. It keeps rows in one of three stores. Single trees have
// presorted columns: every numeric column is sorted once, in Prepare, and the sorted order is kept
// through all splits by stable partition, so that no node sorts again.
//
//	column f, sorted:    | 3 1 5 | 0 4 2 |        positions of rows, by value
//	split on g sends 1, 4, 2 to the first child
//	column f, after:     | 1 | 3 5 | ...          each node owns one segment [lo, hi) of every column
//
// Forests have frames, which all trees share (PrepareFramed); weighted instances, which may enter
// several children, have lists.
package exact

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/tree"
)

// entry is one row in the sorted order of a column. As Prepare leaves it, Key is the rank of the
// value among the distinct values of the prepared rows; while a tree grows the row's class stands
// in Key's lowest bits, so that a scan for cuts reads nothing but the entries.
type entry = sorting.Entry

// column is a feature as Prepare leaves it.
type column struct {
	kind   data.Kind
	sorted []entry   // numeric: by rank, then by row; Pos counts the prepared rows
	values []float64 // numeric: values[rank]
	num    []float64 // numeric: by frame row
	// of PrepareFramed, few values or categories: rank or code by prepared row, len(values) or
	// levels if it is missing
	few    []uint8
	code   []uint32 // categorical: by frame row; of PrepareFramed by prepared row
	tidy   bool     // categorical: every code is a level or missing
	levels int
}

// Prepared is a table made ready for growing: sorted once, grown on many times. It is immutable.
type Prepared struct {
	rows    []int32 // ascending, distinct
	columns []column
	all     *rankStore // of PrepareFramed, else nil
	numbers *numbers   // of PrepareDrawn, else nil

	workers int
	binned  sync.Once
	inBins  []binning // see binnings
}

// Prepare makes the given rows (ascending and distinct; nil = all) ready for trees whose nodes look
// at all columns, or at most of them: it sorts the numeric columns.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	p, err := newPrepared(f, rows, workers)
	if err != nil {
		return nil, err
	}
	memory := make([]sorting.Sorter, p.workers)
	return p, parallel.EachUntil(ctx, p.workers, len(p.columns), func(worker, i int) {
		c := &p.columns[i]
		if c.kind == data.Categorical {
			c.tidy = tidy(c.code, c.levels)
			return
		}
		m := &memory[worker]
		c.sorted = m.Column(c.num, p.rows)
		c.setValues(p.rows)
		m.Keep() // it is the column's
	})
}

// newPrepared returns a table whose numeric columns are not sorted yet.
func newPrepared(f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	rows = f.Chosen(rows)
	workers = parallel.Workers(workers)
	p := &Prepared{rows: rows, columns: make([]column, len(f.Columns)), workers: workers}
	for i := range f.Columns {
		field := &f.Schema.Fields[i]
		p.columns[i] = column{kind: field.Kind, num: f.Columns[i].Num, code: f.Columns[i].Code, levels: len(field.Levels)}
	}
	return p, nil
}

// setValues sets the values of a sorted column, by rank.
func (c *column) setValues(rows []int32) {
	known := sorting.Known(c.sorted)
	if known == 0 {
		return
	}
	c.values = make([]float64, c.sorted[known-1].Key+1)
	for i, e := range c.sorted[:known] {
		if i == 0 || e.Key != c.sorted[i-1].Key {
			c.values[e.Key] = c.num[rows[e.Pos]] + 0 // -0 becomes 0
		}
	}
}

// compact makes the codes those of the prepared rows.
func (c *column) compact(rows []int32) {
	if !c.tidy || len(rows) < len(c.code) {
		c.code = compactCodes(c.code, rows, c.levels)
	}
}

// shared reports whether trees share the table and may leave out any of its rows.
func (p *Prepared) shared() bool { return p.all != nil || p.numbers != nil }

// Rows returns the prepared frame rows, ascending.
func (p *Prepared) Rows() []int32 { return p.rows }

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

// places maps prepared positions to positions in rows, -1 for rows that are left out; nil if all
// are there.
func (p *Prepared) places(rows []int32) []int32 {
	if len(rows) == len(p.rows) {
		return nil
	}
	place := make([]int32, len(p.rows))
	k := 0
	for i, r := range p.rows {
		place[i] = -1
		if k < len(rows) && rows[k] == r {
			place[i] = int32(k)
			k++
		}
	}
	return place
}

// classBytes returns classes as bytes, nil if there are too many: in the order of a column's values
// they are looked up all over the table, and what is a quarter of the size stays in the cache for
// longer.
func classBytes(class []uint32, classes int) []uint8 {
	if class == nil || classes > 1<<8 {
		return nil
	}
	short := make([]uint8, len(class))
	for i, c := range class {
		short[i] = uint8(c)
	}
	return short
}

// ordered appends the entries of a numeric column to an order, keeping only the rows that a tree is
// grown on.
func (c *column) ordered(order []entry, t *task, place []int32, classOf []uint8) []entry {
	shift, class := t.shift, t.pop.Class
	for _, e := range c.sorted {
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
		order = append(order, entry{Key: key, Pos: pos})
	}
	return order
}

// codesOf copies a categorical column for one tree, keeping only the rows that it is grown on.
func (c *column) codesOf(feature int, pop *grow.Population) *codes {
	w := &codes{feature: feature, code: c.code, levels: c.levels}
	if !c.tidy || len(pop.Rows) < len(c.code) {
		w.code = compactCodes(c.code, pop.Rows, c.levels)
	}
	if pop.Class != nil && pop.Weight == nil && pop.Count == nil && (c.levels+1)*pop.Classes <= math.MaxUint16 {
		w.cell = cells(w.code, pop, c.levels)
	}
	return w
}

// numeric reports whether all columns are numeric.
func (p *Prepared) numeric() bool {
	return !slices.ContainsFunc(p.columns, func(c column) bool { return c.kind != data.Numeric })
}

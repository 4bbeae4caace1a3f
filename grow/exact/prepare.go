// Package exact owns the engine that tries every cut of every column, or draws some: one node queue and one scan per
// kind of column. It keeps rows in one of three stores. Single trees have presorted columns: every numeric column is sorted
// once, in Prepare, and the sorted order is kept through all splits by stable partition, so that no node sorts again.
//
//	column f, sorted:    | 3 1 5 | 0 4 2 |        positions of rows, by value
//	split on g sends 1, 4, 2 to the first child
//	column f, after:     | 1 | 3 5 | ...          each node owns one segment [lo, hi) of every column
//
// Forests have frames, which all trees share (PrepareFramed); weighted instances, which may enter several children, have lists.
package exact

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/criterion"
	"github.com/coppice-ml/coppice/tree"
)

// missingRank is the rank of a missing value: after all others.
const missingRank = math.MaxUint32

// entry is one row in the sorted order of a column. As Prepare leaves it, Key is the rank of the value among the
// distinct values of the prepared rows; while a tree grows the row's class stands in Key's lowest bits, so that a
// scan for cuts reads nothing but the entries.
type entry = criterion.Entry

// column is a feature as Prepare leaves it.
type column struct {
	kind   data.Kind
	sorted []entry   // numeric: by rank, then by row; Pos counts the prepared rows
	values []float64 // numeric: values[rank]
	num    []float64 // numeric: by frame row
	few    []uint8   // of PrepareFramed, few values or categories: rank or code by prepared row, len(values) or levels if it is missing
	code   []uint32  // categorical: by frame row; of PrepareFramed by prepared row
	tidy   bool      // categorical: every code is a level or missing
	levels int
}

// Prepared is a table made ready for growing: sorted once, grown on many times. It is immutable.
type Prepared struct {
	rows    []int32 // ascending, distinct
	columns []column
	all     *frame   // of PrepareFramed, else nil
	numbers *numbers // of PrepareDrawn, else nil

	workers int
	binned  sync.Once
	inBins  []binning // see binnings
}

// Prepare makes the given rows (ascending and distinct; nil = all) ready for trees whose nodes look at all columns, or at
// most of them: it sorts the numeric columns.
func Prepare(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	return prepare(ctx, f, rows, workers, false)
}

// PrepareFramed makes rows ready for trees whose nodes look at few columns: it sorts the
// numeric columns and keeps the place of each row. Trees share what it makes, whatever rows they are grown on. It is not for
// the rules Fractional, Surrogate, SurrogateStop and Stop, for directions, and for the chi-squared limit, which Grow
// refuses.
func PrepareFramed(ctx context.Context, f *data.Frame, rows []int32, workers int) (*Prepared, error) {
	return prepare(ctx, f, rows, workers, true)
}

func prepare(ctx context.Context, f *data.Frame, rows []int32, workers int, framed bool) (*Prepared, error) {
	if err := tree.CheckFeatures(len(f.Columns)); err != nil {
		return nil, err
	}
	if rows == nil {
		rows = data.AllRows(f.Rows())
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Prepared{rows: rows, columns: make([]column, len(f.Columns)), workers: workers}
	if framed {
		p.all = &frame{columns: make([]frameColumn, len(f.Columns))}
	}
	memory := make(chan *sorting, workers) // a sync.Pool would forget it
	for range workers {
		memory <- new(sorting)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i := range f.Columns {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			field := &f.Schema.Fields[i]
			if field.Kind == data.Categorical {
				c := column{kind: field.Kind, code: f.Columns[i].Code, levels: len(field.Levels), tidy: tidy(f.Columns[i].Code, len(field.Levels))}
				if framed {
					c.compact(rows)
					c.setCodeBytes()
				}
				p.columns[i] = c
				return nil
			}
			m := <-memory
			defer func() { memory <- m }()
			c := m.sortColumn(f.Columns[i].Num, rows, !framed)
			if framed {
				c.values = nil // cuts are made of rows' own values
				if !c.setFew(rows) {
					p.all.columns[i].ranks = newRanks(c.sorted)
				}
				m.sorted, c.sorted = c.sorted, nil
			}
			p.columns[i] = c
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if framed {
		p.all.join()
	}
	return p, nil
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

// sorting is memory that columns are sorted in, one after the other: as garbage it would be larger than what is kept.
type sorting struct {
	keys   []keyed
	sorted []entry // of a column that does not keep its own; nil = there is none
}

// sortColumn puts the rows in the order of their values, which it keeps only if asked to.
func (m *sorting) sortColumn(num []float64, rows []int32, keep bool) column {
	c := column{kind: data.Numeric, num: num, sorted: m.sorted}
	if m.sorted = nil; c.sorted == nil {
		c.sorted = make([]entry, len(rows))
	}
	bits, value := orderedBits, fromBits
	if least, width, ok := integers(num, rows); ok {
		if width < float64(len(rows)) {
			c.countIntegers(rows, least, int(width)+1)
			return c
		}
		// Distances from the least value have fewer digits that differ than the bits of floats.
		bits = func(x float64) uint64 {
			if math.IsNaN(x) {
				return missingBits
			}
			return uint64(x - least)
		}
		value = func(bits uint64) float64 { return least + float64(bits) }
	}
	if m.keys == nil {
		m.keys = make([]keyed, len(rows), 2*len(rows)) // the rest is for radixSort
	}
	keys := m.keys
	for i, r := range rows {
		keys[i] = keyed{bits(num[r]), uint32(i)}
	}
	sortKeyed(keys)
	distinct := uint32(0)
	for i, k := range keys {
		rank := uint32(missingRank)
		if k.bits != missingBits {
			if i == 0 || keys[i-1].bits != k.bits {
				if distinct++; keep {
					c.values = append(c.values, value(k.bits)) // to look the row up would miss the cache
				}
			}
			rank = distinct - 1
		}
		c.sorted[i] = entry{Key: rank, Pos: k.pos}
	}
	c.values = slices.Clip(c.values)
	return c
}

// tidy reports that codes are levels or missing: none stands for a text that the dictionary does not hold.
func tidy(code []uint32, levels int) bool {
	for _, c := range code {
		if c >= uint32(levels) && c != data.MissingCode {
			return false
		}
	}
	return true
}

// exactIntegers is the magnitude up to which float64 holds every integer.
const exactIntegers = 1 << 53

// integers reports whether the known values, of which there is one at least, are integers that float64 holds exactly, and
// returns the least of them and its distance to the greatest.
func integers(num []float64, rows []int32) (least, width float64, ok bool) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		x := num[r]
		if x != math.Trunc(x) && !math.IsNaN(x) {
			return 0, 0, false
		}
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
	}
	return least, most - least, least >= -exactIntegers && most <= exactIntegers && least <= most
}

// countIntegers sorts by a table of counts, whose last entry is for missing values:
//
//	value   3 4 5 6 -      least = 3, size = 4
//	count   2 0 5 1 1
//	rank    0   1 2
//	start   0   2 7 8
func (c *column) countIntegers(rows []int32, least float64, size int) {
	index := func(r int32) int {
		if x := c.num[r]; !math.IsNaN(x) {
			return int(x - least)
		}
		return size
	}
	starts, ranks := make([]uint32, size+1), make([]uint32, size+1)
	for _, r := range rows {
		starts[index(r)]++
	}
	at := uint32(0)
	for i, n := range starts {
		ranks[i] = missingRank
		if n > 0 && i < size {
			ranks[i] = uint32(len(c.values))
			c.values = append(c.values, least+float64(i))
		}
		starts[i] = at
		at += n
	}
	for i, r := range rows {
		k := index(r)
		c.sorted[starts[k]] = entry{Key: ranks[k], Pos: uint32(i)}
		starts[k]++
	}
}

// cutBetween returns the cut that separates a from b, a < b: their midpoint, unless rounding, infinities or
// overflow put it outside a <= cut < b; then a.
func cutBetween(a, b float64) float64 {
	if m := float64(a/2) + float64(b/2); a <= m && m < b {
		return m
	}
	return a
}

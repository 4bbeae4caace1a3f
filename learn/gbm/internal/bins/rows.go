package bins

import (
	"context"
	"slices"
	"sort"

	"github.com/coppice-ml/coppice/data"
)

// part is some rows of a block of a row source.
type part struct {
	data.RowBlock
	rows []int32 // rows of the block, ascending; nil = all
	at   int     // place of the first of them among all rows that are read
}

// len returns the number of rows.
func (p *part) len() int {
	if p.rows == nil {
		return p.Rows()
	}
	return len(p.rows)
}

// eachPart calls f for the parts of the given rows of a source, which ascend (nil = all), until it
// returns false. Blocks without any of the rows are left out.
func eachPart(ctx context.Context, from data.RowSource, rows []int32, f func(p part) bool) error {
	at := 0
	for b, err := range from.Blocks(ctx) {
		if err != nil {
			return err
		}
		p := part{RowBlock: b}
		if rows != nil {
			p = partOf(b, rows)
			rows = rows[len(p.rows):]
		}
		p.at = at
		if n := p.len(); n > 0 && !f(p) {
			return nil
		}
		at += p.len()
	}
	return nil
}

// partOf returns the part of a block that has the first of some rows of its source, which none of
// the blocks before it has.
func partOf(b data.RowBlock, rows []int32) part {
	end := b.First + b.Rows()
	n := sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= end })
	p := part{RowBlock: b, rows: rows[:n]}
	if b.First > 0 {
		p.rows = make([]int32, n)
		for i, r := range rows[:n] {
			p.rows[i] = r - int32(b.First)
		}
	}
	return p
}

// numbers is a numeric column, whose values are read a block at a time.
type numbers struct {
	rows     int // of the whole column
	weighted bool
	// each calls f for the values of blocks of the given rows (nil = all), until it returns false.
	each func(rows []int32, f func(v values) bool) error
}

// values are those of a block. Of a sparse column without weights they are the stored ones, and
// absent stands for more rows.
type values struct {
	num    []float64
	rows   []int32   // those of num that are meant; nil = all
	weight []float64 // by row of num; nil = 1
	more   int       // rows that are not in num, without weights
	absent float64   // their value
}

// rowMemory is what the values of a column are read into that has them elsewhere.
type rowMemory struct {
	at            []int32
	value, weight []float64
}

// someRows is the number of rows that are read into it at once: the first cache holds them.
const someRows = 1 << 11

// eachSome calls f for the values of a dense column that is not in double precision, some rows at a
// time, until it returns false. Weights are by row of the source, nil = 1.
func (m *rowMemory) eachSome(
	p *part, c *data.Column, weight []float64, f func(values) bool,
) bool {
	m.value = slices.Grow(m.value[:0], someRows)
	for at := 0; at < p.len(); at += someRows {
		n := min(someRows, p.len()-at)
		v := values{num: m.value[:n]}
		if p.rows == nil {
			c.NumbersIn(at, at+n, v.num)
		} else {
			c.PickNumbers(v.num, p.rows[at:at+n])
		}
		if weight != nil {
			m.weight = m.weight[:0]
			for i := range n {
				m.weight = append(m.weight, weight[p.First+int(rowAt(p.rows, at+i))])
			}
			v.weight = m.weight
		}
		if !f(v) {
			return false
		}
	}
	return true
}

// count returns how many rows are given; nil rows are all.
func (n *numbers) count(rows []int32) int {
	if rows == nil {
		return n.rows
	}
	return len(rows)
}

// numbersOf returns a column of a source; weight is by row of the source, nil = 1. In order has the
// values of all rows one by one, also those that a sparse column does not store.
func numbersOf(
	ctx context.Context, from data.RowSource, column int, weight []float64, inOrder bool,
	memory *rowMemory,
) numbers {
	return numbers{rows: from.Rows(), weighted: weight != nil,
		each: func(rows []int32, f func(values) bool) error {
			return eachPart(ctx, from, rows, func(p part) bool {
				if c := &p.Columns[column]; !c.InPlace() && !c.IsSparse() {
					return memory.eachSome(&p, c, weight, f)
				}
				v := values{rows: p.rows}
				if weight != nil {
					v.weight = weight[p.First:][:p.Rows()]
				}
				v.read(&p, column, inOrder || weight != nil, memory)
				return f(v)
			})
		}}
}

// read sets the numbers of a column.
func (v *values) read(p *part, column int, inOrder bool, memory *rowMemory) {
	c := &p.Columns[column]
	_, stored, absent, sparse := c.Stored()
	switch {
	case !sparse:
		v.num = c.Numbers()
	case inOrder: // as sums of weights are taken
		memory.value = slices.Grow(memory.value[:0], p.Rows())
		v.num = c.NumbersIn(0, p.Rows(), memory.value[:p.Rows()])
	default:
		if v.num = stored; p.rows != nil {
			memory.at, memory.value = c.AppendStored(memory.at[:0], memory.value[:0], p.rows)
			v.num, v.rows = memory.value, nil
		}
		v.more, v.absent = p.len()-len(v.num), absent
	}
}

// numbersIn returns a column that is in memory.
func numbersIn(num, weight []float64) numbers {
	return numbers{rows: len(num), weighted: weight != nil,
		each: func(rows []int32, f func(values) bool) error {
			f(values{num: num, rows: rows, weight: weight})
			return nil
		}}
}

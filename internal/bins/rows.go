package bins

import (
	"context"
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
		p := part{RowBlock: b, at: at}
		if rows != nil {
			end := b.First + b.Rows()
			n := sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= end })
			p.rows = rows[:n]
			if b.First > 0 {
				p.rows = make([]int32, n)
				for i, r := range rows[:n] {
					p.rows[i] = r - int32(b.First)
				}
			}
			rows = rows[n:]
		}
		if n := p.len(); n > 0 && !f(p) {
			return nil
		}
		at += p.len()
	}
	return nil
}

// numbers is a numeric column, whose values are read a block at a time.
type numbers struct {
	rows     int // of the whole column
	weighted bool
	// each calls f with the values of blocks, the block's own numbers of the given rows (nil = all)
	// and the weights of its rows, until it returns false.
	each func(rows []int32, f func(num []float64, rows []int32, weight []float64) bool) error
}

// count returns how many rows are given; nil rows are all.
func (n *numbers) count(rows []int32) int {
	if rows == nil {
		return n.rows
	}
	return len(rows)
}

// numbersOf returns a column of a source; weight is by row of the source, nil = 1.
func numbersOf(ctx context.Context, from data.RowSource, column int, weight []float64) numbers {
	return numbers{rows: from.Rows(), weighted: weight != nil,
		each: func(rows []int32, f func([]float64, []int32, []float64) bool) error {
			return eachPart(ctx, from, rows, func(p part) bool {
				own := weight
				if weight != nil {
					own = weight[p.First:][:p.Rows()]
				}
				return f(p.Columns[column].Numbers(), p.rows, own)
			})
		}}
}

// numbersIn returns a column that is in memory.
func numbersIn(num, weight []float64) numbers {
	return numbers{rows: len(num), weighted: weight != nil,
		each: func(rows []int32, f func([]float64, []int32, []float64) bool) error {
			f(num, rows, weight)
			return nil
		}}
}

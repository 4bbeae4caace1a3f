package bins

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// List is a listed column in a block: the rows that are not in its most frequent bin.
type List struct {
	Rows  []int32 // of the block, ascending
	Bins  []uint8 // of these rows
	Usual uint8   // the bin of all others
}

// at returns the bin of a row.
func (l *List) at(row int32) int {
	if i, found := slices.BinarySearch(l.Rows, row); found {
		return int(l.Bins[i])
	}
	return int(l.Usual)
}

// PlaceLine is the number of places that the places of a listed column are rounded up to: its sums
// have cache lines of their own.
const PlaceLine = 8

// RowLists is the listed columns of a block by row, for adding up all columns of some rows. A row
// has the places of the bins that it is in and that are not the most frequent ones of their
// columns. Those of row r are Places[Start[r]:Start[r+1]], ascending. Group.At is the place of a
// column's bin 0:
//
//	columns    x at 0 | y at 8 | z at 24
//	Places     2 11 | 9 | | 0 24 | ...      row 0 is in bin 2 of x and in bin 3 of y
//	Start      0 2 3 3 5 ...
type RowLists struct {
	Start  []uint32
	Places []uint32
}

// Columns are listed if so many rows have but one that is away from the most frequent bin. A
// histogram adds a row to each column that is not listed, and to the lists of the row. The latter
// takes about twice as long for each place. Groups of few codes are added several at a time.
const (
	listedRows    = 8
	listedRowsFew = 16
	fewCodes      = narrowCodes / 2
)

// listed reports whether the columns of a bundle, or of one column that found no other, are to be
// listed.
func (b *bundle) listed(rows int) bool {
	most := rows / listedRows
	if b.codes <= fewCodes {
		most = rows / listedRowsFew
	}
	return b.away <= most
}

// chooseListed lists the columns of the bundles that are away from their most frequent bins in few
// rows, and returns the other bundles. Together the columns have no more rows than Start counts.
func chooseListed(bundles []bundle, lists []sparse, rows int) []bundle {
	left := int64(math.MaxUint32)
	return slices.DeleteFunc(bundles, func(b bundle) bool {
		if !b.listed(rows) || int64(b.away) > left {
			return false
		}
		left -= int64(b.away)
		for _, k := range b.columns {
			lists[k].listed = true
		}
		return true
	})
}

// list makes a column a group of the matrix that is listed.
func (m *Matrix) list(column int, usual int32) {
	c := &m.Columns[column]
	c.Group, c.First, c.Default, c.Listed = int32(len(m.Groups)), 0, usual, true
	m.Groups = append(m.Groups, Group{Columns: []int32{int32(column)}, Codes: c.Bins(),
		Listed: true, Out: true, At: m.Places})
	m.Places += (c.Bins() + PlaceLine - 1) &^ (PlaceLine - 1)
}

// listRows makes the lists of rows of all blocks. Those of spare, a matrix of the same columns and
// blocks, are used if it has any; nil: there is none.
func (m *Matrix) listRows(ctx context.Context, spare *Matrix, workers int) error {
	if m.Places == 0 {
		return nil
	}
	var listed []int
	for i := range m.Groups {
		if m.Groups[i].Listed {
			listed = append(listed, i)
		}
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if spare != nil && spare.Blocks[i].Lists.Start != nil {
			b.Lists = spare.Blocks[i].Lists
		}
		if b.Lists.Start != nil {
			continue
		}
		if err := m.listBlock(ctx, b, listed, workers); err != nil {
			return err
		}
	}
	return nil
}

// listBlock makes the lists of the rows of a block, a piece of the rows after the other.
func (m *Matrix) listBlock(ctx context.Context, b *Block, listed []int, workers int) error {
	const piece = 1 << 13
	start := make([]uint32, b.Rows+1)
	pieces := (b.Rows + piece - 1) / piece
	each := func(f func(r int32, place uint32)) error {
		return parallel.EachUntil(ctx, workers, pieces, func(_, i int) {
			from, to := int32(i*piece), int32(min(b.Rows, (i+1)*piece))
			for _, g := range listed {
				list, at := b.Codes[g].List, uint32(m.Groups[g].At)
				first, _ := slices.BinarySearch(list.Rows, from)
				bins := list.Bins[first:]
				for k, r := range list.Rows[first:] {
					if r >= to {
						break
					}
					f(r, at+uint32(bins[k]))
				}
			}
		})
	}
	if err := each(func(r int32, _ uint32) { start[r+1]++ }); err != nil {
		return err
	}
	for r := range b.Rows {
		start[r+1] += start[r]
	}
	next := slices.Clone(start)
	places := hugepage.Slice[uint32](int(start[b.Rows]))
	b.Lists = RowLists{Start: start, Places: places}
	return each(func(r int32, place uint32) {
		places[next[r]] = place
		next[r]++
	})
}

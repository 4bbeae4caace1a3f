package bins

import "sort"

// Block is the codes of consecutive rows of a matrix, which are read together. A matrix in memory
// is one block. The rows of a block are numbered from 0:
//
//	block       |     0      |     1      |   2   |
//	First       |     0      |     5      |   10  |
//	row         | 0 1 2 3 4  | 5 6 7 8 9  | 10 11 |
//	in a block  | 0 1 2 3 4  | 0 1 2 3 4  | 0  1  |
type Block struct {
	First int32   // the row of the matrix that is the block's row 0
	Rows  int     // number of rows
	Codes []Codes // column-major, by group: for partitions of rows by one column
	// row-major, for adding up all columns of some rows: row r is Packed[r*Stride:][:Stride] of the
	// matrix's Stride. nil if Options.Unpacked
	Packed []uint8
	Lists  RowLists // of the listed columns, where Packed is not nil
}

// Codes is the codes of a group in a block, one of every row. All but one of the three are nil.
type Codes struct {
	Narrow []uint8 // of at most 256 codes
	Wide   []uint16
	List   *List // of a listed column
}

// At returns the code of a row of the block. That of a list is searched for.
func (c *Codes) At(row int32) int {
	switch {
	case c.Narrow != nil:
		return int(c.Narrow[row])
	case c.List != nil:
		return c.List.at(row)
	}
	return int(c.Wide[row])
}

// RowsIn returns those of the given rows of the matrix, which ascend, that block i has. Everything
// that reads codes of rows goes through the blocks in their order. It is no iterator over a
// function, because leaves of few rows are read very often.
func (m *Matrix) RowsIn(i int, rows []int32) []int32 {
	if len(m.Blocks) == 1 {
		return rows
	}
	b := &m.Blocks[i]
	end := b.First + int32(b.Rows)
	from := sort.Search(len(rows), func(k int) bool { return rows[k] >= b.First })
	to := sort.Search(len(rows), func(k int) bool { return rows[k] >= end })
	return rows[from:to]
}

// Local returns the block's own numbers of rows of the matrix: the same slice for the first block.
func (b *Block) Local(rows []int32) []int32 {
	if b.First == 0 {
		return rows
	}
	local := make([]int32, len(rows))
	for i, r := range rows {
		local[i] = r - b.First
	}
	return local
}

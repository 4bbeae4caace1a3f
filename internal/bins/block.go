package bins

import (
	"iter"
	"sort"
)

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
}

// Codes is the codes of a group in a block, one of every row. One of the two is nil.
type Codes struct {
	Narrow []uint8 // of at most 256 codes
	Wide   []uint16
}

// At returns the code of a row of the block.
func (c *Codes) At(row int32) int {
	if c.Narrow != nil {
		return int(c.Narrow[row])
	}
	return int(c.Wide[row])
}

// BlocksOf yields the blocks that have some of the given rows of the matrix, which ascend, each
// with its own of them. Everything that reads codes of rows walks the matrix in this way.
func (m *Matrix) BlocksOf(rows []int32) iter.Seq2[*Block, []int32] {
	return func(yield func(*Block, []int32) bool) {
		for i := range m.Blocks {
			b, n := &m.Blocks[i], len(rows)
			if i < len(m.Blocks)-1 {
				end := b.First + int32(b.Rows)
				n = sort.Search(n, func(k int) bool { return rows[k] >= end })
			}
			if n > 0 && !yield(b, rows[:n]) {
				return
			}
			rows = rows[n:]
		}
	}
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

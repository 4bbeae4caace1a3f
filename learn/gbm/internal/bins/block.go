package bins

import (
	"encoding/binary"
	"sort"

	"github.com/coppice-ml/coppice/internal/hugepage"
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
	Lists  RowLists // of the listed columns, where Packed is not nil
}

// Codes is the codes of a group in a block, one of every row. All but one of the three are nil.
type Codes struct {
	Narrow []uint8 // of at most 256 codes
	Wide   []uint16
	List   *List // of a listed column
}

// newCodes returns memory for the codes of some rows.
func newCodes(rows int, wide bool) Codes {
	if wide {
		return Codes{Wide: make([]uint16, rows)}
	}
	return Codes{Narrow: make([]uint8, rows)}
}

// allocate makes a block of some rows, with memory for the codes of all groups that are neither out
// nor listed. Those of narrow groups are in one piece, which it returns: in that of memory if it is
// enough.
func (m *Matrix) allocate(rows int, memory []uint8) (Block, []uint8) {
	b := Block{Rows: rows, Codes: make([]Codes, len(m.Groups))}
	pitch := (rows + 63) &^ 63 // of columns: aligned, and not at the same place of the cache
	if pitch%4096 == 0 {
		pitch += 64
	}
	narrow := 0
	for i := range m.Groups {
		if g := &m.Groups[i]; !g.Out && !g.Wide() {
			narrow++
		}
	}
	if cap(memory) < narrow*pitch {
		memory = hugepage.Make(narrow * pitch)
	}
	left := memory[:cap(memory)]
	for i := range m.Groups {
		switch g := &m.Groups[i]; {
		case g.Out:
		case g.Wide():
			b.Codes[i] = newCodes(rows, true)
		default:
			b.Codes[i].Narrow, left = left[:rows:rows], left[pitch:]
		}
	}
	return b, memory
}

// bytesOf returns the first n codes as bytes, which are those of a narrow group themselves. It
// works in memory that it returns.
func (c *Codes) bytesOf(n int, memory []byte) (b, spare []byte) {
	if c.Wide == nil {
		return c.Narrow[:n], memory
	}
	memory = resized(memory, 2*n)
	for i, code := range c.Wide[:n] {
		binary.LittleEndian.PutUint16(memory[2*i:], code)
	}
	return memory, memory
}

// setBytes sets the codes to those of bytesOf. It is false if there are as many bytes as no other
// codes have.
func (c *Codes) setBytes(b []byte) bool {
	if c.Wide == nil {
		return copy(c.Narrow, b) == len(b) && len(b) == len(c.Narrow)
	}
	if len(b) != 2*len(c.Wide) {
		return false
	}
	for i := range c.Wide {
		c.Wide[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return true
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

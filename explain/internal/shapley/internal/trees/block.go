package trees

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// BlockRows is the number of rows of a block. Its columns stay in the second cache.
const BlockRows = 256

// Block holds the values of some rows, column after column, and what is computed of them.
//
//	X    column c of row r at c*Stride + r: numbers, or codes; NaN missing, -1 unseen
//	Phi  cell c of score k and row r at (k*Cells + c)*Stride + r; see Index
type Block struct {
	Rows    int
	Stride  int // rows that it has space for
	Columns int
	Cells   int
	X       []float64
	Full    bool // X has no missing values; false: it may have
	Phi     []float64
	// by score, if not nil: path-dependent games add the means over the training weight
	Mean []float64

	sides   []uint32   // of a node: by row the child that it goes to, 1 = the first of two
	pattern [][]uint32 // by depth: by row a bit for each player of the path
	walk    walkScratch
}

// NewBlock returns an empty block for some rows, BlockRows at most, of some columns, and for cells
// of some scores.
func NewBlock(rows, columns, cells, scores int) *Block {
	return &Block{Stride: rows, Columns: columns, Cells: cells, X: make([]float64, columns*rows),
		Phi: make([]float64, scores*cells*rows), sides: make([]uint32, rows)}
}

// Of returns what the rows have in a cell of a score.
func (b *Block) Of(cell, score int) []float64 {
	return b.Phi[(score*b.Cells+cell)*b.Stride:][:b.Rows]
}

// patterns returns the memory of a depth's patterns.
func (b *Block) patterns(depth int) []uint32 {
	for len(b.pattern) <= depth {
		b.pattern = append(b.pattern, make([]uint32, b.Stride))
	}
	return b.pattern[depth][:b.Rows]
}

// next returns the child, from 0, that a value leads to.
func (d *node) next(x float64) int32 {
	if x != x {
		return d.missing
	}
	if d.kind == tree.Numeric {
		if x <= d.split {
			return 0
		}
		return 1
	}
	code := data.UnseenCode
	if x >= 0 {
		code = uint32(x)
	}
	switch {
	case d.kind == tree.ByCode:
		if code >= uint32(d.arity) {
			return d.missing
		}
		return int32(code)
	case tree.InSet(d.set, code) == (d.kind == tree.SetFirst):
		return 0
	}
	return 1
}

// values returns the number of codes that a node of categories distinguishes. It treats all others
// as it does unseen ones.
func (d *node) values() int {
	if d.kind == tree.ByCode {
		return int(d.arity)
	}
	return 64 * len(d.set)
}

// first writes, for a node of two children, 1 for the rows that go to the first and 0 for others.
func (d *node) first(dst []uint32, x []float64) {
	x = x[:len(dst)]
	switch {
	case d.kind != tree.Numeric:
		for r, v := range x {
			dst[r] = uint32(1 - d.next(v))
		}
	case d.missing == 0:
		for r, v := range x {
			side := uint32(1)
			if v > d.split {
				side = 0
			}
			dst[r] = side
		}
	default:
		for r, v := range x {
			side := uint32(0)
			if v <= d.split {
				side = 1
			}
			dst[r] = side
		}
	}
}

// to writes 1 for the rows that go to a child, from 0, and 0 for others.
func (d *node) to(dst []uint32, x []float64, child int32) {
	if d.kind == tree.ByCode {
		for r, v := range x {
			dst[r] = 0
			if d.next(v) == child {
				dst[r] = 1
			}
		}
		return
	}
	d.first(dst, x)
	if child != 0 {
		for r := range dst {
			dst[r] ^= 1
		}
	}
}

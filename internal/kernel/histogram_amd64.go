//go:build amd64 && !purego

package kernel

import "unsafe"

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), blocks: &a.Blocks[0], end: uintptr(unsafe.Pointer(&a.Blocks[0])) + uintptr(len(a.Blocks))*unsafe.Sizeof(Block{}),
		codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Words[0]), rows: &rows[0], n: len(rows)}
	addWords(&w)
}

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), blocks: &a.Blocks[0], end: uintptr(unsafe.Pointer(&a.Blocks[0])) + uintptr(len(a.Blocks))*unsafe.Sizeof(Block{}),
		codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Pairs[0]), rows: &rows[0], n: len(rows)}
	addPairs(&w)
}

// fetchAhead is how many rows ahead the codes and sums of a row are fetched: rows of a small leaf are far apart in memory.
const fetchAhead = 24

// adding is what the assembly works on.
type adding struct {
	cells  unsafe.Pointer
	blocks *Block
	end    uintptr // of the blocks
	codes  *uint8
	stride int
	sums   unsafe.Pointer
	rows   *int32
	n      int
}

//go:noescape
func addWords(a *adding)

//go:noescape
func addPairs(a *adding)

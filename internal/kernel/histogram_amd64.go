//go:build amd64 && !purego

package kernel

import "unsafe"

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Words[0]), rows: &rows[0],
		n: len(rows)}
	w.layout(a.Blocks, a.Wide)
	addWords(&w)
}

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Pairs[0]), rows: &rows[0],
		n: len(rows)}
	w.layout(a.Blocks, a.Wide)
	addPairs(&w)
}

// fetchAhead is how many rows ahead the codes and sums of a row are fetched: rows of a small leaf are far apart in memory.
const fetchAhead = 24

var _ = fetchAhead // by the assembly

// adding is what the assembly works on.
type adding struct {
	cells  unsafe.Pointer
	blocks *Block
	end    uintptr // of the blocks
	wide   *uint32
	last   uintptr // the end of wide
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

// layout says where cells are.
func (w *adding) layout(blocks []Block, wide []uint32) {
	w.blocks, w.wide = unsafe.SliceData(blocks), unsafe.SliceData(wide)
	w.end = uintptr(unsafe.Pointer(w.blocks)) + uintptr(len(blocks))*unsafe.Sizeof(Block{})
	w.last = uintptr(unsafe.Pointer(w.wide)) + uintptr(len(wide))*unsafe.Sizeof(uint32(0))
}

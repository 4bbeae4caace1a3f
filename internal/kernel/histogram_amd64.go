//go:build amd64 && !purego

package kernel

import "unsafe"

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride,
		sums: unsafe.Pointer(&a.Words[0])}
	w.layout(a.Blocks, a.Wide)
	if two := len(rows) &^ 1; two > 0 && a.even() {
		w.of(rows[:two])
		w.used = a.used()
		if amd {
			addEvenWordsAtOnce(&w)
		} else {
			addEvenWords(&w)
		}
		rows = rows[two:]
	}
	if len(rows) > 0 {
		w.of(rows)
		addWords(&w)
	}
}

// even reports whether the columns of the blocks start every EvenStep cells, one after the other,
// the first at the first cell.
func (a *AddPacked) even() bool {
	for i, b := range a.Blocks {
		if b.Step != EvenStep || b.At != uint32(i)*ColumnsPerBlock*EvenStep {
			return false
		}
	}
	return true
}

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride,
		sums: unsafe.Pointer(&a.Pairs[0])}
	w.layout(a.Blocks, a.Wide)
	w.of(rows)
	addPairs(&w)
}

// fetchAhead is how many rows ahead the codes and sums of a row are fetched: rows of a small leaf
// are scattered in memory.
const fetchAhead = 40

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
	used   int // columns of the blocks, for addEvenWords
	sums   unsafe.Pointer
	rows   *int32
	n      int
}

//go:noescape
func addWords(a *adding)

// addEvenWords is addWords for an even number of rows, at least two, of blocks whose columns start
// every EvenStep cells, the first of them at the first cell. Where a column's cells are is then
// part of the instructions. Unused columns are left out.
//
//go:noescape
func addEvenWords(a *adding)

// addEvenWordsAtOnce is addEvenWords for AMD's processors.
//
//go:noescape
func addEvenWordsAtOnce(a *adding)

//go:noescape
func addPairs(a *adding)

// of states which rows are added, at least one.
func (w *adding) of(rows []int32) { w.rows, w.n = &rows[0], len(rows) }

// layout states where cells are.
func (w *adding) layout(blocks []Block, wide []uint32) {
	w.blocks, w.wide = unsafe.SliceData(blocks), unsafe.SliceData(wide)
	w.end = uintptr(unsafe.Pointer(w.blocks)) + uintptr(len(blocks))*unsafe.Sizeof(Block{})
	w.last = uintptr(unsafe.Pointer(w.wide)) + uintptr(len(wide))*unsafe.Sizeof(uint32(0))
}

//go:build amd64 && !purego

package kernel

import "unsafe"

// Rows adds some rows.
func (a *AddPacked) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Words[0])}
	w.inTiles(a.Blocks, a.Wide, rows, len(a.Cells)*8, addWords)
}

// Rows adds some rows.
func (a *AddPairs) Rows(rows []int32) {
	if len(rows) == 0 || len(a.Blocks)+len(a.Wide) == 0 {
		return
	}
	w := adding{cells: unsafe.Pointer(&a.Cells[0]), codes: &a.Codes[0], stride: a.Stride, sums: unsafe.Pointer(&a.Pairs[0])}
	w.inTiles(a.Blocks, a.Wide, rows, len(a.Cells)*8, addPairs)
}

// Where not all cells fit the first cache, some rows are added to as many columns as do, then the same rows, which the second
// cache has kept, to the next ones:
//
//	        tile 0 | tile 1 | ... | wide
//	rows       1   |    2   |     |            tileRows of them
//	rows       k+1 |   k+2  |     |            the next ones
const (
	tileBytes = 34 << 10 // of cells
	tileRows  = 512
)

// inTiles adds rows tile by tile with one of the two loops. Each cell gets its rows in their order.
func (w *adding) inTiles(blocks []Block, wide []uint32, rows []int32, bytes int, add func(*adding)) {
	tiles := min(len(blocks), (bytes+tileBytes-1)/tileBytes)
	if len(wide) > 0 || tiles <= 1 || len(rows) < 2*tileRows/tiles {
		w.rows, w.n, w.fetch = &rows[0], len(rows), len(rows)
		w.layout(blocks, wide)
		add(w)
		return
	}
	first := w.codes
	for len(rows) > 0 {
		w.rows, w.n = &rows[0], min(tileRows, len(rows))
		for i := range tiles {
			lo, hi := len(blocks)*i/tiles, len(blocks)*(i+1)/tiles
			w.fetch = 0
			if i == 0 {
				w.fetch = len(rows)
			}
			w.codes = (*uint8)(unsafe.Add(unsafe.Pointer(first), ColumnsPerBlock*lo))
			w.layout(blocks[lo:hi], nil)
			add(w)
		}
		rows = rows[w.n:]
	}
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
	fetch  int // rows from the first one on that may be fetched ahead
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

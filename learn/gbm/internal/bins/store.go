package bins

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// Store is the codes of a matrix in a file, which holds them by block and group. Its blocks have no
// codes but while Walk reads them.
type Store struct {
	// Memory is the number of bytes that codes of blocks may take in memory, beside those of the
	// blocks that Walk reads ahead. Blocks that stay there are not read again while the columns
	// stay the same.
	Memory int64

	*stored
	kept []*Block // that stay in memory, with all that Packed needs
	held int64    // bytes of these
}

// stored is what matrices of the same columns have together, which differ in what is packed.
type stored struct {
	file   *scratch.File
	pieces [][]scratch.Piece // by block, by group

	mu     sync.Mutex
	narrow [][]uint8 // not in use
	wide   [][]uint16
}

// anew returns a store of the same codes, of which no block stays in memory yet.
func (s *Store) anew() *Store { return &Store{Memory: s.Memory, stored: s.stored} }

// Sizes of the blocks of a stored matrix: about so many bytes of codes, and rows within limits.
const (
	storedBytes    = 8 << 20
	storedRowsMost = 1 << 19
	storedRowsUnit = 1 << 15 // the rows of a block are a multiple of it
)

// storedRows returns the number of rows of a block, given the bytes of a row.
func storedRows(width int) int {
	units := storedBytes / max(1, width) / storedRowsUnit
	return min(max(1, units)*storedRowsUnit, storedRowsMost)
}

// storer writes the codes of a matrix, a block of them after the other. Those of derived columns
// are written before.
type storer struct {
	m     *Matrix
	by    []*encoder // by group of the table's columns, which come first
	left  []int32    // rows that were not encoded yet
	rows  int        // of a block
	block Block      // that is being filled; its slices have the length of a whole block
	bytes [][]byte   // memory by worker
	made  []madeCodes
}

// madeCodes is the codes of a derived column in the file.
type madeCodes struct {
	pieces []scratch.Piece // by block
	sum    uint32
}

// newStorer returns a storer of rows in the bins of some columns of a table, and of derived ones.
func newStorer(
	rows []int32, columns []Column, derived int, o Options, file *scratch.File, apart bool,
) *storer {
	w := &storer{m: &Matrix{Rows: rows, Columns: slices.Clone(columns)}, left: rows,
		made: make([]madeCodes, derived)}
	m := w.m
	m.group(make([]sparse, len(columns)), nil)
	width := derived
	if o.bins() >= narrowCodes {
		width = 2 * derived
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		if c := &m.Columns[i]; apart && c.Nominal() && c.Values < MaxBins {
			c.Apart = true
			g.Codes++
		}
		w.by = append(w.by, newEncoder(&m.Columns[i]))
		if width++; g.Wide() {
			width++
		}
	}
	n := o.BlockRows
	if n == 0 {
		n = storedRows(width)
	}
	n = min(n, max(1, len(rows)))
	w.block.Codes = make([]Codes, len(m.Groups))
	for i := range m.Groups {
		w.block.Codes[i] = newCodes(n, m.Groups[i].Wide())
	}
	m.Store = &Store{stored: &stored{file: file}}
	w.rows = n
	return w
}

// put writes the codes of all rows by a derived column.
func (w *storer) put(derived int, codes Codes) error {
	n, to := len(w.m.Rows), &w.made[derived]
	*to = madeCodes{}
	var memory []byte
	for lo := 0; lo == 0 || lo < n; lo += w.rows {
		some, rows := codes.part(lo, min(lo+w.rows, n)), min(lo+w.rows, n)-lo
		var b []byte
		b, memory = some.bytesOf(rows, memory)
		p, err := w.m.Store.file.Write(b)
		if err != nil {
			return err
		}
		to.pieces, to.sum = append(to.pieces, p), crc32.Update(to.sum, castagnoli, b)
	}
	return nil
}

// begin makes the matrix one of all columns, before the first block is added.
func (w *storer) begin(derived []Column) {
	m := w.m
	m.Sums = make([]uint32, len(m.Groups))
	for i, c := range derived {
		c.Group = int32(len(m.Groups))
		m.Groups = append(m.Groups, Group{Columns: []int32{int32(len(m.Columns))}, Codes: c.Bins()})
		m.Columns, m.Sums = append(m.Columns, c), append(m.Sums, w.made[i].sum)
	}
}

// add encodes the rows that a block of the table has.
func (w *storer) add(ctx context.Context, b data.RowBlock, workers int) error {
	p := partOf(b, w.left)
	w.left = w.left[len(p.rows):]
	whole := len(p.rows) == b.Rows()
	for rows := p.rows; len(rows) > 0; {
		at := w.block.Rows
		n := min(w.rows-at, len(rows))
		if err := fillAll(ctx, w.by, &w.block, at, b.Columns, rows[:n], whole, workers); err != nil {
			return err
		}
		rows = rows[n:]
		if w.block.Rows += n; w.block.Rows == w.rows {
			if err := w.flush(ctx, workers); err != nil {
				return err
			}
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// flush writes the rows of the block that is being filled.
func (w *storer) flush(ctx context.Context, workers int) error {
	m, n := w.m, w.block.Rows
	pieces, failed := make([]scratch.Piece, len(m.Groups)), make([]error, len(w.by))
	if w.bytes == nil {
		w.bytes = make([][]byte, workers)
	}
	for i := range w.made {
		pieces[len(w.by)+i] = w.made[i].pieces[len(m.Blocks)]
	}
	err := parallel.EachUntil(ctx, workers, len(w.by), func(worker, i int) {
		codes, c := &w.block.Codes[i], &m.Columns[i]
		var b []byte
		b, w.bytes[worker] = codes.bytesOf(n, w.bytes[worker])
		c.Missing = c.Missing || w.block.has(i, c.Values, n)
		m.Sums[i] = crc32.Update(m.Sums[i], castagnoli, b)
		pieces[i], failed[i] = m.Store.file.Write(b)
	})
	if err = cmp.Or(err, cmp.Or(failed...)); err != nil {
		return err
	}
	m.Blocks = append(m.Blocks, Block{First: w.block.First, Rows: n,
		Codes: make([]Codes, len(m.Groups))})
	m.Store.pieces = append(m.Store.pieces, pieces)
	w.block.First += int32(n)
	w.block.Rows = 0
	return nil
}

// has reports whether one of the first n rows of a group has a code.
func (b *Block) has(group, code, n int) bool {
	if c := &b.Codes[group]; c.Narrow != nil {
		return bytes.IndexByte(c.Narrow[:n], byte(code)) >= 0
	}
	return slices.Contains(b.Codes[group].Wide[:n], uint16(code))
}

// finish writes what is left, and arranges the groups.
func (w *storer) finish(ctx context.Context, o Options, workers int) (*Matrix, error) {
	if w.block.Rows > 0 || len(w.m.Blocks) == 0 {
		if err := w.flush(ctx, workers); err != nil {
			return nil, err
		}
	}
	w.m.JointCodes = min(o.Joint, narrowCodes)
	w.m.join()
	w.m.arrange()
	return checked(w.m), nil
}

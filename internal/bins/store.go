package bins

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
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

// Rows are rows of a table.
type Rows struct {
	Rows   []int32   // ascending and distinct; nil = all
	Weight []float64 // by row of the table; nil = 1
}

// MakeStored fits bins by one Survey of rows, and puts the rows of several sets in them. The codes
// go to a file. In all it reads the table twice. Each set gets a matrix. In those behind the first
// one, a category without a bin gets a code of its own, behind that of missing values: a split
// sends it where it sends what no set holds. Of the options it takes those of NewSurvey, Least,
// Joint and BlockRows. Every column is a group of its own.
func MakeStored(
	ctx context.Context, from data.RowSource, fitted Rows, sets [][]int32, o Options, workers int,
	file *scratch.File,
) ([]*Matrix, error) {
	if err := o.checkWith(from, fitted.Rows, fitted.Weight); err != nil {
		return nil, err
	}
	workers = parallel.Workers(workers)
	s, err := NewSurvey(from.Fields(), rowCountOf(from, fitted.Rows), fitted.Weight != nil, o)
	if err != nil {
		return nil, err
	}
	if err := s.Read(ctx, from, fitted.Rows, 0, fitted.Weight, workers); err != nil {
		return nil, err
	}
	columns, err := s.Columns()
	if err != nil {
		return nil, err
	}
	made, err := encodeStored(ctx, from, sets, columns, o, workers, file)
	if err == nil && o.Least {
		made[0].Least = s.Least()
	}
	return made, err
}

// encodeStored makes the matrices of some sets of rows in one pass. Categories without a bin have a
// code of their own in all but the first.
func encodeStored(
	ctx context.Context, from data.RowSource, sets [][]int32, columns []Column, o Options,
	workers int, file *scratch.File,
) ([]*Matrix, error) {
	writers := make([]*storer, len(sets))
	for i, rows := range sets {
		if rows == nil {
			rows = data.AllRows(from.Rows())
		}
		writers[i] = newStorer(rows, columns, o, file, i > 0)
	}
	for b, err := range from.Blocks(ctx) {
		if err != nil {
			return nil, err
		}
		for _, w := range writers {
			if err := w.add(ctx, b, workers); err != nil {
				return nil, err
			}
		}
	}
	matrices := make([]*Matrix, len(sets))
	for i, w := range writers {
		var err error
		if matrices[i], err = w.finish(ctx, o, workers); err != nil {
			return nil, err
		}
	}
	return matrices, nil
}

// storer writes the codes of a matrix, a block of them after the other.
type storer struct {
	m     *Matrix
	by    []*encoder // by group
	left  []int32    // rows that were not encoded yet
	rows  int        // of a block
	block Block      // that is being filled; its slices have the length of a whole block
	bytes [][]byte   // memory by worker
}

func newStorer(rows []int32, columns []Column, o Options, file *scratch.File, apart bool) *storer {
	w := &storer{m: &Matrix{Rows: rows, Columns: slices.Clone(columns)}, left: rows}
	m := w.m
	m.group(make([]sparse, len(columns)), nil)
	width := 0
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
		if c := &w.block.Codes[i]; m.Groups[i].Wide() {
			c.Wide = make([]uint16, n)
		} else {
			c.Narrow = make([]uint8, n)
		}
	}
	m.Store = &Store{stored: &stored{file: file}}
	m.Sums = make([]uint32, len(m.Groups))
	w.rows = n
	return w
}

// add encodes the rows that a block of the table has.
func (w *storer) add(ctx context.Context, b data.RowBlock, workers int) error {
	p := partOf(b, w.left)
	w.left = w.left[len(p.rows):]
	whole := len(p.rows) == b.Rows()
	for rows := p.rows; len(rows) > 0; {
		at := w.block.Rows
		n := min(w.rows-at, len(rows))
		chunks := (n + chunkRows - 1) / chunkRows
		err := parallel.EachUntil(ctx, workers, len(w.by)*chunks, func(_, task int) {
			i, lo := task/chunks, task%chunks*chunkRows
			some := rows[lo:min(lo+chunkRows, n)]
			values := &b.Columns[w.by[i].column.Feature]
			if codes := &w.block.Codes[i]; codes.Narrow != nil {
				encodeRows(w.by[i], values, codes.Narrow[at+lo:][:len(some)], some, whole)
			} else {
				encodeRows(w.by[i], values, codes.Wide[at+lo:][:len(some)], some, whole)
			}
		})
		if err != nil {
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
	pieces, failed := make([]scratch.Piece, len(m.Groups)), make([]error, len(m.Groups))
	if w.bytes == nil {
		w.bytes = make([][]byte, workers)
	}
	err := parallel.EachUntil(ctx, workers, len(m.Groups), func(worker, i int) {
		codes, c := &w.block.Codes[i], &m.Columns[i]
		b := w.bytesOf(codes, n, worker)
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

// bytesOf returns the first n codes as bytes, which are those of a narrow group themselves.
func (w *storer) bytesOf(codes *Codes, n, worker int) []byte {
	if codes.Narrow != nil {
		return codes.Narrow[:n]
	}
	w.bytes[worker] = resized(w.bytes[worker], 2*n)
	for i, c := range codes.Wide[:n] {
		binary.LittleEndian.PutUint16(w.bytes[worker][2*i:], c)
	}
	return w.bytes[worker]
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
	return w.m, nil
}

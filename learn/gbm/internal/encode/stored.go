package encode

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// Stored is a table that is read in blocks. The first call of Blocks that reads all of them writes
// the codes of the categorical columns to a file. From then on Codes reads that file, and not the
// table. A code takes 1, 2 or 4 bytes there, for the least that holds all of its column.
type Stored struct {
	data.RowSource
	file    *scratch.File
	workers int
	width   []int // of a code of each column; 0: it is not categorical
	blocks  []storedBlock
	whole   bool
}

// storedBlock is where the codes of a block of rows are.
type storedBlock struct {
	first, rows int
	pieces      []scratch.Piece // by column
}

// Store returns a table whose categories are stored while it is read, on some workers.
func Store(from data.RowSource, file *scratch.File, workers int) *Stored {
	s := &Stored{RowSource: from, file: file, workers: parallel.Workers(workers)}
	for _, f := range from.Fields() {
		width := 0
		if f.Kind == data.Categorical {
			switch width = 4; {
			case len(f.Levels) < 1<<8-1:
				width = 1
			case len(f.Levels) < 1<<16-1:
				width = 2
			}
		}
		s.width = append(s.width, width)
	}
	return s
}

// Blocks yields the blocks of the table. Two calls do not store at the same time.
func (s *Stored) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	if s.whole {
		return s.RowSource.Blocks(ctx)
	}
	return func(yield func(data.RowBlock, error) bool) {
		s.blocks = nil
		for b, err := range s.RowSource.Blocks(ctx) {
			if err == nil {
				err = s.add(ctx, b)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
		s.whole = true
	}
}

// BlocksOf implements data.RegionSource. It stores nothing.
func (s *Stored) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return data.BlocksOf(ctx, s.RowSource, p)
}

// add writes the codes of a block: as digits, so that a category outside the dictionary is the one
// behind those of the levels.
func (s *Stored) add(ctx context.Context, b data.RowBlock) error {
	pieces := make([]scratch.Piece, len(s.width))
	err := parallel.Try(ctx, s.workers, len(s.width), func(_, c int) (err error) {
		width := s.width[c]
		if width == 0 {
			return nil
		}
		most := uint64(len(s.Fields()[c].Levels)) + 1
		bytes := make([]byte, 0, width*b.Rows())
		for _, code := range b.Columns[c].Codes() {
			switch d := min(digit(code), most); width {
			case 1:
				bytes = append(bytes, byte(d))
			case 2:
				bytes = binary.LittleEndian.AppendUint16(bytes, uint16(d))
			default:
				bytes = binary.LittleEndian.AppendUint32(bytes, uint32(d))
			}
		}
		pieces[c], err = s.file.Write(bytes)
		return err
	})
	s.blocks = append(s.blocks, storedBlock{b.First, b.Rows(), pieces})
	return err
}

// Codes implements Source. The table has been read before.
func (s *Stored) Codes(
	ctx context.Context, columns []int32, f func(first int, codes [][]uint32),
) error {
	if !s.whole {
		return fmt.Errorf("the categories of %d rows were not stored", s.Rows())
	}
	codes := make([][]uint32, len(columns))
	var bytes []byte
	for i := range s.blocks {
		b := &s.blocks[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		for k, c := range columns {
			bytes = fit(bytes, b.pieces[c].Len())
			if err := s.file.Read(b.pieces[c], bytes); err != nil {
				return err
			}
			codes[k] = fit(codes[k], b.rows)
			s.decode(codes[k], bytes, int(c))
		}
		f(b.first, codes)
	}
	return nil
}

// decode is add the other way round, for a column.
func (s *Stored) decode(codes []uint32, bytes []byte, column int) {
	levels, width := uint32(len(s.Fields()[column].Levels)), s.width[column]
	for i := range codes {
		d := uint32(0)
		switch width {
		case 1:
			d = uint32(bytes[i])
		case 2:
			d = uint32(binary.LittleEndian.Uint16(bytes[2*i:]))
		default:
			d = binary.LittleEndian.Uint32(bytes[4*i:])
		}
		switch {
		case d == 0:
			codes[i] = data.MissingCode
		case d > levels:
			codes[i] = data.UnseenCode
		default:
			codes[i] = d - 1
		}
	}
}

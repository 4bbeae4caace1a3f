package table

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// Gather reads the rows that a function adds to a builder, once. They are a frame as long as fits
// reports that so many rows and columns may be in memory and the limit of memory is kept. Else they
// are features in blocks of a file, which create makes at that moment, and Close of the file ends
// them. Kinds, dictionaries and values are those of the frame either way.
func Gather(
	o *data.ReadOptions, tokens []string, fits func(rows, columns int) bool,
	create func() (*scratch.File, error), add func(*Builder) error,
) (data.Features, error) {
	b, err := NewBuilder(o, tokens)
	if err != nil {
		return nil, err
	}
	s := &spill{b: b, fits: fits, create: create}
	b.spill = s
	if err := add(b); err != nil {
		return nil, err
	}
	if !s.fit() {
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
	if s.file != nil {
		return s.features()
	}
	t, err := b.Table()
	if err != nil {
		return nil, err
	}
	return t.Frame, nil
}

// spill moves the rows of a builder to a file where memory does not hold them:
//
//	| columns of block 0 | columns of block 1 | ...
//	a column: 8 bytes a number or date, or 4 bytes a code
//
// Codes are those of the dictionary when the block was written. It grows, so they stay right, and
// what they are in the end is known behind the last row.
type spill struct {
	b      *Builder
	fits   func(rows, columns int) bool
	create func() (*scratch.File, error)
	file   *scratch.File // nil: all rows are in memory
	blocks []spilledBlock
	counts map[*Column]*Counts
	bytes  []byte
}

// spilledBlock is consecutive rows in the file.
type spilledBlock struct {
	first, rows int
	columns     map[*Column]*spilledColumn
}

type spilledColumn struct {
	at     scratch.Piece
	codes  bool              // else numbers
	unseen *data.UnseenTexts // of a closed dictionary
}

// checkedRows is how many rows are read before somebody asks again whether they fit.
const checkedRows = 1 << 10

// admit returns an error if the builder cannot hold as many more rows of its columns, even if those
// so far are moved to a file.
func (b *Builder) admit(rows int) error {
	err := b.Limit(rows)
	s := b.spill
	switch {
	case s == nil || s.file != nil:
		return err
	case err == nil && ((b.rows+rows)/checkedRows == b.rows/checkedRows || s.fit()):
		return nil
	case err != nil && !errors.Is(err, data.ErrLimit):
		return err
	}
	return s.begin()
}

// fit reports whether the rows may stay in memory. Where they do not any more, they are no matter.
func (s *spill) fit() bool {
	if s.file != nil {
		return true
	}
	stored := 0
	for _, c := range s.b.columns {
		if c.Storage != NotStored {
			stored++
		}
	}
	return s.fits(s.b.rows, stored)
}

// begin makes the builder write its rows to the file, those that it has as soon as the next row is
// complete.
func (s *spill) begin() (err error) {
	if s.file, err = s.create(); err != nil {
		return err
	}
	s.counts = map[*Column]*Counts{}
	s.b.full = &full{bytes: BlockSize(s.b.options), do: s.write}
	return nil
}

// write appends the rows of the builder to the file, in blocks.
func (s *spill) write() error {
	b := s.b
	block := int(max(1, BlockSize(b.options)/max(b.Size.width, 1)))
	for from := 0; from < b.rows; from += block {
		s.blocks = append(s.blocks, spilledBlock{b.before + from, min(block, b.rows-from),
			map[*Column]*spilledColumn{}})
	}
	for _, c := range b.columns {
		if c.Storage == NotStored {
			continue
		}
		if err := s.writeColumn(c, block); err != nil {
			return err
		}
		c.start.before += b.rows
	}
	return nil
}

// writeColumn appends the rows of a column to the file. A date is written as a number, since its
// dictionary is forgotten with the block.
func (s *spill) writeColumn(c *Column, block int) error {
	rows := s.b.rows
	if c.Storage == Numbers || c.Field.Kind == data.Date {
		values := c.Num
		if c.Field.Kind == data.Date {
			values = dateValues(c, rows)
		}
		return s.eachBlock(block, func(p *spilledBlock, from, to int) (err error) {
			p.columns[c], err = s.writeNumbers(values[from:to])
			return err
		})
	}
	if s.counts[c] == nil {
		s.counts[c] = new(Counts)
		if err := s.recode(c); err != nil {
			return err
		}
	}
	s.counts[c].Add(c.Code[:rows], s.b.before)
	unseen := c.Dict.takeUnseen()
	return s.eachBlock(block, func(p *spilledBlock, from, to int) (err error) {
		p.columns[c], err = s.writeCodes(c.Code[from:to])
		p.columns[c].unseen, unseen = unseen, nil
		return err
	})
}

// eachBlock calls a function for the blocks of the builder's rows.
func (s *spill) eachBlock(block int, f func(p *spilledBlock, from, to int) error) error {
	rows := s.b.rows
	first := len(s.blocks) - (rows+block-1)/block
	for i := range s.blocks[first:] {
		if err := f(&s.blocks[first+i], i*block, min(rows, (i+1)*block)); err != nil {
			return err
		}
	}
	return nil
}

// recode makes codes of the numbers of a column that turned categorical behind them, as the column
// does of those in memory.
func (s *spill) recode(c *Column) error {
	for i := range s.blocks {
		p := &s.blocks[i]
		was := p.columns[c]
		if was == nil {
			continue
		}
		values, err := s.readNumbers(was.at, nil)
		if err != nil {
			return err
		}
		codes := make([]uint32, len(values))
		for row, v := range values {
			codes[row] = data.MissingCode
			if math.IsNaN(v) {
				continue
			}
			code, fault := c.Dict.Encode([]byte(data.NumberText(v, c.Bits)))
			if fault != nil {
				return s.b.files.fault(fault, s.b.files.line(p.first+row))
			}
			codes[row] = code
		}
		s.counts[c].Add(codes, p.first)
		if p.columns[c], err = s.writeCodes(codes); err != nil {
			return err
		}
	}
	return nil
}

func (s *spill) writeNumbers(values []float64) (*spilledColumn, error) {
	s.bytes = s.bytes[:0]
	for _, v := range values {
		s.bytes = binary.LittleEndian.AppendUint64(s.bytes, math.Float64bits(v))
	}
	at, err := s.file.Write(s.bytes)
	return &spilledColumn{at: at}, err
}

func (s *spill) writeCodes(codes []uint32) (*spilledColumn, error) {
	s.bytes = s.bytes[:0]
	for _, code := range codes {
		s.bytes = binary.LittleEndian.AppendUint32(s.bytes, code)
	}
	at, err := s.file.Write(s.bytes)
	return &spilledColumn{at: at, codes: true}, err
}

// readNumbers reads numbers into new memory. Where codes stand for numbers, meaning has these.
func (s *spill) readNumbers(at scratch.Piece, meaning []float64) ([]float64, error) {
	if meaning != nil {
		codes, err := s.readCodes(at, nil)
		if err != nil {
			return nil, err
		}
		values := make([]float64, len(codes))
		for row, code := range codes {
			values[row] = math.NaN()
			if code < data.UnseenCode {
				values[row] = meaning[code]
			}
		}
		return values, nil
	}
	b := make([]byte, at.Len())
	if err := s.file.Read(at, b); err != nil {
		return nil, err
	}
	values := make([]float64, len(b)/8)
	for row := range values {
		values[row] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*row:]))
	}
	return values, nil
}

// readCodes reads codes, and numbers them by a table, unless it is nil.
func (s *spill) readCodes(at scratch.Piece, renumber []uint32) ([]uint32, error) {
	b := make([]byte, at.Len())
	if err := s.file.Read(at, b); err != nil {
		return nil, err
	}
	codes := make([]uint32, len(b)/4)
	for row := range codes {
		codes[row] = binary.LittleEndian.Uint32(b[4*row:])
		if codes[row] < data.UnseenCode && renumber != nil {
			codes[row] = renumber[codes[row]]
		}
	}
	return codes, nil
}

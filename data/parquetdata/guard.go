package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data/source"
	"github.com/coppice-ml/coppice/data/table"
)

// The decoder makes room for what a file claims: lists in the footer, pages, values in a page. The checks in this file
// come before it and hold the claims against the bytes that are there.
//
//	PAR1 | page header, page | page header, page | ... | footer | its size | PAR1
//	       |------ column chunk, as the footer says ---|

const tailSize = 8 // the size of the footer and the magic bytes

// checkFile checks both ends of a file and the footer.
func checkFile(f *source.File) error {
	head, tail := make([]byte, len(magic)), make([]byte, tailSize)
	if f.Size() < int64(len(magic)+tailSize) {
		head = head[:min(int64(len(magic)), f.Size())]
		tail = nil
	}
	if err := readAt(f, head, 0); err != nil {
		return err
	}
	if string(head) != magic {
		return &table.Error{Msg: "this is not a Parquet file", Err: table.ErrFormat}
	}
	if err := readAt(f, tail, f.Size()-int64(len(tail))); err != nil {
		return err
	}
	if tail == nil || string(tail[4:]) != magic {
		return &table.Error{Msg: "the Parquet file has no end: it is truncated", Err: table.ErrFormat}
	}
	size := int64(binary.LittleEndian.Uint32(tail))
	if size > f.Size()-int64(len(magic)+tailSize) {
		return errors.New("the footer is larger than the file")
	}
	footer := make([]byte, size)
	if err := readAt(f, footer, f.Size()-tailSize-size); err != nil {
		return err
	}
	w := walker{b: footer}
	return w.skip(thriftStruct)
}

func readAt(f *source.File, b []byte, at int64) error {
	if n, err := f.ReadAt(b, at); n < len(b) {
		return err
	}
	return nil
}

// checkChunk walks over the pages of a column chunk: each must lie in the chunk and claim no more values than the row
// group has, and no more bytes than it can unpack to.
func checkChunk(f *source.File, group *format.RowGroup, column int) error {
	if column < 0 || column >= len(group.Columns) {
		return errors.New("a row group has too few columns")
	}
	m := &group.Columns[column].MetaData
	at := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		at = m.DictionaryPageOffset
	}
	size := m.TotalCompressedSize
	if at < 0 || size < 0 || at > f.Size() || size > f.Size()-at {
		return fmt.Errorf("column %d: its pages lie outside the file", column)
	}
	values := int64(0)
	for end := at + size; at < end; {
		p, err := readPageHeader(f, at, end)
		if err != nil {
			return fmt.Errorf("column %d: page at %d: %w", column, at, err)
		}
		at += p.header
		if err := p.check(end-at, group.NumRows); err != nil {
			return fmt.Errorf("column %d: page at %d: %w", column, at, err)
		}
		at += p.packed
		if !p.dictionary {
			values += p.values
		}
	}
	if values != group.NumRows {
		return fmt.Errorf("column %d: its pages hold %d values, the row group has %d rows", column, values, group.NumRows)
	}
	return nil
}

// pageHeader is what a page claims.
type pageHeader struct {
	header   int64 // bytes of the header itself
	packed   int64 // bytes in the file
	unpacked int64
	values   int64
	levels   int64 // bytes of levels before the values, in pages of version 2

	dictionary bool
}

// check compares the claims with the bytes left and the rows of the group. Dictionaries may have more entries than the
// group has rows, though no more than bytes.
func (p *pageHeader) check(left, rows int64) error {
	const ratio, slack = 1 << 12, 64 << 20 // a page of zeros packs well; beyond that nothing real does
	switch {
	case p.packed < 0 || p.packed > left:
		return errors.New("it is longer than its column")
	case p.unpacked < 0 || p.unpacked > ratio*p.packed+slack:
		return fmt.Errorf("%d bytes cannot unpack to %d", p.packed, p.unpacked)
	case p.values < 0 || p.values > max(rows, p.unpacked):
		return fmt.Errorf("it claims %d values", p.values)
	case p.levels < 0 || p.levels > p.packed:
		return errors.New("its levels are longer than itself")
	}
	return nil
}

// readPageHeader reads the header at a position, which ends before end.
func readPageHeader(f *source.File, at, end int64) (*pageHeader, error) {
	const first, most = 1 << 10, 16 << 20 // bytes; statistics may hold long texts
	for size := int64(first); ; size *= 16 {
		b := make([]byte, min(size, end-at))
		if err := readAt(f, b, at); err != nil {
			return nil, err
		}
		w := walker{b: b}
		var p pageHeader
		err := w.pageHeader(&p)
		if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) || size > most || size >= end-at {
			p.header = int64(w.at)
			return &p, err
		}
	}
}

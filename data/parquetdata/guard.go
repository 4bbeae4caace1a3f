package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// Decoding allocates memory for what a file claims: lists in the footer, pages, values in a page.
// The checks in this package come before it and compare the claims with the bytes that are there:
// here those of the footer and of page headers, in values.go those of what the pages hold.
//
//	PAR1 | page header, page | page header, page | ... | footer | its size | PAR1
//	       |------ column chunk, by the footer -------|

const tailSize = 8 // the size of the footer and the magic bytes

// readFooter checks both ends of a file and reads its footer.
func readFooter(b *table.Builder, f *source.File) (*format.FileMetaData, error) {
	head, tail := make([]byte, len(magic)), make([]byte, tailSize)
	if f.Size() < int64(len(magic)+tailSize) {
		head = head[:min(int64(len(magic)), f.Size())]
		tail = nil
	}
	if err := readAt(f, head, 0); err != nil {
		return nil, err
	}
	if string(head) != magic {
		return nil, &data.ReadError{Msg: "this is not a Parquet file", Err: data.ErrFormat}
	}
	if err := readAt(f, tail, f.Size()-int64(len(tail))); err != nil {
		return nil, err
	}
	if tail == nil || string(tail[4:]) != magic {
		return nil, &data.ReadError{Msg: "the Parquet file has no end: it is truncated",
			Err: data.ErrFormat}
	}
	size := int64(binary.LittleEndian.Uint32(tail))
	if size > f.Size()-int64(len(magic)+tailSize) {
		return nil, errors.New("the footer is larger than the file")
	}
	if err := b.Spare(0, size); err != nil {
		return nil, err
	}
	footer := make([]byte, size)
	if err := readAt(f, footer, f.Size()-tailSize-size); err != nil {
		return nil, err
	}
	w := walker{b: footer}
	if err := w.skip(thriftStruct); err != nil {
		return nil, err
	}
	if err := b.Spare(0, 2*size+w.made); err != nil {
		return nil, err
	}
	w = walker{b: footer}
	footer, err := w.without(make([]byte, 0, size), unneeded)
	if err != nil {
		return nil, err
	}
	meta := new(format.FileMetaData)
	return meta, thrift.Unmarshal(new(thrift.CompactProtocol), footer, meta)
}

func readAt(f *source.File, b []byte, at int64) error {
	if n, err := f.ReadAt(b, at); n < len(b) {
		return err
	}
	return nil
}

// chunkStart returns where the pages of a column chunk begin.
func chunkStart(m *format.ColumnMetaData) int64 {
	if m.DictionaryPageOffset != 0 {
		return m.DictionaryPageOffset
	}
	return m.DataPageOffset
}

// nearChunk returns the file with a column chunk in memory, if it is in a store. What the footer
// claims of the chunk is checked by checkChunk.
func nearChunk(
	f *source.File, group *format.RowGroup, column int, spare func(bytes int64) error,
) (*source.File, error) {
	m := &group.Columns[column].MetaData
	size := max(m.TotalCompressedSize, 0)
	if !f.Remote || size > f.Size() {
		return f, nil
	}
	if err := spare(size); err != nil {
		return nil, err
	}
	return f.Within(chunkStart(m), size)
}

// checkChunk walks over the pages of a column chunk: each must lie in the chunk and claim no more
// values than the row group has, and no more bytes than it can unpack to.
func checkChunk(f *source.File, group *format.RowGroup, column int) error {
	chunk := &group.Columns[column]
	switch {
	case chunk.FilePath != "":
		return fmt.Errorf("column %d: its pages are in another file", column)
	case chunk.CryptoMetadata.Value != nil:
		return fmt.Errorf("column %d: it is encrypted", column)
	}
	m := &chunk.MetaData
	at, size := chunkStart(m), m.TotalCompressedSize
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
		if p.is(format.DataPage) || p.is(format.DataPageV2) {
			values += p.values
		}
	}
	if values != group.NumRows {
		return fmt.Errorf("column %d: its pages hold %d values, the row group has %d rows", column,
			values, group.NumRows)
	}
	return nil
}

// pageHeader is what a page claims. The sizes are in bytes.
type pageHeader struct {
	header   int64 // of the header itself
	packed   int64 // in the file
	unpacked int64
	values   int64
	// of the levels, which stand before the values and are not packed in pages of version 2
	definition int64
	repetition int64

	kind          int64 // format.PageType
	encoding      int64 // format.Encoding
	levelEncoding int64
	checksum      int64 // 0: none
	plain         bool  // not packed, in pages of version 2
	seen          uint  // the headers that belong to kinds: bits of their fields' numbers
}

func (p *pageHeader) is(kind format.PageType) bool { return p.kind == int64(kind) }

// check compares the claims with the bytes left and the rows of the group. Dictionaries may have
// more entries than the group has rows, though no more than bytes.
func (p *pageHeader) check(left, rows int64) error {
	// a page of zeros packs well; beyond that nothing real does
	const ratio, slack = 1 << 12, 64 << 20
	switch {
	case p.packed < 0 || p.packed > left:
		return errors.New("it is longer than its column")
	case p.unpacked < 0 || p.unpacked > ratio*p.packed+slack:
		return fmt.Errorf("%d bytes cannot unpack to %d", p.packed, p.unpacked)
	case p.values < 0 || p.values > max(rows, p.unpacked):
		return fmt.Errorf("it claims %d values", p.values)
	case p.definition < 0 || p.repetition < 0 || p.definition > p.packed ||
		p.repetition > p.packed-p.definition:
		return errors.New("its levels are longer than itself")
	case p.is(format.DataPage) && p.seen != 1<<5, p.is(format.DictionaryPage) && p.seen != 1<<7,
		p.is(format.DataPageV2) && p.seen != 1<<8:
		return errors.New("it has the header of another kind")
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

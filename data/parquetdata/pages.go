package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/source"
)

// pages reads the pages of a column chunk for the decoder: unpacked, checked, and all data pages in
// version 2. It is to be read from its start to its end.
//
//	in the file   header | levels and values, packed | header | ...
//	here          header | levels | values           | header | ...
type pages struct {
	builder *table.Builder
	file    *source.File
	leaf    *leaf
	codec   format.CompressionCodec
	rows    int64 // of the row group
	at, end int64 // of what is left of the chunk in the file

	dictionary int    // values, -1: there was none
	out        []byte // the page under way
	from       int64  // where it begins in what the decoder reads
}

func newPages(b *table.Builder, f *source.File, group *format.RowGroup, l *leaf) *pages {
	m := &group.Columns[l.chunk].MetaData
	at := chunkStart(m)
	return &pages{builder: b, file: f, leaf: l, codec: m.Codec, rows: group.NumRows, at: at,
		end: at + m.TotalCompressedSize, dictionary: -1}
}

// ReadAt reads on; at must be in the page under way or right behind it.
func (p *pages) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	for n < len(b) {
		place := at + int64(n) - p.from
		switch {
		case place < 0 || place > int64(len(p.out)):
			return n, errors.New("the pages are read out of their order")
		case place < int64(len(p.out)):
			n += copy(b[n:], p.out[place:])
			continue
		}
		p.from += int64(len(p.out))
		p.out = nil
		if err := p.next(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// next makes the next page that has something to decode; io.EOF behind the last one.
func (p *pages) next() error {
	for p.at < p.end {
		h, err := readPageHeader(p.file, p.at, p.end)
		place := p.at
		if err == nil {
			p.at += h.header
			if err = h.check(p.end-p.at, p.rows); err == nil {
				err = p.page(h)
			}
		}
		if err != nil {
			return fmt.Errorf("column %q: page at %d: %w", p.leaf.name, place, err)
		}
		p.at += h.packed
		if p.out != nil {
			return nil
		}
	}
	return io.EOF
}

// page makes out of a page, nil if there is nothing in it to decode.
func (p *pages) page(h *pageHeader) error {
	kind := format.PageType(h.kind)
	switch {
	case kind == format.IndexPage || kind != format.DictionaryPage && h.values == 0:
		return nil
	case kind != format.DataPage && kind != format.DataPageV2 && kind != format.DictionaryPage:
		return fmt.Errorf("it is of the unknown kind %d", h.kind)
	case kind == format.DictionaryPage && p.dictionary >= 0:
		return errors.New("it is a second dictionary")
	}
	// The page as it is stored and unpacked, the copy that the decoder makes, and what it decodes.
	if err := p.builder.Spare(0, h.packed+3*h.unpacked+16*h.values); err != nil {
		return err
	}
	b, err := p.read(h)
	if err != nil {
		return err
	}
	if kind == format.DictionaryPage {
		return p.dictionaryPage(h, b)
	}
	return p.dataPage(h, b)
}

// read reads a page and unpacks it. The levels of a page of version 2 are not packed.
func (p *pages) read(h *pageHeader) ([]byte, error) {
	stored := make([]byte, h.packed)
	if err := readAt(p.file, stored, p.at); err != nil {
		return nil, err
	}
	if h.checksum != 0 && crc32.ChecksumIEEE(stored) != uint32(h.checksum) {
		return nil, errors.New("its checksum differs: the file is damaged")
	}
	codec, levels := p.codec, int64(0)
	if h.is(format.DataPageV2) {
		levels = h.definition + h.repetition
		if h.plain || levels == h.packed {
			codec = format.Uncompressed
		}
	}
	if codec == format.Uncompressed {
		if h.packed != h.unpacked {
			return nil, errSize
		}
		return stored, nil
	}
	if levels > h.unpacked {
		return nil, errSize
	}
	return unpack(codec, append(make([]byte, 0, h.unpacked), stored[:levels]...), stored[levels:])
}

// dictionaryPage makes out of a dictionary.
func (p *pages) dictionaryPage(h *pageHeader, b []byte) error {
	v := p.values(h, b, int(h.values))
	//lint:ignore SA1019 older writers name the encoding so
	if v.encoding == format.PlainDictionary {
		v.encoding = format.Plain
	}
	if v.encoding != format.Plain {
		return fmt.Errorf("a dictionary of the encoding %v", v.encoding)
	}
	if err := v.check(-1); err != nil {
		return err
	}
	p.dictionary = v.n
	return p.write(&format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(
		format.DictionaryPageHeader{NumValues: int32(v.n), Encoding: format.Plain})}, nil, v.b)
}

// dataPage makes out of a page of values.
func (p *pages) dataPage(h *pageHeader, b []byte) error {
	levels, b, err := p.levels(h, b)
	if err != nil {
		return err
	}
	n := int(h.values)
	if p.leaf.optional {
		if levels, n, err = present(levels, n); err != nil {
			return err
		}
	}
	v := p.values(h, b, n)
	if err := v.check(p.dictionary); err != nil {
		return err
	}
	if err := p.builder.Spare(0, v.decoded); err != nil {
		return err
	}
	return p.write(&format.PageHeader{Type: format.DataPageV2,
		DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{
			NumValues: int32(h.values), NumNulls: int32(h.values) - int32(n),
			NumRows:                    int32(h.values),
			Encoding:                   v.encoding,
			DefinitionLevelsByteLength: int32(len(levels)), IsCompressed: thrift.New(false),
		})}, levels, v.b)
}

func (p *pages) values(h *pageHeader, b []byte, n int) *values {
	return &values{kind: p.leaf.kind, size: p.leaf.size, n: n,
		encoding: format.Encoding(h.encoding), b: b}
}

// levels separates the definition levels of a page from its values. Columns of the outermost level
// have no others, though some writers reserve bytes for them in pages of version 2.
func (p *pages) levels(h *pageHeader, b []byte) (levels, rest []byte, err error) {
	if h.is(format.DataPageV2) {
		if h.definition+h.repetition > int64(len(b)) {
			return nil, nil, errFew
		}
		if b = b[h.repetition:]; p.leaf.optional {
			levels = b[:h.definition]
		}
		return levels, b[h.definition:], nil
	}
	if !p.leaf.optional {
		return nil, b, nil
	}
	if h.levelEncoding != int64(format.RLE) {
		return nil, nil, fmt.Errorf("levels of the encoding %v", format.Encoding(h.levelEncoding))
	}
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, errFew
	}
	size := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:size], b[size:], nil
}

// write puts a page together for the decoder.
func (p *pages) write(h *format.PageHeader, levels, values []byte) error {
	size := len(levels) + len(values)
	h.UncompressedPageSize, h.CompressedPageSize = int32(size), int32(size)
	b, err := thrift.Marshal(new(thrift.CompactProtocol), h)
	if err != nil {
		return err
	}
	p.out = append(append(append(make([]byte, 0, len(b)+size), b...), levels...), values...)
	return nil
}

// checkIndexes makes sure that the values of a page are in its dictionary.
func checkIndexes(page parquet.Page) error {
	d := page.Dictionary()
	if d == nil {
		return nil
	}
	values, size := page.Data(), uint32(d.Len())
	for _, i := range values.Int32() {
		if uint32(i) >= size {
			return fmt.Errorf("a value is number %d of a dictionary of %d", uint32(i), size)
		}
	}
	return nil
}

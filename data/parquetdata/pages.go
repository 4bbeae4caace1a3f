package parquetdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/internal/source"
)

// chunk is a column chunk whose pages are read, from the first to the last, and appended to a
// column.
type chunk struct {
	*decoder
	file  *source.File
	leaf  *leaf
	codec format.CompressionCodec
	rows  int64 // of the row group
	// returns an error if there is no memory for so many bytes at once
	spare func(bytes int64) error
	taken int64 // by the page under way
}

// readChunk appends the values of a row group, whose pages checkChunk has checked.
func (d *decoder) readChunk(
	f *source.File, group *format.RowGroup, l *leaf, spare func(bytes int64) error,
) error {
	m := &group.Columns[l.chunk].MetaData
	c := &chunk{decoder: d, file: f, leaf: l, codec: m.Codec, rows: group.NumRows, spare: spare}
	before := l.to.Rows()
	l.to.Grow(int(group.NumRows))
	d.begin(l)
	at := chunkStart(m)
	for end := at + m.TotalCompressedSize; at < end; {
		h, err := readPageHeader(f, at, end)
		place := at
		if err == nil {
			at += h.header
			if err = h.check(end-at, c.rows); err == nil {
				err = c.page(h, at)
			}
		}
		if err != nil {
			return fmt.Errorf("column %q: page at %d: %w", l.name, place, err)
		}
		at += h.packed
	}
	if n := l.to.Rows() - before; n != int(group.NumRows) {
		return fmt.Errorf("column %q has %d values, the row group %d rows", l.name, n,
			group.NumRows)
	}
	return nil
}

// page appends the rows of a page.
func (c *chunk) page(h *pageHeader, at int64) error {
	kind := format.PageType(h.kind)
	switch {
	case kind == format.IndexPage || kind != format.DictionaryPage && h.values == 0:
		return nil
	case kind != format.DataPage && kind != format.DataPageV2 && kind != format.DictionaryPage:
		return fmt.Errorf("it is of the unknown kind %d", h.kind)
	case kind == format.DictionaryPage && c.leaf.kind == format.Boolean:
		return errors.New("it is a dictionary of booleans")
	case kind == format.DictionaryPage && c.dictionary.n >= 0:
		return errors.New("it is a second dictionary")
	}
	// the page as it is stored and unpacked, and what is decoded
	c.taken = h.packed + 3*h.unpacked + 16*h.values
	if err := c.spare(c.taken); err != nil {
		return err
	}
	b, err := c.read(h, at)
	if err != nil {
		return err
	}
	if kind == format.DictionaryPage {
		return c.dictionaryPage(h, b)
	}
	return c.dataPage(h, b)
}

// read reads a page and unpacks it. The levels of a page of version 2 are not packed.
func (c *chunk) read(h *pageHeader, at int64) ([]byte, error) {
	c.stored = resize(c.stored, int(h.packed))
	stored := c.stored
	if err := readAt(c.file, stored, at); err != nil {
		return nil, err
	}
	if h.checksum != 0 && crc32.ChecksumIEEE(stored) != uint32(h.checksum) {
		return nil, errors.New("its checksum differs: the file is damaged")
	}
	codec, levels := c.codec, int64(0)
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
	c.unpacked = resize(c.unpacked, int(h.unpacked))
	copy(c.unpacked, stored[:levels])
	return unpack(codec, c.unpacked[:levels:h.unpacked], stored[levels:])
}

// dictionaryPage takes the values of a dictionary.
func (c *chunk) dictionaryPage(h *pageHeader, b []byte) error {
	v := c.valuesOf(h, b, int(h.values))
	//lint:ignore SA1019 older writers name the encoding so
	if v.encoding == format.PlainDictionary {
		v.encoding = format.Plain
	}
	if v.encoding != format.Plain {
		return fmt.Errorf("a dictionary of the encoding %v", v.encoding)
	}
	if err := v.check(); err != nil {
		return err
	}
	return c.setDictionary(c.leaf, v)
}

// dataPage appends a page of values.
func (c *chunk) dataPage(h *pageHeader, b []byte) error {
	levels, b, err := c.split(h, b)
	if err != nil {
		return err
	}
	n := int(h.values)
	if c.leaf.depth > 0 {
		c.levels = resize(c.levels, n)
		if n, err = present(levels, c.leaf.depth, c.levels); err != nil {
			return err
		}
	}
	return c.appendPage(int(h.values), c.valuesOf(h, b, n))
}

func (c *chunk) valuesOf(h *pageHeader, b []byte, n int) *values {
	return &values{kind: c.leaf.kind, size: c.leaf.size, n: n,
		encoding: format.Encoding(h.encoding), b: b}
}

// split separates the definition levels of a page from its values. Columns that
// are in no list have no others, though some writers reserve bytes for them in pages of version 2.
func (c *chunk) split(h *pageHeader, b []byte) (levels, rest []byte, err error) {
	if h.is(format.DataPageV2) {
		if h.definition+h.repetition > int64(len(b)) {
			return nil, nil, errFew
		}
		if b = b[h.repetition:]; c.leaf.depth > 0 {
			levels = b[:h.definition]
		}
		return levels, b[h.definition:], nil
	}
	if c.leaf.depth == 0 {
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

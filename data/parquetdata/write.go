package parquetdata

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data"
)

// Column is a column of a file to write. Any of its values may be null.
type Column struct {
	Name string
	Kind data.Kind // Numeric or Categorical: double-precision numbers, or texts
	// numbers are written as integers of 64 bits
	Integer bool
}

// Writer writes a Parquet file row by row. Its values are plain and not compressed, so that the
// same rows give the same bytes everywhere. It holds the rows of one row group, up to 16 MiB or
// 131,072 rows. It is not safe for concurrent use.
type Writer struct {
	out     io.Writer
	columns []columnBuffer
	rows    int   // of the row group that is not written yet
	bytes   int   // of its values
	at      int64 // bytes that were written
	meta    format.FileMetaData
}

// columnBuffer is a column of the row group that is not written yet.
type columnBuffer struct {
	Column
	values []byte // those that are no null
	there  []byte // a bit for each row: it has a value
}

// Limits of a row group.
const (
	groupRows  = 1 << 17
	groupBytes = 16 << 20
)

// NewWriter returns a writer of a file of some columns. Nothing is written before the first rows
// fill a row group, or before Close.
func NewWriter(w io.Writer, columns []Column) *Writer {
	own := &Writer{out: w}
	own.meta = format.FileMetaData{Version: 1, CreatedBy: "coppice",
		Schema: []format.SchemaElement{{Name: "schema",
			NumChildren: thrift.New(int32(len(columns)))}}}
	for _, c := range columns {
		e := format.SchemaElement{Name: c.Name, Type: thrift.New(c.physical()),
			RepetitionType: thrift.New(format.Optional)}
		if c.Kind.HasLevels() {
			e.ConvertedType = thrift.New(deprecated.UTF8)
			e.LogicalType = format.LogicalType{Value: &format.StringType{}}
		}
		own.meta.Schema = append(own.meta.Schema, e)
		own.columns = append(own.columns, columnBuffer{Column: c})
	}
	return own
}

func (c *Column) physical() format.Type {
	switch {
	case c.Kind.HasLevels():
		return format.ByteArray
	case c.Integer:
		return format.Int64
	}
	return format.Double
}

// Write adds a row, of which each field is a text or the text of a number; "" is null. A text that
// is no number of its column, and one of 2 GiB or more, is an error.
func (w *Writer) Write(fields []string) error {
	if len(fields) != len(w.columns) {
		return fmt.Errorf("a row of %d values for %d columns", len(fields), len(w.columns))
	}
	for i, text := range fields {
		c := &w.columns[i]
		before := len(c.values)
		if w.rows%8 == 0 {
			c.there = append(c.there, 0)
		}
		if text == "" {
			continue
		}
		c.there[w.rows/8] |= 1 << (w.rows % 8)
		if err := c.add(text); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		w.bytes += len(c.values) - before
	}
	if w.rows++; w.rows == groupRows || w.bytes >= groupBytes {
		return w.flush()
	}
	return nil
}

// add appends a value that is no null.
func (c *columnBuffer) add(text string) error {
	switch c.physical() {
	case format.Int64:
		v, err := strconv.ParseInt(text, 10, 64)
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v))
		return err
	case format.Double:
		v, err := strconv.ParseFloat(text, 64)
		c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(v))
		return err
	}
	if len(text) >= math.MaxInt32-groupBytes-groupRows { // a page has sizes of 32 bits
		return fmt.Errorf("a text of %d bytes is too long for a Parquet file", len(text))
	}
	c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(text))), text...)
	return nil
}

// flush writes the row group: a page for each column.
//
//	header, size of the levels, head of a bit-packed run, a bit for each row, values
func (w *Writer) flush() error {
	if w.rows == 0 {
		return nil
	}
	group := format.RowGroup{NumRows: int64(w.rows)}
	for i := range w.columns {
		c := &w.columns[i]
		levels := append(binary.AppendUvarint(nil, uint64(len(c.there))<<1|1), c.there...)
		size := 4 + len(levels) + len(c.values)
		header, err := thrift.Marshal(new(thrift.CompactProtocol), &format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: int32(size), CompressedPageSize: int32(size),
			DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(w.rows),
				Encoding: format.Plain, DefinitionLevelEncoding: format.RLE,
				RepetitionLevelEncoding: format.RLE})})
		if err != nil {
			return err
		}
		all := int64(len(header) + size)
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: format.ColumnMetaData{
			Type: c.physical(), Encoding: []format.Encoding{format.Plain, format.RLE},
			PathInSchema: []string{c.Name}, Codec: format.Uncompressed, NumValues: int64(w.rows),
			TotalUncompressedSize: all, TotalCompressedSize: all,
			DataPageOffset: max(w.at, int64(len(magic)))}})
		group.TotalByteSize += all
		header = binary.LittleEndian.AppendUint32(header, uint32(len(levels)))
		if err := w.write(append(header, levels...), c.values); err != nil {
			return err
		}
		c.values, c.there = c.values[:0], c.there[:0]
	}
	w.meta.RowGroups = append(w.meta.RowGroups, group)
	w.meta.NumRows += int64(w.rows)
	w.rows, w.bytes = 0, 0
	return nil
}

// write writes some parts of the file, the first behind the mark of the format.
func (w *Writer) write(parts ...[]byte) error {
	if w.at == 0 {
		parts = append([][]byte{[]byte(magic)}, parts...)
	}
	for _, part := range parts {
		n, err := w.out.Write(part)
		if w.at += int64(n); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the rows that are left and the end of the file. It does not close what it writes to.
func (w *Writer) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &w.meta)
	if err != nil {
		return err
	}
	return w.write(footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))),
		[]byte(magic))
}

package parquetdata

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const magic = "PAR1"

// Sniff reports whether a file that begins so is a Parquet file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Suffixes end the names of Parquet files, before .gz or .zst. Of a folder the files with such
// names are read.
var Suffixes = []string{".parquet", ".pq"}

// Open returns the table of files that have the same columns, one after the other; "-" is standard
// input. Its blocks are of one row group, or of several small ones. Paths may be patterns and
// folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = source.BinaryFormat("Parquet", Suffixes,
	source.Binary{Read: read, Fault: fault, Tail: true},
	func(b *table.Builder, f *source.File) (rows, columns int64, err error) {
		meta, err := footer(b, f)
		if err != nil {
			return 0, 0, err
		}
		return max(0, meta.NumRows), int64(len(meta.Schema) - 1), nil
	})

// footer reads the footer of a file.
func footer(b *table.Builder, f *source.File) (*format.FileMetaData, error) {
	const tail = 64 << 10 // bytes that hold most footers
	end, err := f.Within(max(f.Size()-tail, 0), min(f.Size(), tail))
	if err != nil {
		return nil, fault(b.File(), err)
	}
	meta, err := readFooter(b, end)
	if err != nil {
		return nil, fault(b.File(), err)
	}
	return meta, nil
}

// read appends the rows of one file. Several goroutines read column chunks.
func read(_ context.Context, b *table.Builder, f *source.File) error {
	meta, err := footer(b, f)
	if err != nil {
		return err
	}
	leaves, err := newLeaves(b, meta)
	if err != nil {
		return err
	}
	if !b.InBlocks() {
		growAll(b, f, meta, leaves)
	}
	if b.Scans() {
		leaves = slices.DeleteFunc(leaves, func(l leaf) bool { return l.known() })
	}
	groups := &table.Groups{}
	for i := range leaves {
		groups.Columns = append(groups.Columns, leaves[i].to)
	}
	for i := range meta.RowGroups {
		groups.Rows = append(groups.Rows, rowCount(meta.RowGroups[i].NumRows))
	}
	decoders := make([]*decoder, len(leaves)) // by goroutine
	groups.Read = func(worker, group, column int, spare func(bytes int64) error) error {
		if decoders[worker] == nil {
			decoders[worker] = new(decoder)
		}
		return source.Guard(f.Name, fault, func() error {
			return decoders[worker].read(f, &meta.RowGroups[group], &leaves[column], spare)
		})
	}
	return b.ReadGroups(groups)
}

// read checks the pages of a column chunk and appends its values.
func (d *decoder) read(
	f *source.File, group *format.RowGroup, l *leaf, spare func(bytes int64) error,
) error {
	near, err := nearChunk(f, group, l.chunk, spare)
	if err == nil {
		err = checkChunk(near, group, l.chunk)
	}
	held := int64(0)
	if near != f {
		held = group.Columns[l.chunk].MetaData.TotalCompressedSize
	}
	if err == nil {
		err = d.readChunk(near, group, l, func(bytes int64) error { return spare(held + bytes) })
	}
	if err != nil {
		return fault(f.Name, err)
	}
	return nil
}

// growAll allocates memory for the rows of all groups, so that values are not copied when another
// group follows. Of a file that claims more rows than its bytes are likely to hold it is left to
// each group.
func growAll(b *table.Builder, f *source.File, meta *format.FileMetaData, leaves []leaf) {
	rows := int64(0)
	for i := range meta.RowGroups {
		rows = min(rows+max(meta.RowGroups[i].NumRows, 0), table.MaxRows+1)
	}
	if rows > f.Size()/int64(max(len(leaves), 1)) || b.Limit(rowCount(rows)) != nil {
		return
	}
	for i := range leaves {
		leaves[i].to.Grow(int(rows))
	}
}

// rowCount turns a number of rows that a file claims into one that can be compared with limits.
func rowCount(n int64) int { return int(min(max(n, 0), table.MaxRows+1)) }

// fault gives an error its place; one that is not of this module reports that the file is damaged.
func fault(file string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return table.Damaged(file, "Parquet file", err)
}

// leaf is a needed column of the file.
type leaf struct {
	to    *table.Column
	name  string
	chunk int // its place in every row group
	kind  format.Type
	size  int // bytes of a value, 0 where it has no fixed size
	depth int // the level of a value that is not null; 0: none is
	form  table.Form
	put   put
}

// known reports whether a scan learns nothing from the values: they are floating-point numbers that
// stay such.
func (l *leaf) known() bool {
	return (l.form == table.Double || l.form == table.Single) &&
		l.to.Storage == table.Numbers && l.to.Kept.Dict == nil && l.to.Field.Kind == data.Numeric
}

// newLeaves finds the columns and leaves those out that are not needed.
func newLeaves(b *table.Builder, meta *format.FileMetaData) ([]leaf, error) {
	columns, err := columnsOf(meta, b.Ignores)
	if err != nil {
		return nil, fault(b.File(), err)
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	if err := b.Names(names); err != nil {
		return nil, err
	}
	var leaves []leaf
	for _, c := range columns {
		k := kindOf(c.SchemaElement)
		to, err := b.Column(c.name, k.typed)
		if err != nil {
			return nil, err
		}
		if !to.Used() {
			continue
		}
		if k.problem != "" {
			return nil, &data.ReadError{File: b.File(), Column: c.name, Err: data.ErrType,
				Msg: fmt.Sprintf("is %s, which has no place in a table (ignore the column)",
					k.problem)}
		}
		if k.short {
			to.Bits = 32
		}
		l := leaf{to: to, name: c.name, chunk: c.leaf, depth: c.depth,
			kind: c.Type.V, put: k.put, form: k.form}
		l.size = bytesOf(l.kind, int(c.TypeLength.V))
		if l.kind == format.FixedLenByteArray && l.size <= 0 {
			return nil, fault(b.File(), fmt.Errorf("column %q: texts of %d bytes", c.name, l.size))
		}
		leaves = append(leaves, l)
	}
	return leaves, nil
}

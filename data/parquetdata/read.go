package parquetdata

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/source"
	"github.com/coppice-ml/coppice/data/table"
)

const magic = "PAR1"

// Sniff reports whether a file that begins so is a Parquet file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Read reads a table from files that have the same columns, one after the other; "-" is standard input. It is
// ReadTable without the verbatim columns.
func Read(ctx context.Context, o table.Options, paths ...string) (*data.Frame, error) {
	return table.FrameOf(ReadTable(ctx, o, paths...))
}

// ReadBytes reads a table from memory, as Read reads a file of that name. It keeps no reference to b.
func ReadBytes(ctx context.Context, o table.Options, name string, b []byte) (*data.Frame, error) {
	return source.ReadBytes(ctx, &o, name, b, source.Binary{Read: read, Fault: fault})
}

// ReadTable reads a table from files that have the same columns, one after the other; "-" is standard input.
//
// Errors are of type *table.Error, or those of the context.
func ReadTable(ctx context.Context, o table.Options, paths ...string) (*table.Table, error) {
	return source.Read(ctx, &o, paths, source.Binary{Read: read, Fault: fault})
}

// read appends the rows of one file.
func read(_ context.Context, b *table.Builder, f *source.File) error {
	if err := checkFile(f); err != nil {
		return fault(b.File(), err)
	}
	file, err := parquet.OpenFile(f, f.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fault(b.File(), err)
	}
	leaves, err := newLeaves(b, file)
	if err != nil {
		return err
	}
	for i, group := range file.RowGroups() {
		if err := b.Limit(rowCount(group.NumRows())); err != nil {
			return err
		}
		for _, l := range leaves {
			if err := checkChunk(f, &file.Metadata().RowGroups[i], l.index); err != nil {
				return fault(b.File(), err)
			}
			if err := l.read(group); err != nil {
				return fault(b.File(), err)
			}
		}
		if err := b.EndRows(int(group.NumRows())); err != nil {
			return err
		}
	}
	return nil
}

// rowCount turns a number of rows that a file claims into one that can be compared with limits.
func rowCount(n int64) int { return int(min(max(n, 0), table.MaxRows+1)) }

// fault gives an error its place; one that is not of this module says that the file is damaged.
func fault(file string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return table.Damaged(file, "Parquet file", err)
}

// leaf is a wanted column of the file.
type leaf struct {
	to    *table.Column
	index int // of the column chunk in every row group
	put   put
}

// newLeaves finds the columns of the outermost level and leaves those out that nobody wants.
func newLeaves(b *table.Builder, file *parquet.File) ([]leaf, error) {
	columns := file.Root().Columns()
	elements := outermost(file.Metadata().Schema)
	if len(columns) != len(elements) {
		return nil, fault(b.File(), errors.New("the schema does not fit the columns"))
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name()
	}
	if err := b.Names(names); err != nil {
		return nil, err
	}
	var leaves []leaf
	for i, c := range columns {
		k := kindOf(elements[i])
		if c.Repeated() {
			k = kind{problem: "a list"}
		}
		to, err := b.Column(names[i], k.typed)
		if err != nil {
			return nil, err
		}
		if !to.Used() {
			continue
		}
		if k.problem != "" || !c.Leaf() {
			return nil, &table.Error{File: b.File(), Column: names[i], Err: table.ErrType,
				Msg: fmt.Sprintf("is %s, which has no place in a table (ignore the column)", k.problem)}
		}
		if k.short {
			to.Bits = 32
		}
		leaves = append(leaves, leaf{to: to, index: c.Index(), put: k.put})
	}
	return leaves, nil
}

// read appends the values of a row group.
func (l *leaf) read(group parquet.RowGroup) error {
	chunks := group.ColumnChunks()
	if l.index < 0 || l.index >= len(chunks) {
		return errors.New("a row group has too few columns")
	}
	before, rows := l.to.Rows(), int(group.NumRows())
	l.to.Grow(rows)
	pages := chunks[l.index].Pages()
	defer pages.Close()
	for l.to.Rows()-before < rows {
		page, err := pages.ReadPage()
		if err != nil {
			return err
		}
		err = l.readPage(page, rows-(l.to.Rows()-before))
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
	return nil
}

// readPage appends the values of a page, at most as many as are left.
func (l *leaf) readPage(page parquet.Page, left int) error {
	var buffer [512]parquet.Value
	values := page.Values()
	for {
		n, err := values.ReadValues(buffer[:])
		if n > left {
			return errors.New("a column has more values than the file has rows")
		}
		left -= n
		for i := range buffer[:n] {
			if v := &buffer[i]; v.IsNull() {
				l.to.AppendMissing()
			} else {
				l.put(l.to, v)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

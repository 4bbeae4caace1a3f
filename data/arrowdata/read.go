package arrowdata

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const (
	fileMagic    = "ARROW1"
	continuation = "\xff\xff\xff\xff" // begins every message of a stream
)

// Sniff reports whether a file that begins so is an Arrow file or stream. Streams of Arrow before
// 0.15 have no mark.
func Sniff(head []byte) bool {
	return bytes.HasPrefix(head, []byte(fileMagic)) || bytes.HasPrefix(head, []byte(continuation))
}

// Suffixes end the names of Arrow files, before .gz or .zst. Of a folder the files with such names
// are read.
var Suffixes = []string{".arrow", ".arrows", ".feather", ".ipc"}

// Open returns the table of files or streams that have the same columns, one after the other; "-"
// is standard input. Its blocks are of one record batch, or of several small ones. Paths may be
// patterns and folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = source.BinaryFormat("Arrow", Suffixes, source.Binary{Read: read, Fault: fault},
	func(b *table.Builder, f *source.File) (rows, columns int64, err error) {
		in, _, err := open(b, f)
		if err != nil {
			return 0, 0, fault(b.File(), err)
		}
		const value = 8 // bytes of most values
		columns = int64(in.Schema().NumFields())
		return f.Size() / value / max(1, columns), columns, nil
	})

// batches are the record batches of a file or a stream.
type batches interface {
	Schema() *arrow.Schema
	Read() (arrow.RecordBatch, error) // io.EOF behind the last one
}

// read appends the rows of one file.
func read(ctx context.Context, b *table.Builder, f *source.File) error {
	if f.Remote { // the decoder reads whole batches, whatever columns are needed
		if err := b.Spare(0, f.Size()); err != nil {
			return err
		}
	}
	f, err := f.Within(0, f.Size())
	if err != nil {
		return fault(b.File(), err)
	}
	in, known, err := open(b, f)
	if err != nil {
		return fault(b.File(), err)
	}
	columns, err := newColumns(b, in.Schema())
	if err != nil {
		return err
	}
	if stored, ok := known.asStored(in.Schema(), columns); ok {
		return readStored(b, f, known.batches, stored)
	}
	groups := &table.Groups{Rows: []int{0}}
	for _, c := range columns {
		groups.Columns = append(groups.Columns, c.to)
	}
	for {
		batch, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault(b.File(), err)
		}
		groups.Rows[0] = int(min(max(batch.NumRows(), 0), table.MaxRows+1))
		groups.Read = func(_, _, column int, _ func(int64) error) error {
			return source.Guard(f.Name, fault, func() error {
				if err := columns[column].appendValues(batch); err != nil {
					return fault(f.Name, err)
				}
				return nil
			})
		}
		if err := b.ReadGroups(groups); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// readStored appends the rows of all batches from where they are stored.
func readStored(
	b *table.Builder, f *source.File, batches []storedBatch, columns []storedColumn,
) error {
	groups := &table.Groups{}
	rows := 0
	for i := range batches {
		groups.Rows = append(groups.Rows, int(batches[i].rows))
		rows = min(rows+int(batches[i].rows), table.MaxRows+1)
	}
	grow := !b.InBlocks() && b.Limit(rows) == nil
	for i := range columns {
		groups.Columns = append(groups.Columns, columns[i].to)
		if grow {
			columns[i].to.Grow(rows)
		}
	}
	groups.Read = func(_, group, column int, spare func(bytes int64) error) error {
		return source.Guard(f.Name, fault, func() error {
			err := columns[column].read(f, &batches[group], spare)
			if err != nil {
				return fault(f.Name, err)
			}
			return nil
		})
	}
	return b.ReadGroups(groups)
}

// open checks a file or stream and starts the decoder.
func open(b *table.Builder, f *source.File) (in batches, known known, err error) {
	head := make([]byte, min(int64(len(fileMagic)), f.Size()))
	if err := readAt(f, head, 0); err != nil {
		return nil, known, err
	}
	options := []ipc.Option{ipc.WithAllocator(newAllocator(b, f.Size())),
		ipc.WithEnsureNativeEndian(true)}
	switch {
	case string(head) == fileMagic:
		if known, err = checkFile(f); err == nil {
			in, err = ipc.NewFileReader(f, options...)
		}
	case bytes.HasPrefix(head, []byte("FEA1")):
		err = &data.ReadError{Msg: "this is a Feather file of version 1: write it anew as " +
			"Feather 2, which is an Arrow IPC file", Err: data.ErrFormat}
	case !bytes.HasPrefix(head, []byte(continuation)):
		err = &data.ReadError{Msg: "this is not an Arrow IPC file or stream", Err: data.ErrFormat}
	default:
		if known, err = checkStream(f); err == nil {
			in, err = ipc.NewReader(f, options...)
		}
	}
	return in, known, err
}

// fault gives an error its place; one that is not of this module reports that the file is damaged.
func fault(file string, err error) error { return table.Damaged(file, "Arrow data", err) }

// column is a needed column of the file.
type column struct {
	to   *table.Column
	path []int // its place in a batch, or that of a struct and its place in that
}

// newColumns finds the columns that are needed.
func newColumns(b *table.Builder, schema *arrow.Schema) ([]column, error) {
	fields := columnsOf(nil, "", nil, schema.Fields(), b.Ignores)
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	if err := b.Names(names); err != nil {
		return nil, err
	}
	var columns []column
	for i := range fields {
		k := kindOf(fields[i].typed)
		c, err := b.Column(names[i], k.typed)
		if err != nil {
			return nil, err
		}
		if !c.Used() {
			continue
		}
		if k.problem != "" {
			return nil, &data.ReadError{File: b.File(), Column: names[i], Err: data.ErrType,
				Msg: fmt.Sprintf("is %s, which has no place in a table (ignore the column)",
					k.problem)}
		}
		if k.short {
			c.Bits = 32
		}
		c.Literal = c.Literal || fields[i].typed.ID() == arrow.DICTIONARY // declared categories
		columns = append(columns, column{c, fields[i].path})
	}
	return columns, nil
}

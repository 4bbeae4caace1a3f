package tables

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data/stores"
	"github.com/coppice-ml/coppice/internal/outside"
)

// What a shell waits for: the first bytes of a text, and some time for any other file.
const (
	firstBytes = 1 << 20
	patience   = 2 * time.Second
)

// ColumnNames returns the columns of a table for completion on the command line; nil: it cannot be
// read, or not soon.
func ColumnNames(ctx context.Context, path string) []string {
	ctx, end := outside.WithTimeout(ctx, patience, context.DeadlineExceeded)
	defer end()
	in := Input{}
	in.Stores, in.Stdin, in.Log = stores.New(), strings.NewReader(""), (&cli.Console{Err: io.Discard,
		Progress: &cli.Progress{}}).Note
	if start := startOf(path); start != nil {
		in.Bytes = map[string][]byte{path: start}
	}
	t, err := in.open(ctx, []string{path})
	if err != nil {
		return nil
	}
	f, err := t.Frame(ctx)
	if err != nil && in.Bytes != nil {
		in.Bytes = nil // a file that is no text is read whole
		if t, err = in.open(ctx, []string{path}); err == nil {
			f, err = t.Frame(ctx)
		}
	}
	if err != nil {
		return nil
	}
	var names []string
	for i := range f.Schema.Fields {
		if name := f.Schema.Fields[i].Source(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// startOf returns the first lines of a long file; nil: the file is short, or not there.
func startOf(path string) []byte {
	f, err := outside.OpenFile(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, firstBytes)
	n, err := f.ReadAt(start, 0)
	if err != nil {
		return nil
	}
	return start[:bytes.LastIndexByte(start[:n], '\n')+1]
}

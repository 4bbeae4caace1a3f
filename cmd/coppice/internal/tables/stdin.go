package tables

import (
	"context"
	"os"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

// Of standard input up to so many bytes are in memory, and up to a fraction of its limit.
const (
	mostStored = 64 << 20
	storedPart = 16
)

// StoreStdin reads standard input to its end, if it is among paths, so that it can be read in
// blocks as files are: by options that are made from here on. What memory does not hold is in a
// scratch file of a folder, until the function is called that is returned.
func (o *ReadFlags) StoreStdin(
	ctx context.Context, c *cli.Console, paths []string, scratch string,
) (end func() error, err error) {
	if !slices.Contains(paths, "-") {
		return func() error { return nil }, nil
	}
	limit, err := o.MemoryFlag.Limit()
	if err != nil {
		return nil, err
	}
	c.Progress.Begin("reading")
	s, err := source.Store(ctx, source.Stdin, c.In, min(mostStored, limit.Bytes()/storedPart),
		scratch)
	if err != nil {
		return nil, err
	}
	if c.In = s; s.InFile() {
		folder := scratch
		if folder == "" {
			folder = os.TempDir()
		}
		c.Notice("standard input, %s, is in a scratch file in %s", memory.Text(s.Size()),
			humanize.Name(folder))
	}
	return s.Close, nil
}

// once reports whether something among paths can be read once only: standard input that is not
// stored, pipes, the rows of a query.
func (in *Input) once(paths []string) bool {
	_, stored := in.Stdin.(*source.Stored)
	return slices.ContainsFunc(paths, func(path string) bool {
		return path == "-" && !stored || path == cli.QueryOperand || source.IsPipe(path)
	})
}

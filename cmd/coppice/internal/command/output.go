package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/printable"
	"github.com/coppice-ml/coppice/internal/replace"
)

// writable finds out before the work whether a file can be written afterwards, and that it is none
// of those which the command reads.
func writable(path string, inputs ...string) error {
	if path == "" || path == "-" {
		return misusef("-o %q: want the name of a file", path)
	}
	if err := replace.Check(path); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	there, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && info.Mode().IsRegular() && os.SameFile(info, there) {
			return misusef("-o %s would overwrite the input %s", path, input)
		}
	}
	return nil
}

// fileFlag names the file of a text result.
type fileFlag struct {
	path string
	ctx  context.Context // ends the writing; nil: nothing does
}

func (o *fileFlag) define(f *pflag.FlagSet) {
	f.StringVarP(&o.path, "out", "o", "-", "write to `FILE`; - is standard output")
}

// check is writable for a file.
func (o *fileFlag) check(inputs ...string) error {
	if o.path == "-" {
		return nil
	}
	return writable(o.path, inputs...)
}

// write writes the result: a file appears only once it is complete. What write writes is shown, not
// obeyed (printable.Writer); csvFlag.writer takes that away.
func (o *fileFlag) write(c *console, write func(io.Writer) error) error {
	if o.ctx != nil {
		whole := write
		write = func(w io.Writer) error { return whole(&patient{o.ctx, w}) }
	}
	if o.path == "-" {
		return write(c.out)
	}
	var work error
	err := replace.File(o.path, func(w io.Writer) error {
		text := printable.NewWriter(w, false)
		work = write(text)
		return errors.Join(work, text.Flush())
	})
	if file := (*fs.PathError)(nil); work != nil && !errors.As(work, &file) {
		return work // not the fault of the file
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.path, err)
	}
	return nil
}

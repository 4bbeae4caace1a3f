package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/internal/source"
)

// Writable checks before the work that a file can be written after it. A file that the command
// reads is refused.
func Writable(path string, inputs ...string) error { return WritableBy("-o", path, inputs...) }

// WritableBy is Writable for the file of another flag.
func WritableBy(flag, path string, inputs ...string) error {
	if path == "" || path == "-" {
		return Misusef("%s %q: want the name of a file", flag, path)
	}
	if err := replace.Check(path); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	there, err := source.Info(path)
	if err != nil || there == nil {
		return err
	}
	for _, input := range inputs {
		if input == "" {
			continue
		}
		files, err := source.Expand(context.Background(), nil, []string{input}, nil)
		if source.Unclear(err) {
			return err
		}
		if err != nil {
			files = []string{input} // what is wrong with it is for the reader to report
		}
		for _, file := range files {
			info, err := source.Info(file)
			if err != nil {
				return err
			}
			if info != nil && info.Mode().IsRegular() && os.SameFile(info, there) {
				return Misusef("%s %s would overwrite the input %s", flag, path, file)
			}
		}
	}
	return nil
}

// FileFlag names the file of a text result.
type FileFlag struct {
	Path string
	Ctx  context.Context // writing fails once it is done; nil: writing never stops early
}

// Define defines --out, with standard output as the default.
func (o *FileFlag) Define(f *pflag.FlagSet) {
	f.StringVarP(&o.Path, "out", "o", "-", "write to `FILE`; - is standard output")
}

// Check is Writable for the file of the flag; standard output is always accepted.
func (o *FileFlag) Check(inputs ...string) error {
	if o.Path == "-" {
		return nil
	}
	for _, ending := range []string{".gz", ".zst", ".zip", ".xlsx"} {
		if strings.HasSuffix(strings.ToLower(o.Path), ending) {
			return Misusef("-o %s: the result is text, and is not written as %s: leave out the ending, or "+
				"write to standard output and compress that", o.Path, ending)
		}
	}
	return Writable(o.Path, inputs...)
}

// Write writes the result. A file appears only once it is complete. Control sequences are escaped
// (humanize.Writer), unless the result is CSV (CSVFlag.Write).
func (o *FileFlag) Write(c *Console, write func(io.Writer) error) error {
	if o.Ctx != nil {
		whole := write
		write = func(w io.Writer) error { return whole(&interruptibleWriter{o.Ctx, w}) }
	}
	if o.Path == "-" {
		return write(c.Out)
	}
	var work error
	err := replace.File(o.Path, func(w io.Writer) error {
		text := humanize.NewWriter(w, false)
		work = write(text)
		return errors.Join(work, text.Flush())
	})
	if file := (*fs.PathError)(nil); work != nil && !errors.As(work, &file) {
		return work // the error is not about the file
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", o.Path, err)
	}
	return nil
}

// Print is Write by a function that prints to the console that it gets.
func (o *FileFlag) Print(c *Console, print func(out *Console) error) error {
	return o.Write(c, func(w io.Writer) error {
		out := *c
		out.Out = w
		return print(&out)
	})
}

// ResultFlags are the flags of a result that is CSV, or one JSON object.
type ResultFlags struct {
	FileFlag
	CSVFlag
	JSONFlag
}

// Define defines the flags of the section Output.
func (o *ResultFlags) Define(f *pflag.FlagSet) {
	o.FileFlag.Define(f)
	o.CSVFlag.Define(f)
	o.JSONFlag.Define(f)
}

// Check refuses flags that exclude each other, and files as FileFlag.Check does.
func (o *ResultFlags) Check(inputs ...string) error {
	if o.Safe && o.JSON {
		return Misusef("--safe-csv does not go with --json: use one of them")
	}
	return o.FileFlag.Check(inputs...)
}

// Write writes a result: the value as JSON if it is requested, else the lines of a function as CSV.
func (o *ResultFlags) Write(c *Console, result any, write func(lines *CSVWriter) error) error {
	return o.FileFlag.Print(c, func(out *Console) error {
		if o.JSON {
			return out.JSON(result)
		}
		return o.CSVFlag.Write(c, out.Out, write)
	})
}

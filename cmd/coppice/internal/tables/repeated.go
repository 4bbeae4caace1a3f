package tables

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/source"
)

// RepeatFlag allows a command to read one file twice.
type RepeatFlag struct{ allowed bool }

func (o *RepeatFlag) define(f *pflag.FlagSet) {
	f.BoolVar(&o.allowed, "allow-repeated", false,
		"read a file twice if it is named twice, also by another name or a link "+
			"(default: an error)")
}

// File is a file that a command reads rows from.
type File struct {
	flag string // the flag that names it, such as "--test"; "" = it is an operand
	path string
}

// Files returns the operands of a command as files.
func Files(paths []string) []File {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i].path = path
	}
	return files
}

// Check refuses a file that is named twice, also by another name or a link. Standard input can
// never be read twice. Files that do not exist are not reported here but by the reader.
func (o *RepeatFlag) Check(files ...File) error {
	files, err := expand(files)
	if err != nil {
		return err
	}
	found := make([]os.FileInfo, len(files))
	input := false
	for i, f := range files {
		if f.path == "-" {
			if input {
				return cli.Misusef("standard input can be read only once")
			}
			input = true
			continue
		}
		if o.allowed {
			continue
		}
		if source.IsURL(f.path) {
			for k, other := range files[:i] {
				if other.path == f.path {
					return repeated(files[k], f)
				}
			}
			continue
		}
		info, err := source.Info(f.path)
		if err != nil {
			return err
		}
		if info == nil {
			continue
		}
		found[i] = info
		for k, other := range found[:i] {
			if other != nil && os.SameFile(info, other) {
				return repeated(files[k], f)
			}
		}
	}
	return nil
}

// expand replaces patterns and folders by their files. What is wrong with them is for the reader to
// report.
func expand(files []File) ([]File, error) {
	var all []File
	for _, f := range files {
		paths, err := source.Expand(context.Background(), nil, []string{f.path}, new(Input).suffixes())
		if source.Unclear(err) {
			return nil, err
		}
		if err != nil {
			paths = []string{f.path}
		}
		for _, path := range paths {
			all = append(all, File{f.flag, path})
		}
	}
	return all, nil
}

// repeated is the error of a file that is named a second time. It explains the effect of reading it
// twice.
func repeated(first, second File) error {
	named := second.path
	if second.flag != "" {
		named = second.flag + " " + named
	}
	is := "is named twice"
	if second.flag != "" || first.path != second.path {
		is = "is the same file as " + first.path
		if first.flag != "" {
			is = "is the same file as " + first.flag + " " + first.path
		}
	}
	why := "its rows would count twice"
	if second.flag != "" {
		why = "metrics on rows that the model was trained on do not estimate its error on new rows"
	}
	return cli.Misusef("%s %s: %s (--allow-repeated reads it again)", named, is, why)
}

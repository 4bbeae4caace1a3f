package coppice

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/model"
)

// ErrNotModel says that a file is none that Save wrote. It may be a model of another tool: codec/formats finds out.
var ErrNotModel = errors.New("it is not a Coppice model file")

// Open reads a model that Save wrote; docs/format.md describes the file. Errors name the file. Among their causes are
// fs.ErrNotExist, ErrNotModel, *codec.CorruptError for a damaged or truncated file and *codec.UnsupportedError for one
// that a newer version of Coppice wrote.
func Open(path string) (model.Model, error) {
	m, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, cause(err))
	}
	return m, nil
}

func open(path string) (model.Model, error) {
	// Before opening, which would wait for the other end of a pipe.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Another Save may have put another file in its place since.
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("it is empty: %w", ErrNotModel)
	}
	return Read(f, info.Size())
}

// Read reads a model of size bytes, as Write wrote it.
func Read(r io.ReaderAt, size int64) (model.Model, error) {
	format := native.Format()
	head := make([]byte, 512)
	n, err := r.ReadAt(head[:min(size, int64(len(head)))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !format.Sniff(head[:n]) {
		return nil, ErrNotModel
	}
	return format.Decode(r, size, codec.Limits{})
}

// Write writes a model to w, as Save does to a file. The same model gives the same bytes. A type of model that cannot
// be stored is a *codec.UnsupportedError.
func Write(w io.Writer, m model.Model) error {
	return native.Encode(w, m)
}

// cause returns what lies below an error that repeats the name of the file.
func cause(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

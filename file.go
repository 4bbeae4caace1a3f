package coppice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/internal/mapped"
	"github.com/coppice-ml/coppice/model"
)

// ErrNotModel says that a file is none that Save wrote. It may be a model of another tool: codec/formats finds out.
var ErrNotModel = errors.New("it is not a Coppice model file")

// Open opens a model that Save wrote; docs/format.md describes the file. Errors name the file. Among their causes are
// fs.ErrNotExist, ErrNotModel, *codec.CorruptError for a damaged or truncated file and *codec.UnsupportedError for one
// that a newer version of Coppice wrote.
//
// A file of 1 MiB or more is not read but, on most systems of 64 bits, mapped into memory, and stays so until the program
// ends: its trees are used where they lie, and several programs share one copy. All of it is checked before Open returns,
// so it must not be written to afterwards, only replaced by another file of its name, as Save does; a program that uses a
// model whose file is truncated in place is ended by the system. Read is for files that others may write to, and for
// programs that open model after model.
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
	if info.Size() >= mapFrom {
		if b, unmap := mapped.File(f, info.Size()); b != nil {
			m, err := read(bytes.NewReader(b), info.Size(), func() (model.Model, error) { return native.DecodeInPlace(b, codec.Limits{}) })
			if err != nil {
				unmap() // nothing of a model is left
			}
			return m, err
		}
	}
	return Read(f, info.Size())
}

// mapFrom is the size from which on files are mapped: a mapping lasts and takes whole pages, and small files are read as
// fast.
const mapFrom = 1 << 20

// Read reads a model of size bytes, as Write wrote it. The model keeps nothing of r.
func Read(r io.ReaderAt, size int64) (model.Model, error) {
	return read(r, size, func() (model.Model, error) { return native.Decode(r, size, codec.Limits{}) })
}

// read decodes what r holds if it starts like a model.
func read(r io.ReaderAt, size int64, decode func() (model.Model, error)) (model.Model, error) {
	head := make([]byte, 512)
	n, err := r.ReadAt(head[:min(size, int64(len(head)))], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !native.Format().Sniff(head[:n]) {
		return nil, ErrNotModel
	}
	return decode()
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

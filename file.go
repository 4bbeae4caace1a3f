package coppice

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// ErrNotModel reports that Save did not write the file. It may be a model of another tool, which
// codec/formats may recognise.
var ErrNotModel = errors.New("it is not a Coppice model file (package " +
	"codec/formats opens those of other tools)")

// Open opens a model that Save wrote; docs/format.md describes the file. Errors name the file.
// Among their causes are fs.ErrNotExist, ErrNotModel, *codec.CorruptError for a damaged or
// truncated file and *codec.UnsupportedError for one that a newer version of Coppice wrote.
//
// The file is read into memory, once, and the trees are used where they lie there. What becomes of
// the file afterwards does not matter. A file that is written to while Open reads it is an error,
// ErrChanging or one of the above.
func Open(path string) (model.Model, error) { return open(path, readFile) }

// OpenMapped is Open for services that replace model files by renaming, as Save does: on most
// systems of 64 bits a file of 1 MiB or more is not read but mapped into memory, and stays so until
// it is closed. It opens in less time. Its memory is the system's cache of the file, which several
// programs share and the garbage collector never scans.
//
// All of the file is checked before OpenMapped returns, so it must not change while the model is in
// use. Replacing it by another file of its name is safe: the mapping keeps the old one. But writing
// to it changes predictions without an error, and truncating it ends the program: the system sends
// SIGBUS, which is no panic that a program could recover from.
//
// Programs that open model after model close each one that they need no longer: see Mapped. The
// mapping of a model that is not closed stays until the program ends.
func OpenMapped(path string) (*Mapped, error) {
	file := &mapping{}
	m, err := open(path, file.load)
	if err != nil {
		return nil, err
	}
	return &Mapped{Model: m, path: path, file: file}, nil
}

// ErrChanging reports that a file was written to while Open read it.
var ErrChanging = errors.New("it was written to while it was read: open it again, and replace " +
	"model files by renaming a new one")

// contents are the bytes of an open file in memory.
type contents struct {
	bytes   []byte
	owner   any    // of bytes, for model.Spec.Memory; nil: they are Go's
	discard func() // is called if they are no model; nil: there is nothing to do
}

// loader brings a file of so many bytes into memory.
type loader func(f *outside.File, size int64) (contents, error)

func open(path string, load loader) (model.Model, error) {
	m, err := openFile(path, load)
	if err != nil {
		return nil, fmt.Errorf("cannot open model %s: %w", path, cause(err))
	}
	return m, nil
}

func openFile(path string, load loader) (model.Model, error) {
	// Before opening, which would wait for the other end of a pipe.
	info, err := outside.FileInfo(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	f, err := outside.OpenFile(path)
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
	return read(f, info.Size(), func() (model.Model, error) {
		c, err := load(f, info.Size())
		if err != nil {
			return nil, err
		}
		m, err := native.DecodeInPlace(c.bytes, c.owner, codec.Limits{})
		if err != nil && c.discard != nil {
			c.discard() // nothing of a model is left
		}
		return m, err
	})
}

// readFile reads a file in one piece. What was written to it meanwhile shows: by its size or time,
// else by a checksum.
func readFile(f *outside.File, size int64) (contents, error) {
	if int64(int(size)) != size {
		return contents{}, fmt.Errorf("a file of %d bytes is too large for this system", size)
	}
	before, err := f.Stat()
	if err != nil {
		return contents{}, err
	}
	b := make([]byte, size)
	if n, err := f.ReadAt(b, 0); n < len(b) && !errors.Is(err, io.EOF) {
		return contents{}, err
	}
	after, err := f.Stat()
	if err == nil && (after.Size() != size || !after.ModTime().Equal(before.ModTime())) {
		err = ErrChanging
	}
	return contents{bytes: b}, err
}

// Read reads a model of size bytes, as Write wrote it. The model keeps nothing of r.
func Read(r io.ReaderAt, size int64) (model.Model, error) {
	return read(r, size, func() (model.Model, error) {
		return native.Decode(r, size, codec.Limits{})
	})
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

// Write writes a model to w, as Save does to a file. The same model gives the same bytes. A type of
// model that cannot be stored is a *codec.UnsupportedError.
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

// OpenVerified is Open that predicts the golden rows of the model again: see model.Verify, whose
// errors it has, too.
func OpenVerified(path string) (model.Model, error) {
	m, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := model.Verify(m); err != nil {
		return nil, fmt.Errorf("model %s: %w", path, err)
	}
	return m, nil
}

// ID returns the hash of what a model predicts with, 32 hexadecimal digits. It is that of a copy
// too, and of the same training that stores another profile, search or note: see native.ID.
func ID(m model.Model) (string, error) { return native.ID(m) }

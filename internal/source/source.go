package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/table"
	"github.com/coppice-ml/coppice/memory"
)

// Source is a regular file, or bytes in memory or stored.
type Source struct {
	Name string // for messages
	Size int64  // in bytes, as stored

	// Encoding of the text is that of a byte order mark, if it has one, else this one:
	// data.ReadOptions.Encoding.
	Encoding string

	// Decoders are data.ReadOptions.Decoders.
	Decoders []data.Decoder

	Partitions []table.Partition // by the names of its folders

	held io.ReaderAt   // the bytes; nil for a file
	once io.ReadCloser // what can be read once only, from its start; nil: what can be opened again

	version *version // of a file

	store  data.Store // nil: the file system
	stored data.StoredFile

	ahead  *ahead // reads the source before its turn, as the one of this number; nil: nothing does
	number int
}

// Stdin is the name of standard input in messages.
const Stdin = "stdin"

// All opens paths; "-" stands for standard input, which is os.Stdin unless the options give
// another. Patterns and folders stand for the files that Expand finds, of which the suffixes are
// those of tables. What cannot be opened twice is read, up to the options' limit of memory, unless
// it is opened once.
func All(
	ctx context.Context, o *data.ReadOptions, paths, suffixes []string, once bool,
) ([]Source, error) {
	if len(paths) == 0 {
		return nil, table.BadOption("no file to read")
	}
	paths, err := expandAll(ctx, o, paths, suffixes)
	if err != nil {
		return nil, err
	}
	sources := make([]Source, len(paths))
	stored := remotes(ctx, o, paths)
	held := false
	for i, p := range paths {
		if p == "-" && held {
			return nil, table.BadOption("standard input can be read only once")
		}
		held = held || p == "-"
		if b, ok := o.Bytes[p]; ok {
			sources[i] = Bytes(p, b)
		} else if of := stored[i]; of != nil {
			sources[i], err = *of.source, of.err
		} else {
			sources[i], err = newSource(ctx, p, o, once)
		}
		if err != nil {
			return nil, err
		}
		sources[i].Partitions = table.Partitions(sources[i].Name)
	}
	return sources, checkPartitions(sources)
}

// Bytes returns a source in memory, which refers to b.
func Bytes(name string, b []byte) Source {
	return Source{Name: name, Size: int64(len(b)), held: bytes.NewReader(b)}
}

// Beside returns the source whose name is that of s, with or without its .gz or .zst, and a suffix,
// itself compressed or not: rank.train.query or rank.train.gz.query for rank.train.gz. It is nil if
// there is none, or if s is no file of this system.
func (s *Source) Beside(suffix string) (*Source, error) {
	if s.held != nil || s.store != nil {
		return nil, nil
	}
	plain := strings.TrimSuffix(strings.TrimSuffix(s.Name, ".gz"), ".zst")
	for _, name := range []string{s.Name, plain} {
		for _, packed := range []string{"", ".gz", ".zst"} {
			path := name + suffix + packed
			info, err := Info(path)
			if err != nil {
				return nil, err
			}
			if info != nil && info.Mode().IsRegular() {
				return &Source{Name: path, Size: info.Size(), Encoding: s.Encoding,
					Decoders: s.Decoders, version: new(version)}, nil
			}
		}
	}
	return nil, nil
}

// newSource opens a path; "-" and whatever is not a regular file is read into memory, unless it is
// read once.
func newSource(ctx context.Context, path string, o *data.ReadOptions, once bool) (Source, error) {
	if path == "-" {
		var in io.Reader = os.Stdin
		if o.Stdin != nil {
			in = o.Stdin
		}
		if stored, is := in.(*Stored); is {
			return Source{Name: Stdin, Size: stored.Size(), held: stored}, nil
		}
		if once {
			return Source{Name: Stdin, Size: endless, once: io.NopCloser(in)}, nil
		}
		return buffer(ctx, Stdin, in, o.Memory)
	}
	if store, err := ofURL(o.Stores, path); err != nil {
		return Source{}, err
	} else if store != nil {
		return newRemote(ctx, store, path, o)
	}
	info, err := outside.FileInfo(path)
	if err != nil {
		return Source{}, fileError(path, err)
	}
	if info.IsDir() {
		return Source{}, &data.ReadError{File: path, Msg: "is a directory", Err: errDirectory}
	}
	if info.Mode().IsRegular() {
		return Source{Name: path, Size: info.Size(), version: new(version)}, nil
	}
	f, err := outside.OpenFile(path)
	if err != nil {
		return Source{}, fileError(path, err)
	}
	if once {
		return Source{Name: path, Size: endless, once: f}, nil
	}
	defer f.Close()
	return buffer(ctx, path, f, o.Memory)
}

// endless is the size of a source of which nobody knows it.
const endless = 1 << 40

var errDirectory = errors.New("source: is a directory")

func buffer(ctx context.Context, name string, r io.Reader, limit memory.Limit) (Source, error) {
	b, err := io.ReadAll(io.LimitReader(&cancellable{ctx: ctx, r: r}, limit.Bytes()+1))
	if ctx.Err() != nil {
		return Source{}, ctx.Err()
	}
	if err != nil {
		return Source{}, fileError(name, err)
	}
	if err := limit.Check("what is no file and has to be held", int64(len(b))); err != nil {
		return Source{}, &data.ReadError{File: name, Msg: err.Error(),
			Err: errors.Join(data.ErrLimit, err)}
	}
	return Bytes(name, b), nil
}

// fileError turns an error of package os into one line that begins with the file's name.
func fileError(name string, err error) error {
	msg := err.Error()
	var p *fs.PathError
	if known := (*data.ReadError)(nil); errors.As(err, &known) {
		return known
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg = "no such file"
	case errors.As(err, &p):
		msg = p.Err.Error()
	}
	return &data.ReadError{File: name, Msg: msg, Err: err}
}

// cancellable reads until its context is done, and counts the bytes.
type cancellable struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (p *cancellable) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	p.n += int64(n)
	return n, err
}

// File is an opened source as it is stored, to be read at any place.
type File struct {
	*io.SectionReader
	Name   string
	Remote bool // in a store, where each reading is a request
	Close  func()
	atEnd  func() error // checks the version of a file of the file system
}

// Open opens a source for a reader of a binary format. Reading ends when the context is done.
func (s *Source) Open(ctx context.Context) (*File, error) {
	f := &File{Name: s.Name, Close: func() {}, atEnd: func() error { return nil }}
	r := s.held
	switch {
	case s.store != nil:
		r, f.Remote = remoteAt{ctx, s}, true
	case s.held == nil:
		file, err := outside.OpenFile(s.Name)
		if err != nil {
			return nil, fileError(s.Name, err)
		}
		if err = s.version.check(s.Name, file, s.Size); err != nil {
			file.Close()
			return nil, err
		}
		r, f.Close = file, func() { file.Close() }
		f.atEnd = func() error { return s.version.checkEnd(s.Name, file) }
	}
	f.SectionReader = io.NewSectionReader(cancellableAt{ctx, r}, 0, s.Size)
	return f, nil
}

// cancellableAt reads until its context is done.
type cancellableAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (p cancellableAt) ReadAt(b []byte, at int64) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.ReadAt(b, at)
}

// Reader reads sources of one format into a builder.
type Reader interface {
	// Add reads one source, which the builder has begun.
	Add(ctx context.Context, b *table.Builder, s *Source) error
	// Finish adds what is known only after all sources.
	Finish(b *table.Builder) error
}

// add adds sources to a builder.
func add(
	ctx context.Context, b *table.Builder, o *data.ReadOptions, sources []Source, r Reader,
) error {
	sources, stop := ReadAhead(ctx, o, sources)
	defer stop()
	for i := range sources {
		b.Begin(sources[i].Name, sources[i].Partitions)
		if err := r.Add(ctx, b, &sources[i]); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
	}
	return r.Finish(b)
}

// Binary is a Reader of a binary format, of which every file stands alone. Whatever its decoder
// does on a damaged one becomes an error.
type Binary struct {
	// appends the rows of a file, which is open
	Read func(ctx context.Context, b *table.Builder, f *File) error
	// the message for a file on which the decoder panicked
	Fault func(file string, err error) error
	// Tail reports that reading begins with the last bytes of a file, which hold its footer.
	Tail bool
}

// Add reads one source.
func (r Binary) Add(ctx context.Context, b *table.Builder, s *Source) error {
	return Guard(b.File(), r.Fault, func() error {
		f, err := s.Open(ctx)
		if err != nil {
			return err
		}
		defer f.Close()
		if r.Tail && s.ahead != nil && f.Remote {
			s.ahead.file(s, f)
		}
		if err := r.Read(ctx, b, f); err != nil {
			return err
		}
		return f.atEnd()
	})
}

// Guard makes an error of a panic in do: on the goroutine that calls it, also one by memory that is
// mapped and not there.
func Guard(name string, fault func(file string, err error) error, do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			reason, is := p.(error)
			if !is {
				reason = fmt.Errorf("%v", p)
			}
			err = fault(name, reason)
		}
	}()
	return do()
}

// Finish does nothing.
func (Binary) Finish(*table.Builder) error { return nil }

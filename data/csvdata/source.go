package csvdata

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// source is a text that can be opened more than once: a regular file, or bytes in memory.
type source struct {
	name string
	held []byte // the bytes, if the source is not a file
	size int64  // in bytes, as stored
}

// newSource looks at a path; "-" and whatever is not a regular file (pipes, devices) is read into memory.
func newSource(ctx context.Context, path string, stdin io.Reader) (source, error) {
	if path == "-" {
		if stdin == nil {
			stdin = os.Stdin
		}
		return hold(ctx, "stdin", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return source{}, fileError(path, err)
	}
	if info.IsDir() {
		return source{}, &Error{File: path, Msg: "is a directory", Err: errDirectory}
	}
	if info.Mode().IsRegular() {
		return source{name: path, size: info.Size()}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return source{}, fileError(path, err)
	}
	defer f.Close()
	return hold(ctx, path, f)
}

var errDirectory = errors.New("csvdata: is a directory")

func hold(ctx context.Context, name string, r io.Reader) (source, error) {
	b, err := io.ReadAll(&patient{ctx: ctx, r: r})
	if ctx.Err() != nil {
		return source{}, ctx.Err()
	}
	if err != nil {
		return source{}, fileError(name, err)
	}
	return source{name: name, held: b, size: int64(len(b))}, nil
}

// fileError turns an error of package os into one line that begins with the file's name.
func fileError(name string, err error) error {
	msg := err.Error()
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg = "no such file"
	case errors.As(err, &p):
		msg = p.Err.Error()
	}
	return &Error{File: name, Msg: msg, Err: err}
}

// patient reads until its context is done, and counts the bytes.
type patient struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	p.n += int64(n)
	return n, err
}

// input is an opened source, decompressed.
type input struct {
	name   string
	stored *patient // what was read of the source, as stored
	size   int64
	r      io.Reader
	packed string // "gzip", "zstd" or ""
	close  func()
}

// open begins to read a source from its start, past a byte order mark.
func (s *source) open(ctx context.Context) (in input, err error) {
	in = input{name: s.name, size: s.size, close: func() {}}
	in.stored = &patient{ctx: ctx, r: bytes.NewReader(s.held)}
	if s.held == nil {
		f, err := os.Open(s.name)
		if err != nil {
			return in, fileError(s.name, err)
		}
		in.stored.r, in.close = f, func() { f.Close() }
	}
	b := bufio.NewReader(in.stored)
	in.r = b
	head, err := b.Peek(magicSize)
	if err != nil && err != io.EOF {
		in.close()
		return in, in.fault(err)
	}
	if err := in.unpack(b, head); err != nil {
		in.close()
		return in, in.fault(err)
	}
	return in, nil
}

// unpack puts a decompressor before the input if its first bytes ask for one.
func (in *input) unpack(b *bufio.Reader, head []byte) error {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		in.packed = "gzip"
		z, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		b = bufio.NewReader(z)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		in.packed = "zstd"
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		file := in.close
		in.close = func() { z.Close(); file() }
		b = bufio.NewReader(z)
	}
	in.r = b
	head, err := b.Peek(magicSize)
	if err != nil && err != io.EOF {
		return err
	}
	if format := foreign(head); format != "" {
		return &Error{File: in.name, Msg: "this is " + format + ", not CSV", Err: ErrText}
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, err = b.Discard(3)
		return err
	}
	return nil
}

const magicSize = 10

// foreign names the format of a file that is often mistaken for CSV, "" if there is none to name.
func foreign(head []byte) string {
	for _, f := range []struct{ magic, name string }{
		{"\xff\xfe", "UTF-16 text (convert it to UTF-8)"},
		{"\xfe\xff", "UTF-16 text (convert it to UTF-8)"},
		{"PK\x03\x04", "a zip archive or a spreadsheet"},
		{"PAR1", "a Parquet file"},
		{"ARROW1", "an Arrow file"},
		{"\x1f\x8b", "gzip inside gzip or zstd"},
		{"\x28\xb5\x2f\xfd", "zstd inside gzip or zstd"},
		{"\xfd7zXZ\x00", "xz data (decompress it first)"},
		{"BZh91AY&SY", "bzip2 data (decompress it first)"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	return ""
}

// read fills a part of b and returns how much; 0 is the end of the text.
func (in *input) read(b []byte) (int, error) {
	for {
		n, err := in.r.Read(b)
		if n > 0 || err == io.EOF {
			return n, nil
		}
		if err != nil {
			return 0, in.fault(err)
		}
	}
}

// fault says what an error of reading or decompressing means.
func (in *input) fault(err error) error {
	var known *Error
	switch {
	case in.stored.ctx.Err() != nil:
		return in.stored.ctx.Err()
	case errors.As(err, &known):
		return err
	case in.packed == "":
		return fileError(in.name, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{File: in.name, Msg: "the " + in.packed + " data ends too early: the file is truncated", Err: io.ErrUnexpectedEOF}
	}
	return &Error{File: in.name, Msg: "damaged " + in.packed + " data: " + err.Error(), Err: err}
}

package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// Text is an opened source, decompressed, in UTF-8.
type Text struct {
	name   string
	size   int64
	stored *cancellable
	r      io.Reader
	packed string
	close  func()
	atEnd  func() error // checks the version of a file; nil: it is none
	pump   *pump        // reads the text before its turn; nil: r has it
}

// Name returns the source's name.
func (t *Text) Name() string { return t.name }

// Size returns the source's size in bytes, as stored.
func (t *Text) Size() int64 { return t.size }

// Stored returns how many bytes of the source were read, as stored.
func (t *Text) Stored() int64 {
	if t.pump != nil {
		return t.pump.left.stored
	}
	return t.stored.n
}

// Packed returns how the source is compressed: "gzip", "zstd", "zip" or "".
func (t *Text) Packed() string { return t.packed }

// Close ends the reading.
func (t *Text) Close() { t.close() }

// OpenText begins to read a source from its start, past a byte order mark. A text in UTF-16 with
// such a mark, or in the source's encoding, is read as UTF-8. The format is named in the message of
// the error that another, well-known one causes.
func (s *Source) OpenText(ctx context.Context, format string) (*Text, error) {
	if s.ahead != nil && s.helps() {
		return s.ahead.text(s, format)
	}
	return s.openText(ctx, format)
}

func (s *Source) openText(ctx context.Context, format string) (*Text, error) {
	t := &Text{name: s.Name, size: s.Size, close: func() {}}
	t.stored = &cancellable{ctx: ctx}
	switch {
	case s.once != nil:
		in := s.once
		t.stored.r, t.close = in, func() { in.Close() }
	case s.store != nil:
		in := s.stream(ctx)
		t.stored.r, t.close = in, func() { in.Close() }
	case s.held == nil:
		f, err := outside.OpenFile(s.Name)
		if err != nil {
			return nil, fileError(s.Name, err)
		}
		if err := s.version.check(s.Name, f, -1); err != nil {
			f.Close()
			return nil, err
		}
		t.stored.r, t.close = f, func() { f.Close() }
		t.atEnd = func() error { return s.version.checkEnd(s.Name, f) }
	default:
		t.stored.r = io.NewSectionReader(s.held, 0, s.Size)
	}
	b := bufio.NewReader(t.stored)
	head, err := b.Peek(magicSize)
	if err != nil && err != io.EOF {
		t.Close()
		return nil, t.fault(err)
	}
	if err := t.unpack(b, head, format, s); err != nil {
		t.Close()
		return nil, t.fault(err)
	}
	return t, nil
}

const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// decoderOf returns the decoder of a text that begins with head, nil if there is none.
func decoderOf(decoders []data.Decoder, head []byte) *data.Decoder {
	for i := range decoders {
		if bytes.HasPrefix(head, []byte(decoders[i].Magic)) {
			return &decoders[i]
		}
	}
	return nil
}

// unpack puts a decompressor before the text if its first bytes require one, and a decoder if it is
// not in UTF-8.
func (t *Text) unpack(b *bufio.Reader, head []byte, format string, s *Source) error {
	decoder := decoderOf(s.Decoders, head)
	switch {
	case decoder != nil:
		t.packed = decoder.Name
		z, err := decoder.Open(b)
		if err != nil {
			return err
		}
		file, r := t.close, io.Reader(z)
		t.close = func() { z.Close(); file() }
		if inflater, is := z.(inflater); is && decoder.Magic == gzipMagic {
			r = t.newMembers(b, inflater)
		}
		b = bufio.NewReader(r)
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		t.packed = "gzip"
		z, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		b = bufio.NewReader(t.newMembers(b, z))
	case bytes.HasPrefix(head, []byte(zipMagic)):
		t.packed = "zip"
		z, err := newArchive(t.name, b)
		if err != nil {
			return err
		}
		b = bufio.NewReader(z)
	}
	head, err := b.Peek(magicSize)
	if err != nil && err != io.EOF {
		return err
	}
	if other := foreign(head, t.packed); other != "" {
		return &data.ReadError{File: t.name, Msg: "this is " + other + ", not " + format,
			Err: data.ErrText}
	}
	t.r, err = decode(b, t.name, s.Encoding)
	return err
}

const magicSize = 10

// foreign names the format of a file that is often mistaken for text, "" if there is none to name.
// Of a text that was packed, head is what it unpacks to.
func foreign(head []byte, packed string) string {
	if packed == "" && bytes.HasPrefix(head, []byte(zstdMagic)) {
		return "zstd data, which ReadOptions.Decoders does not name (decompress it first, or set it " +
			"to those of package github.com/coppice-ml/coppice/data/decoders)"
	}
	for _, f := range []struct{ magic, name string }{
		{zipMagic, "a zip archive inside another one"},
		{"PAR1", "a Parquet file"},
		{"ARROW1", "an Arrow file"},
		{gzipMagic, "gzip inside gzip or zstd"},
		{zstdMagic, "zstd inside gzip or zstd"},
		{"\xfd7zXZ\x00", "xz data (decompress it first)"},
		{"BZh91AY&SY", "bzip2 data (decompress it first)"},
	} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	return ""
}

// Fill fills the start of b and returns how much; 0 is the end of the text.
func (t *Text) Fill(b []byte) (int, error) {
	if t.pump != nil {
		return t.pump.fill(b)
	}
	for {
		n, err := t.r.Read(b)
		switch {
		case n > 0 || err == io.EOF && t.atEnd == nil:
			return n, nil
		case err == io.EOF:
			return 0, t.atEnd()
		}
		if err != nil {
			return 0, t.fault(err)
		}
	}
}

// fault explains an error of reading or decompressing.
func (t *Text) fault(err error) error {
	var known *data.ReadError
	switch {
	case t.stored.ctx.Err() != nil:
		return t.stored.ctx.Err()
	case errors.As(err, &known):
		return err
	case t.packed == "":
		return fileError(t.name, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &data.ReadError{File: t.name, Msg: "the " + t.packed +
			" data ends too early: the file is truncated", Err: io.ErrUnexpectedEOF}
	}
	return &data.ReadError{File: t.name, Msg: "damaged " + t.packed + " data: " + err.Error(),
		Err: err}
}

package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
)

// HeadSize is how many bytes of a file, as stored, are enough to recognise its format.
const HeadSize = 64 << 10

// Head returns what a file begins with, decompressed, for readers to recognise their format; nil if
// the path is no regular file, nor one of a store. What cannot be read now could be read later, as
// a table of another format: so it is an error, which is that of reading.
func Head(ctx context.Context, o *data.ReadOptions, path string) ([]byte, error) {
	if IsURL(path) {
		b, err := remoteHead(ctx, o.Stores, path)
		return Unpack(b, o.Decoders), err
	}
	info, err := Info(path)
	if err != nil || info == nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := outside.OpenFile(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, HeadSize))
	if err != nil {
		return nil, fileError(path, err)
	}
	return Unpack(b, o.Decoders), nil
}

// IsPipe reports whether a path is that of something which is read once only: a pipe or a device.
func IsPipe(path string) bool {
	if path == "-" || IsURL(path) {
		return false
	}
	info, err := outside.FileInfo(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// Unpack returns the beginning of a text of which b is the beginning as stored: decompressed if it
// is compressed by gzip, zip or what one of the decoders is for, else b.
func Unpack(b []byte, decoders []data.Decoder) []byte {
	var r io.Reader
	decoder := decoderOf(decoders, b)
	switch {
	case decoder != nil:
		z, err := decoder.Open(bytes.NewReader(b))
		if err != nil {
			return nil
		}
		defer z.Close()
		r = z
	case bytes.HasPrefix(b, []byte(gzipMagic)):
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil
		}
		r = z
	case bytes.HasPrefix(b, []byte(zipMagic)):
		z, err := newArchive("", bufio.NewReader(bytes.NewReader(b)))
		if err != nil {
			return b // of which the reader reports the error
		}
		r = z
	default:
		return b
	}
	text, _ := io.ReadAll(io.LimitReader(r, HeadSize)) // b breaks off somewhere
	return text
}

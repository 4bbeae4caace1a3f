package data

import "io"

// Decoder decompresses texts of one kind of compression, which readers recognise by their first
// bytes. Package data/decoders has some. One for gzip takes the place of the standard library's.
// What it opens should have the methods of gzip.Reader: so members of a file are read one by one.
type Decoder struct {
	Name  string // for messages: "zstd"
	Magic string // the first bytes of such a text
	// Open begins to decompress. The result fails at data that is damaged, with io.ErrUnexpectedEOF
	// where it ends too early.
	Open func(r io.Reader) (io.ReadCloser, error)
}

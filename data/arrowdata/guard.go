package arrowdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// The decoder allocates memory for what a file claims: vectors in its flatbuffers, and bodies. The
// checks in this file come before it and compare the claims with the bytes that are there.
//
//	stream  -1 | size | metadata | body | -1 | size | metadata | body ... | -1 | 0
//	file    ARROW1 | stream | footer, which locates the messages | its size | ARROW1

const (
	prefixSize = 8 // -1 and the size of the metadata, as int32
	// of a message's place in the footer: offset, size of prefix and metadata, padding, size of the
	// body
	blockSize = 24
)

func readAt(f *source.File, b []byte, at int64) error {
	if n, err := f.ReadAt(b, at); n < len(b) {
		return err
	}
	return nil
}

func truncated(what string) error {
	return &data.ReadError{Msg: "the Arrow " + what + " has no end: it is truncated",
		Err: data.ErrFormat}
}

// checkFile checks the footer of a file and the metadata of all messages. It returns what it knows
// of them.
func checkFile(f *source.File) (known known, err error) {
	tail := make([]byte, 4+len(fileMagic))
	end := f.Size() - int64(len(tail))
	if end < int64(len(fileMagic)) {
		return known, truncated("file")
	}
	if err := readAt(f, tail, end); err != nil {
		return known, err
	}
	if string(tail[4:]) != fileMagic {
		return known, truncated("file")
	}
	size := int64(binary.LittleEndian.Uint32(tail))
	if size > end-int64(len(fileMagic)) {
		return known, errors.New("the footer is larger than the file")
	}
	footer := make([]byte, size)
	if err := readAt(f, footer, end-size); err != nil {
		return known, err
	}
	v := newVerifier(footer)
	blocks := v.footer(&known)
	if v.bad {
		return known, errMetadata
	}
	for ; len(blocks) > 0; blocks = blocks[blockSize:] {
		at, meta := int64(binary.LittleEndian.Uint64(blocks)),
			int64(int32(binary.LittleEndian.Uint32(blocks[8:])))
		if _, err := checkMessage(f, at, meta, &known); err != nil {
			return known, err
		}
	}
	return known, nil
}

// checkStream is checkFile for a stream, which has no footer.
func checkStream(f *source.File) (known known, err error) {
	for at := int64(0); ; {
		prefix := make([]byte, prefixSize)
		if err := readAt(f, prefix, at); err == io.EOF {
			if at == f.Size() && at > 0 { // a stream may end without an end mark
				return known, nil
			}
			return known, truncated("stream")
		} else if err != nil {
			return known, err
		}
		size := int64(int32(binary.LittleEndian.Uint32(prefix[4:])))
		if string(prefix[:4]) != continuation {
			return known, fmt.Errorf("no message begins at %d", at)
		}
		if size == 0 {
			return known, nil
		}
		end, err := checkMessage(f, at, prefixSize+size, &known)
		if err != nil {
			return known, err
		}
		at = end
	}
}

// checkMessage checks the message at a position, of which prefix and metadata have the given size,
// and returns where its body ends.
func checkMessage(f *source.File, at, size int64, known *known) (end int64, err error) {
	if at < 0 || size < prefixSize || at > f.Size() || size > f.Size()-at {
		return 0, truncated("data")
	}
	meta := make([]byte, size)
	if err := readAt(f, meta, at); err != nil {
		return 0, err
	}
	skip := prefixSize
	if string(meta[:4]) != continuation { // as before Arrow 0.15
		skip = 4
	}
	v := newVerifier(meta[skip:])
	before := len(known.batches)
	body := v.message(known)
	switch {
	case v.bad:
		return 0, errMetadata
	case body < 0 || body > f.Size()-at-size:
		return 0, truncated("data")
	}
	if n := len(known.batches); n > before {
		known.batches[n-1].at, known.batches[n-1].size = at+size, body
	}
	return at + size + body, nil
}

var errMetadata = errors.New("its metadata makes no sense")

// allocator limits what a file may unpack to: a body of zeros packs well, but beyond that nothing
// real does. What is unpacked is held beside the table.
type allocator struct {
	memory.Allocator
	builder *table.Builder
	held    int64
	left    int64
}

func newAllocator(b *table.Builder, fileSize int64) *allocator {
	const ratio, slack = 1 << 12, 64 << 20
	return &allocator{memory.NewGoAllocator(), b, 0, ratio*fileSize + slack}
}

func (a *allocator) take(size int) {
	if a.left -= int64(size); size < 0 || a.left < 0 {
		panic(errors.New("it claims to unpack to far more than it can"))
	}
	a.held += int64(size)
	if err := a.builder.Spare(0, a.held); err != nil {
		panic(err)
	}
}

func (a *allocator) Allocate(size int) []byte {
	a.take(size)
	return a.Allocator.Allocate(size)
}

func (a *allocator) Reallocate(size int, b []byte) []byte {
	a.take(size - len(b) + max(len(b)-size, 0))
	return a.Allocator.Reallocate(size, b)
}

func (a *allocator) Free(b []byte) {
	a.left += int64(len(b))
	a.held -= int64(len(b))
	a.Allocator.Free(b)
}

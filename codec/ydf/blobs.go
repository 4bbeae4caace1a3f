package ydf

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// blobs reads the blobs of the files of nodes, one file after the other. A file is
//
//	"BS"  version (2 bytes)  compression (1 byte)  3 bytes of 0
//	length (4 bytes)  blob  length  blob  ...
//
// where all behind the 8 bytes is one gzip stream if the compression is 1. Integers have their low
// byte first.
type blobs struct {
	folder *folder
	shards int32 // the number of files

	shard  int32 // the current file, from 0 on
	name   string
	file   fs.File
	raw    *bufio.Reader
	gzip   *gzip.Reader
	from   io.Reader // raw or gzip; nil: no file is open
	offset int64     // of the next byte, after decompression
	blob   []byte    // the current blob, with the capacity of the longest
}

// The compressions.
const (
	plain = iota
	gzipped
)

// bytesPerStream bounds the buffers of reading, decompression included.
const bytesPerStream = 128 << 10

// chunk is the number of bytes that a blob grows by at least: a length that the file does not have
// allocates no more.
const chunk = 4096

func newBlobs(d *folder, shards int32) (*blobs, error) {
	if err := d.budget.Take(bytesPerStream); err != nil {
		return nil, err
	}
	return &blobs{folder: d, shards: shards, shard: -1, raw: bufio.NewReaderSize(nil, 32<<10)}, nil
}

// Close closes the current file.
func (b *blobs) Close() {
	if b.file != nil {
		b.file.Close()
	}
	b.file, b.from = nil, nil
}

// next returns the next blob, which is valid until the next call, and the byte at which it starts.
// io.EOF is its error at the end of the last file.
func (b *blobs) next() ([]byte, int64, error) {
	for {
		if b.from == nil {
			if b.shard+1 >= b.shards {
				return nil, b.offset, io.EOF
			}
			if err := b.open(); err != nil {
				return nil, 0, err
			}
		}
		var length [4]byte
		n, err := io.ReadFull(b.from, length[:])
		if err == nil {
			b.offset += 4
			start := b.offset
			return b.blob, start, b.read(int64(binary.LittleEndian.Uint32(length[:])))
		}
		if err != io.EOF {
			return nil, 0, damaged(err, b.name, b.offset+int64(n))
		}
		b.Close()
	}
}

// open opens the next file and reads its header.
func (b *blobs) open() error {
	b.shard++
	name := fmt.Sprintf("%s%05d-of-%05d", nodesName, b.shard, b.shards)
	b.name = b.folder.prefix + name
	var err error
	if b.file, err = b.folder.open(name); err != nil {
		return err
	}
	b.raw.Reset(b.file)
	var head [8]byte
	if n, err := io.ReadFull(b.raw, head[:]); err != nil {
		return damaged(err, b.name, int64(n))
	}
	b.offset = int64(len(head))
	version := binary.LittleEndian.Uint16(head[2:])
	switch {
	case string(head[:2]) != "BS":
		return corrupt(b.name, 0, errors.New("it is no blob sequence"))
	case version > 1:
		return unsupported("blob sequences of version %d", version)
	case version == 0 || head[4] == plain:
		b.from = b.raw
		return nil
	case head[4] != gzipped:
		return unsupported("blob sequences with compression %d", head[4])
	}
	if b.gzip == nil {
		b.gzip, err = gzip.NewReader(b.raw)
	} else {
		err = b.gzip.Reset(b.raw)
	}
	b.from = b.gzip
	return damaged(err, b.name, b.offset)
}

// read reads a blob of some length.
func (b *blobs) read(length int64) error {
	b.blob = b.blob[:0]
	for int64(len(b.blob)) < length {
		at := len(b.blob)
		if at == cap(b.blob) {
			size := int64(max(chunk, 2*at))
			if err := b.folder.budget.Take(size); err != nil {
				return err
			}
			b.blob = append(make([]byte, 0, size), b.blob...)
		}
		b.blob = b.blob[:min(length, int64(cap(b.blob)))]
		n, err := io.ReadFull(b.from, b.blob[at:])
		b.offset += int64(n)
		if err != nil {
			return damaged(err, b.name, b.offset)
		}
	}
	return nil
}

// isCompression reports whether an error is one of a compressed stream.
func isCompression(err error) bool {
	var damage flate.CorruptInputError
	return errors.As(err, &damage) || errors.Is(err, gzip.ErrHeader) ||
		errors.Is(err, gzip.ErrChecksum)
}

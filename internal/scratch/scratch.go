// Package scratch owns files for data that a training or an evaluation holds outside of memory.
// Such a file has pieces, each with a checksum. No other program sees it: it has no name where the
// system allows that, so that nothing stays behind, however the process ends.
package scratch

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/outside"
)

// File is a scratch file. It is safe for concurrent use.
//
//	| piece | piece | piece | ...     in the order of Write; a piece may be compressed
type File struct {
	file   *outside.File
	folder string
	named  bool         // the system removes no file that is open, so that Close does
	end    atomic.Int64 // bytes written
	read   atomic.Int64 // bytes that were read
	spare  sync.Pool    // of *[]byte: packed pieces
}

// Piece is where bytes are in a file. The zero value is that of no bytes.
type Piece struct {
	at    int64
	size  int32 // of the bytes
	width int32 // bits that each has in the file
	sum   uint32
}

// Len returns the number of bytes.
func (p *Piece) Len() int { return int(p.size) }

// ErrDamaged is what reading wraps where a piece is not what was written.
var ErrDamaged = errors.New("scratch: damaged")

// MaxPiece is the largest number of bytes of a piece.
const MaxPiece = 1 << 30

// Create makes an empty file in a folder; "" is the system's folder for temporary files.
func Create(folder string) (*File, error) {
	if folder == "" {
		folder = os.TempDir()
	}
	file, err := outside.CreateTemporary(folder, "coppice-*.scratch")
	if err != nil {
		return nil, fmt.Errorf("cannot make a scratch file in %s: %w", folder, reason(err))
	}
	return &File{file: file, folder: folder, named: outside.RemoveFile(file.Name()) != nil}, nil
}

// reason returns what is wrong with a file without the path, which is a name that nobody gave.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Close removes the file. An error reports that it stays. One of closing it is none: the bytes are
// read and compared with their checksums by then, and nobody needs them any more.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	_ = f.file.Close()
	if !f.named {
		return nil
	}
	if err := outside.RemoveFile(f.file.Name()); err != nil {
		return fmt.Errorf("a scratch file stays in %s: %w", f.folder, err)
	}
	return nil
}

// Size returns the number of bytes that the file has.
func (f *File) Size() int64 { return f.end.Load() }

// Forget takes back what was written behind the first size bytes: no piece of it is read again.
func (f *File) Forget(size int64) { f.end.Store(size) }

// BytesRead returns the number of bytes that all calls of Read have read from the file.
func (f *File) BytesRead() int64 { return f.read.Load() }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write appends a piece. Where all its bytes are below 16 they are packed.
func (f *File) Write(b []byte) (Piece, error) {
	if len(b) > MaxPiece {
		return Piece{}, fmt.Errorf("a piece of %d bytes, the limit is %d", len(b), MaxPiece)
	}
	stored, width := b, widthOf(b)
	if width < 8 {
		stored = f.buffer(packedSize(len(b), width))
		defer f.spare.Put(&stored)
		pack(stored, b, width)
	}
	p := Piece{size: int32(len(b)), width: int32(width), sum: crc32.Checksum(stored, castagnoli)}
	p.at = f.end.Add(int64(len(stored))) - int64(len(stored))
	if _, err := f.file.WriteAt(stored, p.at); err != nil {
		return Piece{}, fmt.Errorf(option.Expand("cannot write the scratch file in %s: %w: give {scratch} a ")+
			"folder with more space", f.folder, reason(err))
	}
	return p, nil
}

func (f *File) buffer(n int) []byte {
	if b, ok := f.spare.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return make([]byte, n)
}

// Read reads a piece into dst, which has its length.
func (f *File) Read(p Piece, dst []byte) error {
	if len(dst) != p.Len() {
		return fmt.Errorf("%d bytes for a piece of %d", len(dst), p.size)
	}
	stored := dst
	if p.width < 8 {
		stored = f.buffer(packedSize(len(dst), int(p.width)))
		defer f.spare.Put(&stored)
	}
	f.read.Add(int64(len(stored)))
	if _, err := f.file.ReadAt(stored, p.at); err != nil {
		return fmt.Errorf("cannot read the scratch file in %s: %w (%w)", f.folder, reason(err),
			ErrDamaged)
	}
	if crc32.Checksum(stored, castagnoli) != p.sum {
		return fmt.Errorf("the scratch file in %s has changed: the disk may be faulty (%w)",
			f.folder, ErrDamaged)
	}
	if p.width < 8 {
		unpack(dst, stored, int(p.width))
	}
	return nil
}

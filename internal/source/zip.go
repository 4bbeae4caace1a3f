package source

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// Archives of zip are read from their start to their end, as they come: a file of the archive
// stands behind its local header, whose compressed data shows its own end.
const (
	zipMagic     = "PK\x03\x04"
	zipDirectory = "PK\x01\x02" // behind the last file
	zipSizes     = "PK\x07\x08" // may stand behind a file
	zipHeader    = 30           // bytes before the name
)

// archive reads the only table of a zip archive.
type archive struct {
	name   string // of the source
	stored *bufio.Reader
	in     io.Reader // the data of the table
	flags  uint16
	left   int64  // bytes of a table that is stored as it is
	member string // the name of the table
	crc    uint32
	sum    uint32 // that the local header states, where it does
	over   bool
}

// newArchive goes to the first file of an archive that is neither a folder nor of the archiver.
func newArchive(name string, stored *bufio.Reader) (*archive, error) {
	a := &archive{name: name, stored: stored}
	for {
		more, err := a.open()
		switch {
		case err != nil:
			return nil, err
		case !more:
			return nil, a.fault("the archive holds no table")
		case !a.beside():
			return a, nil
		}
		if _, err := io.Copy(io.Discard, a.in); err != nil {
			return nil, err
		}
		if err := a.skipSizes(); err != nil {
			return nil, err
		}
	}
}

// beside reports whether the current file is none that people put there.
func (a *archive) beside() bool {
	return strings.HasSuffix(a.member, "/") || strings.HasPrefix(a.member, "__MACOSX/") ||
		strings.HasPrefix(path.Base(a.member), ".")
}

func (a *archive) fault(format string, args ...any) error {
	return &data.ReadError{File: a.name, Msg: fmt.Sprintf(format, args...), Err: data.ErrText}
}

// open reads the local header of the next file; it is false behind the last one.
func (a *archive) open() (bool, error) {
	magic, err := a.stored.Peek(len(zipMagic))
	if err != nil {
		return false, truncatedZip(err)
	}
	if string(magic) != zipMagic {
		return false, nil
	}
	var head [zipHeader]byte
	if _, err := io.ReadFull(a.stored, head[:]); err != nil {
		return false, truncatedZip(err)
	}
	b := head[:]
	method := binary.LittleEndian.Uint16(b[8:])
	a.flags, a.sum = binary.LittleEndian.Uint16(b[6:]), binary.LittleEndian.Uint32(b[14:])
	size := binary.LittleEndian.Uint32(b[18:])
	text := make([]byte, binary.LittleEndian.Uint16(b[26:]))
	if _, err := io.ReadFull(a.stored, text); err != nil {
		return false, truncatedZip(err)
	}
	if _, err := a.stored.Discard(int(binary.LittleEndian.Uint16(b[28:]))); err != nil {
		return false, truncatedZip(err)
	}
	a.member = string(text)
	switch {
	case strings.HasPrefix(a.member, "[Content_Types]"), strings.HasPrefix(a.member, "_rels/"),
		strings.HasPrefix(a.member, "xl/"):
		return false, a.fault("%s", option.Expand("this is an Excel workbook: {format} xlsx reads it"))
	case a.flags&1 != 0:
		return false, a.fault("the file %q of the archive has a password: unpack it", a.member)
	case method == 8:
		a.in = flate.NewReader(a.stored)
	case method == 0 && a.flags&8 == 0 && size != 0xffffffff:
		a.in = io.LimitReader(a.stored, int64(size))
		a.left = int64(size)
	default:
		return false, a.fault("the file %q of the archive is not compressed as usual: unpack it",
			a.member)
	}
	return true, nil
}

// skipSizes moves over what may stand behind the data of a file.
func (a *archive) skipSizes() error {
	if a.flags&8 == 0 {
		return nil
	}
	const plain, long = 12, 20 // bytes behind the magic: sums and sizes of 4 or 8 bytes
	head, err := a.stored.Peek(len(zipSizes) + long + len(zipMagic))
	if len(head) < len(zipSizes)+plain {
		return truncatedZip(err)
	}
	if string(head[:4]) == zipSizes {
		a.sum = binary.LittleEndian.Uint32(head[4:])
		a.stored.Discard(len(zipSizes))
	} else {
		a.sum = binary.LittleEndian.Uint32(head)
	}
	head, _ = a.stored.Peek(long + len(zipMagic))
	size := plain
	if len(head) == long+len(zipMagic) && bytes.HasPrefix(head[long:], []byte("PK")) &&
		!bytes.HasPrefix(head[plain:], []byte("PK")) {
		size = long
	}
	_, err = a.stored.Discard(size)
	return err
}

// Read reads the table. Behind it there must be no other one.
func (a *archive) Read(b []byte) (int, error) {
	if a.over {
		return 0, io.EOF
	}
	n, err := a.in.Read(b)
	a.crc = crc32.Update(a.crc, crc32.IEEETable, b[:n])
	if a.left > 0 {
		if a.left -= int64(n); err == io.EOF && a.left > 0 {
			return n, io.ErrUnexpectedEOF
		}
	}
	if n > 0 || err != io.EOF {
		if err == io.EOF {
			err = nil // the next call finds what follows
		}
		return n, err
	}
	return 0, a.end()
}

// end checks what follows the table; it is io.EOF if that is right.
func (a *archive) end() error {
	a.over = true
	if err := a.skipSizes(); err != nil {
		return err
	}
	if a.crc != a.sum {
		return a.fault("the file %q of the archive is damaged: its checksum is another one", a.member)
	}
	table := a.member
	for {
		more, err := a.open()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if !a.beside() {
			return a.fault("the archive holds several files, %q and %q: unpack it", table, a.member)
		}
		if _, err := io.Copy(io.Discard, a.in); err != nil {
			return err
		}
		if err := a.skipSizes(); err != nil {
			return err
		}
	}
	if magic, err := a.stored.Peek(len(zipDirectory)); err != nil {
		return truncatedZip(err)
	} else if string(magic) != zipDirectory {
		return a.fault("the archive is damaged behind the file %q", table)
	}
	return io.EOF
}

func truncatedZip(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

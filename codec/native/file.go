package native

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model"
)

// payload is the content of a section that was read.
type payload struct {
	name string
	at   int64  // its offset in the file
	data []byte // starts in memory where elements of all kinds may lie
}

func (p *payload) corrupt(offset int, format string, args ...any) {
	corrupt(p.name, p.at+int64(offset), format, args...)
}

// check ends the reading with an error of what the section holds, if there is one.
func (p *payload) check(err error) {
	if err != nil {
		p.corrupt(0, "%w", err)
	}
}

// file reads the sections of a file.
type file struct {
	r io.ReaderAt
	// what r reads, where it lies in memory at a multiple of align: sections are used there
	memory  []byte
	owner   any // of memory: model.Spec.Memory
	size    int64
	version Version
	around  *model.Spec // of the model that this one is a member of; nil = of none
	depth   int         // how many models are around it
	*budget
}

// read fills b from the given offset. A file that ends there is damaged; any other failure is the
// reader's own.
func (f *file) read(b []byte, section string, offset int64) {
	n, err := f.r.ReadAt(b, offset)
	switch {
	case n == len(b):
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		corrupt(section, offset+int64(n), "the file ends here")
	default:
		foreign.Check(fmt.Errorf("reading a %s model: %w", name, err))
	}
}

// sections reads the head and all sections, checks every checksum, and returns the payloads of the
// known ones, by name.
func (f *file) sections() map[string]*payload {
	count := f.head()
	found := map[string]*payload{}
	at := int64(headSize)
	for range count {
		p, end := f.section(at)
		if p != nil {
			if found[p.name] != nil {
				corrupt(p.name, at, "second section of this name")
			}
			found[p.name] = p
		}
		at = end
	}
	if at != f.size {
		corrupt("end", at, "%d bytes after the last section", f.size-at)
	}
	return found
}

// head reads the head of the file and returns the number of sections.
func (f *file) head() (count uint32) {
	if f.size < headSize {
		corrupt("head", f.size, "truncated: the file has %d bytes, its head alone %d",
			f.size, headSize)
	}
	var b [headSize]byte
	f.read(b[:], "head", 0)
	if string(b[:len(magic)]) == prereleaseMagic {
		unsupported("the file was made before the first release: train again")
	}
	if string(b[:len(magic)]) != magic {
		corrupt("head", 0, "the file does not start like a %s model", name)
	}
	if kernel.Checksum(0, b[:headSize-crcSize]) != le.Uint32(b[headSize-crcSize:]) {
		corrupt("head", headSize-crcSize, "checksum differs")
	}
	f.version = Version(le.Uint32(b[8:]))
	if f.version.major() > Latest.major() {
		unsupported("the file has format version %s, this program reads up to %d: use "+
			"a newer program", f.version, Latest.major())
	}
	if f.version < version1 {
		corrupt("head", 8, "there is no format version %s", f.version)
	}
	if size := le.Uint64(b[16:]); size > uint64(f.size) {
		corrupt("head", f.size, "truncated: the file has %d of %d bytes", f.size, size)
	} else if size < uint64(f.size) {
		corrupt("head", int64(size), "%d bytes after the end", uint64(f.size)-size)
	}
	if le.Uint32(b[24:]) != 0 {
		corrupt("head", 24, "reserved bytes are not zero")
	}
	return le.Uint32(b[12:])
}

// section reads the section at the given offset and returns the offset of the next one. The payload
// of an optional section that is not known is nil.
func (f *file) section(at int64) (p *payload, end int64) {
	if f.size-at < minSectionSize {
		corrupt("section", at, "%d bytes are no section", f.size-at)
	}
	var b [sectionHeadSize]byte
	f.read(b[:], "section", at)
	if le.Uint32(b[20:]) != 0 {
		corrupt("section", at+20, "reserved bytes are not zero")
	}
	title := strings.TrimRight(string(b[:nameSize]), "\x00")
	if n := le.Uint64(b[24:]); n > uint64(f.size-at) || span(int64(n)) > f.size-at {
		corrupt(title, at+24, "section of %d bytes in the remaining %d", n, f.size-at)
	}
	p = &payload{name: title, at: at + sectionHeadSize}
	n := int64(le.Uint64(b[24:]))
	end = at + span(n)
	crc := kernel.Checksum(0, b[:])
	if known(title) {
		f.load(p, n, crc)
		return p, end
	}
	f.skip(p, n, crc)
	if flags := le.Uint32(b[16:]); flags != 0 {
		unsupported("the file needs section %q, which this program cannot read: use a newer "+
			"program", title)
	}
	return nil, end
}

// load reads the payload, of n bytes, into aligned memory and checks the section; crc is the
// checksum of its head.
func (f *file) load(p *payload, n int64, crc uint32) {
	if f.memory != nil {
		p.data = f.memory[p.at : p.at+n : p.at+n]
	} else {
		f.take(n + align)
		p.data = aligned(int(n))
		f.read(p.data, p.name, p.at)
	}
	f.seal(p, n, checksum(crc, p.data))
}

// skip checks a section without keeping it.
func (f *file) skip(p *payload, n int64, crc uint32) {
	buf := make([]byte, min(n, 1<<16))
	for at := int64(0); at < n; at += int64(len(buf)) {
		buf = buf[:min(n-at, int64(len(buf)))]
		f.read(buf, p.name, p.at+at)
		crc = kernel.Checksum(crc, buf)
	}
	f.seal(p, n, crc)
}

// seal checks the padding and the checksum that follow a payload of n bytes.
func (f *file) seal(p *payload, n int64, crc uint32) {
	var b [align - 1 + crcSize]byte
	tail := b[:gap(p.at+n, align-crcSize)+crcSize]
	f.read(tail, p.name, p.at+n)
	pad := tail[:len(tail)-crcSize]
	if kernel.Checksum(crc, pad) != le.Uint32(tail[len(pad):]) {
		corrupt(p.name, p.at+n+int64(len(pad)), "checksum differs")
	}
	if len(bytes.Trim(pad, "\x00")) > 0 {
		corrupt(p.name, p.at+n, "padding is not zero")
	}
}

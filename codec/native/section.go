package native

import (
	"bufio"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// The head of a file, 32 bytes. It keeps this meaning in all versions, so that an old program
// distinguishes a newer file from a damaged one:
//
//	 0   8  magic
//	 8   2  minor version
//	10   2  major version
//	12   4  number of sections
//	16   8  size of the file
//	24   4  zero
//	28   4  CRC-32C of bytes 0 to 27
//
// A section follows the one before it without a gap:
//
//	 0  16  name, ended by zeros
//	16   4  flags
//	20   4  zero
//	24   8  n, the number of bytes of the payload
//	32   n  payload
//	     p  zeros, until the next 4 bytes end at a multiple of 16
//	     4  CRC-32C of all bytes of the section before
const (
	headSize        = 32
	sectionHeadSize = 32
	crcSize         = 4
	minSectionSize  = sectionHeadSize + align // head, an empty payload, padding and CRC
	nameSize        = 16
)

// required is the flag of sections and arrays which a reader that cannot read them must not skip.
// All other flags are reserved.
const required = 1

// section is one section to be written.
type section struct {
	name  string
	flags uint32
	size  int64 // of the payload
	emit  func(io.Writer) error
	since Version // the least one that has what the payload holds; 0: any
}

// span is the number of bytes of a whole section with a payload of n bytes.
func span(n int64) int64 {
	n += sectionHeadSize
	return n + gap(n, align-crcSize) + crcSize
}

// sealer counts and sums what passes through it.
type sealer struct {
	w   *bufio.Writer
	crc uint32
	n   int64
}

func (s *sealer) Write(p []byte) (int, error) {
	s.crc = kernel.Checksum(s.crc, p)
	n, err := s.w.Write(p)
	s.n += int64(n)
	return n, err
}

// seal appends the checksum of all that was written since the last seal.
func (s *sealer) seal() error {
	crc := s.crc
	_, err := s.Write(le.AppendUint32(nil, crc))
	s.crc = 0
	return err
}

// fileSize returns the number of bytes of a file of sections.
func fileSize(sections []section) int64 {
	size := int64(headSize)
	for _, sec := range sections {
		size += span(sec.size)
	}
	return size
}

// writeFile writes the head and the sections.
func writeFile(w io.Writer, sections []section) error {
	out := &sealer{w: bufio.NewWriterSize(w, 1<<16)}
	head := append([]byte(nil), magic...)
	version := version1
	for i := range sections {
		version = max(version, sections[i].since)
	}
	head = le.AppendUint32(head, uint32(version))
	head = le.AppendUint32(head, uint32(len(sections)))
	head = le.AppendUint64(head, uint64(fileSize(sections)))
	head = le.AppendUint32(head, 0)
	if _, err := out.Write(head); err != nil {
		return err
	}
	if err := out.seal(); err != nil {
		return err
	}
	for i := range sections {
		if err := sections[i].write(out); err != nil {
			return err
		}
	}
	return out.w.Flush()
}

func (sec *section) write(out *sealer) error {
	head := make([]byte, sectionHeadSize)
	copy(head[:nameSize], sec.name)
	le.PutUint32(head[16:], sec.flags)
	le.PutUint64(head[24:], uint64(sec.size))
	start := out.n
	if _, err := out.Write(head); err != nil {
		return err
	}
	if err := sec.emit(out); err != nil {
		return err
	}
	if n := out.n - start - sectionHeadSize; n != sec.size {
		return fmt.Errorf("section %q has %d bytes, not %d", sec.name, n, sec.size)
	}
	if _, err := out.Write(make([]byte, gap(out.n, align-crcSize))); err != nil {
		return err
	}
	return out.seal()
}

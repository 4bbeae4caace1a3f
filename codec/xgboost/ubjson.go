package xgboost

import (
	"encoding/binary"
	"math"

	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readUBJSON reads a file in UBJSON (Universal Binary JSON, draft 12).
func readUBJSON(in *input) (*file, error) {
	bytes, err := newStream(in)
	if err != nil {
		return nil, err
	}
	f, err := readFile(&decoding{in, &ubjsonSource{stream: bytes}})
	if err != nil {
		return nil, err
	}
	if in.at < in.size {
		return nil, in.corrupt("%d bytes after the end", in.size-in.at)
	}
	return f, nil
}

// ubjsonSource reads UBJSON value by value. All numbers are big endian. A container may state the
// kind of all its elements, and their number:
//
//	[  $ d  # L 00 00 00 00 00 00 00 02  3f 80 00 00  40 00 00 00      1, 2 in single precision
//	[  # L 00 00 00 00 00 00 00 01  S L ... 05 f l o a t               one text
//	{  L ... 04 n a m e  S L ... 06 g b t r e e  }                     one member
type ubjsonSource struct {
	*stream
	kind    byte // of the next value where its container has one for all; 0: it has its own
	scratch []byte
	number  [8]byte // bytes of a number
}

// marker reads the byte that is the kind of the next value. N is none, and is left out.
func (s *ubjsonSource) marker() (byte, error) {
	if s.kind != 0 {
		return s.kind, nil
	}
	for {
		if b, err := s.next(); err != nil || b != 'N' {
			return b, err
		}
	}
}

// whole reads an integer of some kind.
func (s *ubjsonSource) whole(kind byte) (int64, error) {
	width, ok := fixed(kind)
	if !ok || width == 0 || kind == 'd' || kind == 'D' || kind == 'C' {
		return 0, s.corrupt("a value of kind %q where an integer is expected", kind)
	}
	b := s.number[:width]
	if err := s.full(b); err != nil {
		return 0, err
	}
	switch kind {
	case 'i':
		return int64(int8(b[0])), nil
	case 'U':
		return int64(b[0]), nil
	case 'I':
		return int64(int16(binary.BigEndian.Uint16(b))), nil
	case 'l':
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	}
	return int64(binary.BigEndian.Uint64(b)), nil
}

// length reads a length with its kind. No length is more than the bytes that are left, which holds
// for counts too: an element has a byte at least.
func (s *ubjsonSource) length() (int64, error) {
	kind, err := s.next()
	if err != nil {
		return 0, err
	}
	n, err := s.whole(kind)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > s.size-s.at {
		return 0, s.corrupt("a length of %d where %d bytes are left", n, s.size-s.at)
	}
	return n, nil
}

// shape reads the kind and the number of a container's elements; 0 and -1 where it states none.
func (s *ubjsonSource) shape() (kind byte, n int64, err error) {
	b, err := s.peek()
	if err != nil {
		return 0, 0, err
	}
	if b == '$' {
		if _, err = s.next(); err != nil {
			return 0, 0, err
		}
		if kind, err = s.next(); err != nil {
			return 0, 0, err
		}
		if b, err = s.peek(); err != nil {
			return 0, 0, err
		}
		switch {
		case b != '#':
			return 0, 0, s.corrupt("a container with a kind and without a count")
		case kind == 'Z' || kind == 'N' || kind == 'T' || kind == 'F':
			// such elements have no bytes, so that a count of them could be any
			return 0, 0, s.corrupt("a container of elements of kind %q", kind)
		}
	}
	if b != '#' {
		return 0, -1, nil
	}
	if _, err = s.next(); err != nil {
		return 0, 0, err
	}
	n, err = s.length()
	return kind, n, err
}

// container reads a container of a kind, '{' or '['; part reads a part of it.
func (s *ubjsonSource) container(kind byte, part func(i int) error) error {
	b, err := s.marker()
	if err != nil {
		return err
	}
	if b != kind {
		return s.corrupt("a value of kind %q where %q is expected", b, kind)
	}
	return s.parts(kind, part)
}

// parts reads the parts of a container, whose kind was read.
func (s *ubjsonSource) parts(container byte, part func(i int) error) error {
	if s.path.Depth() == jsonscan.Deepest {
		return s.corrupt("more than %d values within each other", jsonscan.Deepest)
	}
	if err := s.path.Enter(s.Take); err != nil {
		return err
	}
	outer := s.kind
	kind, n, err := s.shape()
	if err != nil {
		return err
	}
	closing := container + 2 // the brackets' places in ASCII
	for i := 0; int64(i) < n || n < 0; i++ {
		if n < 0 {
			b, err := s.peek()
			if err != nil {
				return err
			}
			if b == closing {
				if _, err := s.next(); err != nil {
					return err
				}
				break
			}
		}
		s.kind = kind
		if err := part(i); err != nil {
			return err
		}
	}
	s.kind = outer
	s.path.Leave()
	return nil
}

func (s *ubjsonSource) object(member func(name string) error) error {
	return s.container('{', func(int) error {
		b, err := s.bytes()
		if err != nil {
			return err
		}
		name, err := s.texted(b)
		if err != nil {
			return err
		}
		s.path.Name(name)
		return member(name)
	})
}

func (s *ubjsonSource) array(element func(i int) error) error {
	return s.container('[', func(i int) error {
		s.path.Place(i)
		return element(i)
	})
}

// bytes reads a length and as many bytes into the scratch buffer.
func (s *ubjsonSource) bytes() ([]byte, error) {
	n, err := s.length()
	if err != nil {
		return nil, err
	}
	if n > longestText {
		return nil, s.corrupt("a text is longer than %d bytes", longestText)
	}
	if int(n) > cap(s.scratch) {
		if err := s.Take(n); err != nil {
			return nil, err
		}
		s.scratch = make([]byte, n)
	}
	s.scratch = s.scratch[:n]
	return s.scratch, s.full(s.scratch)
}

func (s *ubjsonSource) text() (string, error) {
	kind, err := s.marker()
	if err != nil {
		return "", err
	}
	if kind != 'S' {
		return "", s.corrupt("a value of kind %q where a text is expected", kind)
	}
	b, err := s.bytes()
	if err != nil {
		return "", err
	}
	return s.texted(b)
}

func (s *ubjsonSource) integer() (int64, error) {
	kind, err := s.marker()
	if err != nil {
		return 0, err
	}
	switch kind {
	case 'T':
		return 1, nil
	case 'F':
		return 0, nil
	}
	return s.whole(kind)
}

func (s *ubjsonSource) float() (float32, error) {
	kind, err := s.marker()
	if err != nil {
		return 0, err
	}
	switch kind {
	case 'd':
		err := s.full(s.number[:4])
		return math.Float32frombits(binary.BigEndian.Uint32(s.number[:])), err
	case 'D':
		err := s.full(s.number[:])
		return float32(math.Float64frombits(binary.BigEndian.Uint64(s.number[:]))), err
	}
	n, err := s.whole(kind)
	return float32(n), err
}

// fixed returns the bytes of a value of a kind that has a fixed number of them.
func fixed(kind byte) (n int64, ok bool) {
	switch kind {
	case 'Z', 'T', 'F':
		return 0, true
	case 'i', 'U', 'C':
		return 1, true
	case 'I':
		return 2, true
	case 'l', 'd':
		return 4, true
	case 'L', 'D':
		return 8, true
	}
	return 0, false
}

func (s *ubjsonSource) nextKind() (byte, error) {
	if s.kind != 0 {
		return s.kind, nil
	}
	for {
		if b, err := s.peek(); err != nil || b != 'N' {
			return b, err
		}
		if _, err := s.next(); err != nil {
			return 0, err
		}
	}
}

func (s *ubjsonSource) skip() error {
	kind, err := s.marker()
	if err != nil {
		return err
	}
	if n, ok := fixed(kind); ok {
		return s.pass(n)
	}
	switch kind {
	case 'S', 'H':
		return s.skipBytes()
	case '{':
		return s.parts('{', func(int) error {
			if err := s.skipBytes(); err != nil {
				return err
			}
			return s.skip()
		})
	case '[':
		return s.parts('[', func(int) error { return s.skip() })
	}
	return s.corrupt("a value of unknown kind %q", kind)
}

// skipBytes leaves out a length and as many bytes.
func (s *ubjsonSource) skipBytes() error {
	n, err := s.length()
	if err != nil {
		return err
	}
	return s.pass(n)
}

package xgboost

import (
	"encoding/binary"
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readUBJSON reads a file in UBJSON (Universal Binary JSON, draft 12).
func readUBJSON(in *input) *file {
	f := readFile(&decoding{in, &ubjsonSource{stream: newStream(in)}})
	if in.at < in.size {
		in.corrupt("%d bytes after the end", in.size-in.at)
	}
	return f
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
func (s *ubjsonSource) marker() byte {
	if s.kind != 0 {
		return s.kind
	}
	for {
		if b := s.next(); b != 'N' {
			return b
		}
	}
}

// whole reads an integer of some kind.
func (s *ubjsonSource) whole(kind byte) int64 {
	width, ok := fixed(kind)
	if !ok || width == 0 || kind == 'd' || kind == 'D' || kind == 'C' {
		s.corrupt("a value of kind %q where an integer is expected", kind)
	}
	b := s.number[:width]
	s.full(b)
	switch kind {
	case 'i':
		return int64(int8(b[0]))
	case 'U':
		return int64(b[0])
	case 'I':
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 'l':
		return int64(int32(binary.BigEndian.Uint32(b)))
	}
	return int64(binary.BigEndian.Uint64(b))
}

// length reads a length with its kind. No length is more than the bytes that are left, which holds
// for counts too: an element has a byte at least.
func (s *ubjsonSource) length() int64 {
	n := s.whole(s.next())
	if n < 0 || n > s.size-s.at {
		s.corrupt("a length of %d where %d bytes are left", n, s.size-s.at)
	}
	return n
}

// shape reads the kind and the number of a container's elements; 0 and -1 where it states none.
func (s *ubjsonSource) shape() (kind byte, n int64) {
	b := s.peek()
	if b == '$' {
		s.next()
		kind = s.next()
		b = s.peek()
		switch {
		case b != '#':
			s.corrupt("a container with a kind and without a count")
		case kind == 'Z' || kind == 'N' || kind == 'T' || kind == 'F':
			// such elements have no bytes, so that a count of them could be any
			s.corrupt("a container of elements of kind %q", kind)
		}
	}
	if b != '#' {
		return 0, -1
	}
	s.next()
	return kind, s.length()
}

// container reads a container of a kind, '{' or '['; part reads a part of it.
func (s *ubjsonSource) container(kind byte, part func(i int)) {
	if b := s.marker(); b != kind {
		s.corrupt("a value of kind %q where %q is expected", b, kind)
	}
	s.parts(kind, part)
}

// parts reads the parts of a container, whose kind was read.
func (s *ubjsonSource) parts(container byte, part func(i int)) {
	if s.path.Depth() == jsonscan.Deepest {
		s.corrupt("more than %d values within each other", jsonscan.Deepest)
	}
	foreign.Check(s.path.Enter(s.Take))
	outer := s.kind
	kind, n := s.shape()
	closing := container + 2 // the brackets' places in ASCII
	for i := 0; int64(i) < n || n < 0; i++ {
		if n < 0 {
			if s.peek() == closing {
				s.next()
				break
			}
		}
		s.kind = kind
		part(i)
	}
	s.kind = outer
	s.path.Leave()
}

func (s *ubjsonSource) object(member func(name string)) {
	s.container('{', func(int) {
		name := s.texted(s.bytes())
		s.path.Name(name)
		member(name)
	})
}

func (s *ubjsonSource) array(element func(i int)) {
	s.container('[', func(i int) {
		s.path.Place(i)
		element(i)
	})
}

// bytes reads a length and as many bytes into the scratch buffer.
func (s *ubjsonSource) bytes() []byte {
	n := s.length()
	if n > longestText {
		s.corrupt("a text is longer than %d bytes", longestText)
	}
	if int(n) > cap(s.scratch) {
		s.Need(n)
		s.scratch = make([]byte, n)
	}
	s.scratch = s.scratch[:n]
	s.full(s.scratch)
	return s.scratch
}

func (s *ubjsonSource) text() string {
	if kind := s.marker(); kind != 'S' {
		s.corrupt("a value of kind %q where a text is expected", kind)
	}
	return s.texted(s.bytes())
}

func (s *ubjsonSource) integer() int64 {
	switch kind := s.marker(); kind {
	case 'T':
		return 1
	case 'F':
		return 0
	default:
		return s.whole(kind)
	}
}

func (s *ubjsonSource) float() float32 {
	switch kind := s.marker(); kind {
	case 'd':
		s.full(s.number[:4])
		return math.Float32frombits(binary.BigEndian.Uint32(s.number[:]))
	case 'D':
		s.full(s.number[:])
		return float32(math.Float64frombits(binary.BigEndian.Uint64(s.number[:])))
	default:
		return float32(s.whole(kind))
	}
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

func (s *ubjsonSource) nextKind() byte {
	if s.kind != 0 {
		return s.kind
	}
	for {
		if b := s.peek(); b != 'N' {
			return b
		}
		s.next()
	}
}

func (s *ubjsonSource) skip() {
	kind := s.marker()
	n, ok := fixed(kind)
	switch {
	case ok:
		s.pass(n)
	case kind == 'S' || kind == 'H':
		s.skipBytes()
	case kind == '{':
		s.parts('{', func(int) {
			s.skipBytes()
			s.skip()
		})
	case kind == '[':
		s.parts('[', func(int) { s.skip() })
	default:
		s.corrupt("a value of unknown kind %q", kind)
	}
}

// skipBytes leaves out a length and as many bytes.
func (s *ubjsonSource) skipBytes() {
	s.pass(s.length())
}

package parquetdata

import (
	"encoding/binary"
	"errors"
	"io"
	"unsafe"

	"github.com/parquet-go/parquet-go/format"
)

// walker reads Thrift's compact protocol, in which footers and page headers are written, only to
// check that every list and text that it announces can be there.
//
//	struct   (delta of id << 4 | type, value)... 0
//	list     size << 4 | type, values           a size from 15 up follows as a varint
//	map      size, types, keys and values
type walker struct {
	b     []byte
	at    int
	depth int
	made  int64 // bytes, at most, that the decoder makes of the lists and texts walked over
}

// What the decoder makes of the elements of lists, in bytes: structs are those of package format,
// the largest of which is that of a column chunk.
const (
	structBytes  = int64(unsafe.Sizeof(format.ColumnChunk{})) + 64
	elementBytes = 24
)

// The types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13

	maxDepth = 64 // of nested values
)

var errThrift = errors.New("its Thrift data makes no sense")

func (w *walker) byte() (byte, error) {
	if w.at >= len(w.b) {
		return 0, io.ErrUnexpectedEOF
	}
	w.at++
	return w.b[w.at-1], nil
}

func (w *walker) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, errThrift
	}
	w.at += n
	return v, nil
}

func (w *walker) integer() (int64, error) {
	v, err := w.varint()
	return int64(v>>1) ^ -int64(v&1), err
}

// pass moves over a number of bytes.
func (w *walker) pass(n uint64) error {
	if n > uint64(len(w.b)-w.at) {
		return io.ErrUnexpectedEOF
	}
	w.at += int(n)
	return nil
}

// fields calls visit with the id and type of each field of a struct; visit moves over its value.
func (w *walker) fields(visit func(id int64, kind byte) error) error {
	if w.depth++; w.depth > maxDepth {
		return errThrift
	}
	defer func() { w.depth-- }()
	for id := int64(0); ; {
		head, err := w.byte()
		if err != nil || head == 0 {
			return err
		}
		if delta := head >> 4; delta > 0 {
			id += int64(delta)
		} else if id, err = w.integer(); err != nil {
			return err
		}
		if err := visit(id, head&15); err != nil {
			return err
		}
	}
}

// skip moves over the value of a field.
func (w *walker) skip(kind byte) error {
	switch kind {
	case thriftTrue, thriftFalse: // the type is the value
		return nil
	case thriftByte:
		return w.pass(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.pass(8)
	case thriftUUID:
		return w.pass(16)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		w.made += int64(min(n, uint64(len(w.b))))
		return w.pass(n)
	case thriftList, thriftSet:
		return w.list()
	case thriftMap:
		return w.pairs()
	case thriftStruct:
		return w.fields(func(_ int64, kind byte) error { return w.skip(kind) })
	}
	return errThrift
}

func (w *walker) list() error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	size := uint64(head >> 4)
	if size == 15 {
		if size, err = w.varint(); err != nil {
			return err
		}
	}
	return w.elements(size, head&15)
}

func (w *walker) pairs() error {
	size, err := w.varint()
	if err != nil || size == 0 {
		return err
	}
	kinds, err := w.byte()
	if err != nil {
		return err
	}
	return w.elements(size, kinds>>4, kinds&15)
}

// elements moves over as many elements, each of values of the given types. None takes less than a
// byte.
func (w *walker) elements(n uint64, kinds ...byte) error {
	if n > uint64(len(w.b)-w.at) {
		return io.ErrUnexpectedEOF
	}
	if w.depth++; w.depth > maxDepth {
		return errThrift
	}
	defer func() { w.depth-- }()
	for ; n > 0; n-- {
		for _, kind := range kinds {
			if w.made += elementBytes; kind == thriftStruct {
				w.made += structBytes
			}
			// outside of a struct a byte holds the value
			if kind == thriftTrue || kind == thriftFalse {
				kind = thriftByte
			}
			if err := w.skip(kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageHeader reads the claims of a page header.
func (w *walker) pageHeader(p *pageHeader) error {
	set := func(to *int64) error {
		v, err := w.integer()
		*to = v
		return err
	}
	return w.fields(func(id int64, kind byte) error {
		switch {
		case id == 1 && kind == thriftI32:
			return set(&p.kind)
		case id == 2 && kind == thriftI32:
			return set(&p.unpacked)
		case id == 3 && kind == thriftI32:
			return set(&p.packed)
		case id == 4 && kind == thriftI32:
			return set(&p.checksum)
		case (id == 5 || id == 7) && kind == thriftStruct: // a data page, a dictionary
			p.seen |= 1 << id
			return w.fields(func(id int64, kind byte) error {
				switch {
				case id == 1 && kind == thriftI32:
					return set(&p.values)
				case id == 2 && kind == thriftI32:
					return set(&p.encoding)
				case id == 3 && kind == thriftI32:
					return set(&p.levelEncoding)
				}
				return w.skip(kind)
			})
		case id == 8 && kind == thriftStruct: // a data page of version 2
			p.seen |= 1 << id
			return w.fields(func(id int64, kind byte) error {
				switch {
				case id == 1 && kind == thriftI32:
					return set(&p.values)
				case id == 4 && kind == thriftI32:
					return set(&p.encoding)
				case id == 5 && kind == thriftI32:
					return set(&p.definition)
				case id == 6 && kind == thriftI32:
					return set(&p.repetition)
				case id == 7 && (kind == thriftTrue || kind == thriftFalse):
					p.plain = kind == thriftFalse
				}
				return w.skip(kind)
			})
		}
		return w.skip(kind)
	})
}

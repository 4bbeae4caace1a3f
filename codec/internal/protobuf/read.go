// Package protobuf reads and writes the wire format of Protocol Buffers, for model files of other
// tools. It has no generated code: a format's package switches on the numbers of fields.
//
// The reader is made for untrusted bytes. It checks every length before it uses it, bounds the
// depth of messages, counts what lists allocate, and reports where in the file an error is.
package protobuf

import (
	"errors"
	"fmt"
	"io"
)

// Wire is how a field is encoded.
type Wire uint8

// The ways to encode a field. The numbers 3 and 4, which are for groups, are refused.
const (
	Varint  Wire = 0 // int32, int64, uint32, uint64, sint32, sint64, bool, enum
	Fixed64 Wire = 1 // fixed64, sfixed64, double
	Bytes   Wire = 2 // string, bytes, messages, packed lists
	Fixed32 Wire = 5 // fixed32, sfixed32, float
)

// MaxDepth is how many messages may be within each other. Protocol Buffers' own readers have the
// same limit.
const MaxDepth = 100

// maxNumber is the greatest number of a field.
const maxNumber = 1<<29 - 1

// Error reports damaged bytes.
type Error struct {
	Offset int64 // the byte of the file at which the damaged field or value starts
	Field  int32 // the number of the field in its message; 0 = the tag itself is damaged
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("byte %d, field %d: %v", e.Offset, e.Field, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Message reads the fields of a message in the order of the file:
//
//	for m.Next() {
//		switch m.Field() {
//		case 1:
//			name = m.String()
//		case 2:
//			for sub := m.Message(); sub.Next(); { ... }
//		}
//	}
//	return m.Err()
//
// A field that is not read is skipped. The first error ends a message and all messages around it:
// Next returns false, and all other methods return zero values. So Err of the outermost message is
// enough.
type Message struct {
	Value
	start int // the message's first byte
	at    int // the next byte to read
	end   int // the end of the message
	depth int
}

// file is what all messages of a file share.
type file struct {
	data []byte
	base int64 // the offset of data[0]
	take func(n int64) error
	err  error
}

// NewMessage returns a reader of data, which starts at the given byte of its file and must not
// change. The reader calls take before it allocates n bytes; an error of take is returned by Err as
// it is. A nil take bounds nothing.
func NewMessage(data []byte, base int64, take func(n int64) error) *Message {
	if take == nil {
		take = func(int64) error { return nil }
	}
	return &Message{Value: Value{file: &file{data: data, base: base, take: take}},
		end: len(data)}
}

// Err returns the first error of the file, nil if there is none: an *Error, or one of take.
func (m *Message) Err() error { return m.file.err }

// Size returns the number of bytes of the message.
func (m *Message) Size() int { return m.end - m.start }

// Next goes to the next field, and returns false at the end of the message and after an error.
func (m *Message) Next() bool {
	if m.file.err != nil || m.at >= m.end {
		return false
	}
	m.tag, m.field = m.at, 0
	tag, at, err := m.file.varint(m.at, m.end)
	if err != nil {
		m.fail(m.tag, err)
		return false
	}
	if tag>>3 == 0 || tag>>3 > maxNumber {
		m.fail(m.tag, fmt.Errorf("number %d of a field", tag>>3))
		return false
	}
	m.field, m.wire, m.value = int32(tag>>3), Wire(tag&7), at
	if m.next, err = m.ending(); err != nil {
		m.fail(m.tag, err)
		return false
	}
	m.at = m.next
	return true
}

// ending finds the end of the current field's value, and moves value behind the length of Bytes.
func (m *Message) ending() (int, error) {
	size := uint64(0)
	switch m.wire {
	case Varint:
		_, at, err := m.file.varint(m.value, m.end)
		return at, err
	case Fixed64:
		size = 8
	case Fixed32:
		size = 4
	case Bytes:
		length, at, err := m.file.varint(m.value, m.end)
		if err != nil {
			return 0, err
		}
		m.value, size = at, length
	default:
		return 0, fmt.Errorf("wire type %d", m.wire)
	}
	if left := uint64(m.end - m.value); size > left {
		return 0, fmt.Errorf("%d bytes where the message has %d: %w", size, left,
			io.ErrUnexpectedEOF)
	}
	return m.value + int(size), nil
}

var errVarint = errors.New("an integer of more than 64 bits")

// varint reads the integer at a place, and returns the place behind it.
func (f *file) varint(at, end int) (uint64, int, error) {
	v := uint64(0)
	for shift := 0; shift < 70; shift += 7 {
		if at >= end {
			return 0, at, io.ErrUnexpectedEOF
		}
		b := f.data[at]
		at++
		if shift == 63 && b > 1 {
			return 0, at, errVarint
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, at, nil
		}
	}
	return 0, at, errVarint
}

// Message returns a reader of the current field. It is inlined, so that a reader that stays in its
// function takes no memory.
func (m *Message) Message() *Message {
	sub := new(Message)
	m.enter(sub)
	return sub
}

// enter makes sub a reader of the current field.
func (m *Message) enter(sub *Message) {
	*sub = Message{Value: Value{file: m.file}, start: m.value, at: m.value, end: m.next,
		depth: m.depth + 1}
	if !m.is(Bytes) {
		sub.end = sub.at
	} else if sub.depth >= MaxDepth {
		m.fail(m.tag, fmt.Errorf("messages of more than %d levels", MaxDepth))
	}
}

// Reset makes m, which NewMessage returned, a reader of other data, as NewMessage describes it. The
// function take stays, and so does an error.
func (m *Message) Reset(data []byte, base int64) {
	m.file.data, m.file.base = data, base
	*m = Message{Value: Value{file: m.file}, end: len(data)}
}

// Take reports whether n bytes may be allocated, and ends the reading if not. Callers use it for
// what they allocate themselves.
func (m *Message) Take(n int64) bool { return m.file.Take(n) }

// Take is Message.Take.
func (f *file) Take(n int64) bool {
	if f.err == nil {
		f.err = f.take(n)
	}
	return f.err == nil
}

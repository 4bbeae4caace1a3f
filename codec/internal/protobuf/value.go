package protobuf

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Value is the current field of a Message, whose methods are those of the message. A method that
// does not fit how the field is encoded makes the field an error.
type Value struct {
	file  *file
	field int32
	wire  Wire
	tag   int // where the field's tag starts
	value int // where its value starts
	next  int // where the next field starts
}

// Field returns the number of the current field.
func (v *Value) Field() int32 { return v.field }

// Wire returns how the current field is encoded.
func (v *Value) Wire() Wire { return v.wire }

// Offset returns the byte of the file at which the current field starts, its tag included.
func (v *Value) Offset() int64 { return v.file.base + int64(v.tag) }

// fail keeps the first error.
func (v *Value) fail(at int, err error) {
	if v.file.err == nil {
		v.file.err = &Error{Offset: v.file.base + int64(at), Field: v.field, Err: err}
	}
}

// Fail makes the current field an error of the file, for values that the caller refuses.
func (v *Value) Fail(err error) { v.fail(v.tag, err) }

// is reports whether the current field is encoded as w, and makes it an error if not.
func (v *Value) is(w Wire) bool {
	if v.file.err != nil {
		return false
	}
	if v.wire != w {
		v.fail(v.tag, fmt.Errorf("wire type %d, want %d", v.wire, w))
		return false
	}
	return true
}

// Uint64 returns the current field, which is a Varint.
func (v *Value) Uint64() uint64 {
	if !v.is(Varint) {
		return 0
	}
	x, _, _ := v.file.varint(v.value, v.next)
	return x
}

// Int64 returns the current field, which is a Varint of type int64.
func (v *Value) Int64() int64 { return int64(v.Uint64()) }

// Int32 returns the current field, which is a Varint of type int32 or an enum. A value of more than
// 32 bits is an error.
func (v *Value) Int32() int32 {
	x := v.Int64()
	if x != int64(int32(x)) {
		v.fail(v.value, fmt.Errorf("%d is no int32", x))
		return 0
	}
	return int32(x)
}

// Bool returns the current field, which is a Varint.
func (v *Value) Bool() bool { return v.Uint64() != 0 }

// Float returns the current field, which is a Fixed32.
func (v *Value) Float() float32 {
	if !v.is(Fixed32) {
		return 0
	}
	return math.Float32frombits(le32(v.file.data[v.value:]))
}

// Double returns the current field, which is a Fixed64.
func (v *Value) Double() float64 {
	if !v.is(Fixed64) {
		return 0
	}
	return math.Float64frombits(le64(v.file.data[v.value:]))
}

// Bytes returns the current field, a part of the file that the caller must not change.
func (v *Value) Bytes() []byte {
	if !v.is(Bytes) {
		return nil
	}
	return v.file.data[v.value:v.next:v.next]
}

// String returns the current field as text. Bytes that are no UTF-8 are an error.
func (v *Value) String() string {
	b := v.Bytes()
	if !utf8.Valid(b) {
		v.fail(v.tag, errors.New("a text that is no UTF-8"))
		return ""
	}
	if !v.file.Take(int64(len(b))) {
		return ""
	}
	return string(b)
}

// Len returns the number of bytes of the current field's value.
func (v *Value) Len() int { return v.next - v.value }

func le32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func le64(b []byte) uint64 { return uint64(le32(b)) | uint64(le32(b[4:]))<<32 }

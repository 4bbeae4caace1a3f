package catboost

import (
	"encoding/binary"
	"fmt"
	"math"
)

// flatBuffer reads a FlatBuffer of a file that may be hostile. It has no schema: a caller names
// fields by their numbers. Every offset is checked where it is followed, so a buffer needs no
// verification first, and nothing is copied. It has the first error of reading. Once there is one,
// everything that is read is zero or empty, so that a caller needs to look at Err once.
//
//	buffer    offset of the root table, ..., tables, their vtables, vectors
//	table     int32 distance back to its vtable, fields
//	vtable    uint16 bytes of itself, uint16 bytes of the table, uint16 place of each field or 0
//	vector    uint32 length, elements
//	element   of tables, texts and vectors: uint32 distance forward to it
type flatBuffer struct {
	data []byte
	err  error
}

// newFlatBuffer returns a buffer of some bytes.
func newFlatBuffer(data []byte) *flatBuffer { return &flatBuffer{data: data} }

// Err returns the first error, nil if there is none.
func (b *flatBuffer) Err() error { return b.err }

// bytes returns n bytes at a place.
func (b *flatBuffer) bytes(at, n uint64) []byte {
	if b.err == nil && (at > uint64(len(b.data)) || n > uint64(len(b.data))-at) {
		b.err = fmt.Errorf("%d bytes at byte %d of %d", n, at, len(b.data))
	}
	if b.err != nil {
		return nil
	}
	return b.data[at : at+n : at+n]
}

func (b *flatBuffer) uint16(at uint64) uint64 {
	if p := b.bytes(at, 2); p != nil {
		return uint64(binary.LittleEndian.Uint16(p))
	}
	return 0
}

func (b *flatBuffer) uint32(at uint64) uint32 {
	if p := b.bytes(at, 4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

// follow returns the place that the offset at a place leads to.
func (b *flatBuffer) follow(at uint64) uint64 { return at + uint64(b.uint32(at)) }

// Root returns the root table.
func (b *flatBuffer) Root() flatTable { return b.table(b.follow(0)) }

// table returns the table at a place.
func (b *flatBuffer) table(at uint64) flatTable {
	back := int64(int32(b.uint32(at)))
	vtable := int64(at) - back
	if b.err == nil && (vtable < 0 || vtable > int64(len(b.data))) {
		b.err = fmt.Errorf("the table at byte %d has its vtable at byte %d of %d", at, vtable,
			len(b.data))
	}
	if b.err != nil {
		return flatTable{b: b}
	}
	t := flatTable{b: b, at: at, vtable: uint64(vtable)}
	size := b.uint16(t.vtable)
	t.size = b.uint16(t.vtable + 2)
	b.bytes(t.vtable, size)
	b.bytes(at, t.size)
	if size < 4 || size%2 != 0 {
		if b.err == nil {
			b.err = fmt.Errorf("a vtable of %d bytes at byte %d", size, vtable)
		}
		return flatTable{b: b}
	}
	t.fields = (size - 4) / 2
	return t
}

// flatTable is a table of a buffer; the zero value has no fields.
type flatTable struct {
	b          *flatBuffer
	at, vtable uint64
	size       uint64 // bytes of the table
	fields     uint64
}

// place returns where a field of some bytes lies, ok whether it is there.
func (t flatTable) place(field int, size uint64) (at uint64, ok bool) {
	if t.b == nil || t.b.err != nil || uint64(field) >= t.fields {
		return 0, false
	}
	off := t.b.uint16(t.vtable + 4 + 2*uint64(field))
	if off == 0 || t.b.err != nil {
		return 0, false
	}
	if off < 4 || off+size > t.size {
		t.b.err = fmt.Errorf("field %d at byte %d of a table of %d bytes", field, off, t.size)
		return 0, false
	}
	return t.at + off, true
}

// Uint8 returns a byte or truth value, absent if it is not there.
func (t flatTable) Uint8(field int, absent uint8) uint8 {
	if at, ok := t.place(field, 1); ok {
		if p := t.b.bytes(at, 1); p != nil {
			return p[0]
		}
	}
	return absent
}

// Int32 returns a number, absent if it is not there.
func (t flatTable) Int32(field int, absent int32) int32 {
	if at, ok := t.place(field, 4); ok {
		return int32(t.b.uint32(at))
	}
	return absent
}

// Float32 returns a number, absent if it is not there.
func (t flatTable) Float32(field int, absent float32) float32 {
	if at, ok := t.place(field, 4); ok {
		return math.Float32frombits(t.b.uint32(at))
	}
	return absent
}

// Float64 returns a number, absent if it is not there.
func (t flatTable) Float64(field int, absent float64) float64 {
	if at, ok := t.place(field, 8); ok {
		if p := t.b.bytes(at, 8); p != nil {
			return math.Float64frombits(binary.LittleEndian.Uint64(p))
		}
	}
	return absent
}

// Table returns a table, one without fields if it is not there.
func (t flatTable) Table(field int) flatTable {
	if at, ok := t.place(field, 4); ok {
		return t.b.table(t.b.follow(at))
	}
	return flatTable{b: t.b}
}

// Text returns the bytes of a text, nil if it is not there.
func (t flatTable) Text(field int) []byte { return t.Vector(field, 1).data }

// Vector returns a vector whose elements have some bytes each: those of a number or struct, 4 of
// tables and texts. It is empty if it is not there.
func (t flatTable) Vector(field, size int) flatVector {
	if at, ok := t.place(field, 4); ok {
		return t.b.vector(t.b.follow(at), size)
	}
	return flatVector{size: size}
}

func (b *flatBuffer) vector(at uint64, size int) flatVector {
	n := b.uint32(at)
	data := b.bytes(at+4, uint64(n)*uint64(size))
	if b.err != nil {
		return flatVector{size: size}
	}
	return flatVector{b: b, at: at + 4, data: data, size: size}
}

// flatVector is a vector of a buffer.
type flatVector struct {
	b    *flatBuffer
	at   uint64
	data []byte
	size int
}

// Len returns the number of elements.
func (v flatVector) Len() int { return len(v.data) / v.size }

// Bytes returns the bytes of all elements.
func (v flatVector) Bytes() []byte { return v.data }

// Int32 returns the number at some byte of an element, which is a number or a struct.
func (v flatVector) Int32(i, at int) int32 {
	return int32(binary.LittleEndian.Uint32(v.data[i*v.size+at:]))
}

// Float32 returns the number at some byte of an element.
func (v flatVector) Float32(i, at int) float32 { return math.Float32frombits(uint32(v.Int32(i, at))) }

// Uint16 returns the number at some byte of an element.
func (v flatVector) Uint16(i, at int) uint16 {
	return binary.LittleEndian.Uint16(v.data[i*v.size+at:])
}

// Uint64 returns the number at some byte of an element.
func (v flatVector) Uint64(i, at int) uint64 {
	return binary.LittleEndian.Uint64(v.data[i*v.size+at:])
}

// Float64 returns the number at some byte of an element.
func (v flatVector) Float64(i, at int) float64 { return math.Float64frombits(v.Uint64(i, at)) }

// Table returns an element of a vector of tables.
func (v flatVector) Table(i int) flatTable { return v.b.table(v.b.follow(v.at + 4*uint64(i))) }

// Text returns an element of a vector of texts.
func (v flatVector) Text(i int) []byte { return v.b.vector(v.b.follow(v.at+4*uint64(i)), 1).data }

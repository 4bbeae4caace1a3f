package protobuf

import "math"

// Writer makes a message. Its methods append one field each, in the order of the calls; zero values
// are written as any other. The zero Writer is an empty message.
type Writer struct{ data []byte }

// Data returns the message so far.
func (w *Writer) Data() []byte { return w.data }

func (w *Writer) tag(field int32, wire Wire) { w.varint(uint64(field)<<3 | uint64(wire)) }

func (w *Writer) varint(v uint64) {
	for ; v >= 0x80; v >>= 7 {
		w.data = append(w.data, byte(v)|0x80)
	}
	w.data = append(w.data, byte(v))
}

func (w *Writer) fixed32(v uint32) {
	w.data = append(w.data, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

func (w *Writer) fixed64(v uint64) {
	w.fixed32(uint32(v))
	w.fixed32(uint32(v >> 32))
}

// Int64 writes a field of type int64, int32, uint64 or bool, or an enum.
func (w *Writer) Int64(field int32, v int64) {
	w.tag(field, Varint)
	w.varint(uint64(v))
}

// Float writes a field of type float.
func (w *Writer) Float(field int32, v float32) {
	w.tag(field, Fixed32)
	w.fixed32(math.Float32bits(v))
}

// Double writes a field of type double.
func (w *Writer) Double(field int32, v float64) {
	w.tag(field, Fixed64)
	w.fixed64(math.Float64bits(v))
}

// String writes a field of type string or bytes.
func (w *Writer) String(field int32, v string) {
	w.tag(field, Bytes)
	w.varint(uint64(len(v)))
	w.data = append(w.data, v...)
}

// Message writes a field that is a message; fill writes its fields.
func (w *Writer) Message(field int32, fill func(*Writer)) {
	var sub Writer
	fill(&sub)
	w.tag(field, Bytes)
	w.varint(uint64(len(sub.data)))
	w.data = append(w.data, sub.data...)
}

// Int64s writes a packed list of integers.
func (w *Writer) Int64s(field int32, list []int64) {
	w.Message(field, func(sub *Writer) {
		for _, v := range list {
			sub.varint(uint64(v))
		}
	})
}

// Floats writes a packed list of numbers of 32 bits.
func (w *Writer) Floats(field int32, list []float32) {
	w.tag(field, Bytes)
	w.varint(4 * uint64(len(list)))
	for _, v := range list {
		w.fixed32(math.Float32bits(v))
	}
}

// Doubles writes a packed list of numbers of 64 bits.
func (w *Writer) Doubles(field int32, list []float64) {
	w.tag(field, Bytes)
	w.varint(8 * uint64(len(list)))
	for _, v := range list {
		w.fixed64(math.Float64bits(v))
	}
}

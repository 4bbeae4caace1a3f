package onnx

import (
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// readAttribute reads the name of an attribute and keeps the rest for later.
func readAttribute(m *protobuf.Message) attribute {
	a := attribute{message: *m}
	for m.Next() {
		if m.Field() == attributeName {
			a.name = m.String()
		}
	}
	return a
}

// each calls read for each field of a number.
func (a *attribute) each(field int32, read func(m *protobuf.Message)) {
	m := a.message
	for m.Next() {
		if m.Field() == field {
			read(&m)
		}
	}
}

func (a *attribute) float() (v float32) {
	a.each(attributeF, func(m *protobuf.Message) { v = m.Float() })
	return v
}

func (a *attribute) int() (v int64) {
	a.each(attributeI, func(m *protobuf.Message) { v = m.Int64() })
	return v
}

func (a *attribute) text() (v string) {
	a.each(attributeS, func(m *protobuf.Message) { v = m.String() })
	return v
}

// ints returns a list. Lists are not packed as a rule: the attribute's length bounds their number,
// so that the list need not grow.
func (a *attribute) ints() (list []int64) {
	a.each(attributeInts, func(m *protobuf.Message) {
		if list == nil && m.Wire() == protobuf.Varint && m.Take(int64(a.message.Size())*4) {
			list = make([]int64, 0, a.message.Size()/2)
		}
		list = m.Int64s(list)
	})
	return list
}

func (a *attribute) floats() (list []float32) {
	a.each(attributeFloats, func(m *protobuf.Message) {
		if list == nil && m.Wire() == protobuf.Fixed32 && m.Take(int64(a.message.Size())) {
			list = make([]float32, 0, a.message.Size()/5)
		}
		list = m.Floats(list)
	})
	return list
}

// texts calls read for each text of a list; the bytes are part of the file.
func (a *attribute) texts(read func(text []byte)) {
	a.each(attributeStrings, func(m *protobuf.Message) { read(m.Bytes()) })
}

func (a *attribute) tensor() (t *tensor) {
	a.each(attributeT, func(m *protobuf.Message) { _, t = readTensor(m.Message()) })
	return t
}

package onnx

import "github.com/coppice-ml/coppice/codec/internal/protobuf"

// The values of AttributeProto.type.
const (
	typeInt, typeText               = 2, 3
	typeFloats, typeInts, typeTexts = 6, 7, 8
)

// The functions of this file write one attribute of an operator each; lists have their elements
// from a function.

func attributeOf(m *protobuf.Writer, name string, kind int64, fill func(*protobuf.Writer)) {
	m.Message(nodeAttribute, func(m *protobuf.Writer) {
		m.String(attributeName, name)
		fill(m)
		m.Int64(attributeType, kind)
	})
}

func number(m *protobuf.Writer, name string, v int64) {
	attributeOf(m, name, typeInt, func(m *protobuf.Writer) { m.Int64(attributeI, v) })
}

func text(m *protobuf.Writer, name, v string) {
	attributeOf(m, name, typeText, func(m *protobuf.Writer) { m.String(attributeS, v) })
}

func ints(m *protobuf.Writer, name string, n int, of func(int) int64) {
	attributeOf(m, name, typeInts, func(m *protobuf.Writer) {
		m.Int64s(attributeInts, listOf(n, of))
	})
}

func floats(m *protobuf.Writer, name string, n int, of func(int) float32) {
	attributeOf(m, name, typeFloats, func(m *protobuf.Writer) {
		m.Floats(attributeFloats, listOf(n, of))
	})
}

func names(m *protobuf.Writer, name string, n int, of func(int) string) {
	attributeOf(m, name, typeTexts, func(m *protobuf.Writer) {
		for i := range n {
			m.String(attributeStrings, of(i))
		}
	})
}

func listOf[T any](n int, of func(int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

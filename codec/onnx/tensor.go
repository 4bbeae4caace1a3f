package onnx

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// readTensor reads a constant, nil if an error ended it. Numbers of all types become float64.
func readTensor(m *protobuf.Message) (name string, t *tensor) {
	t = &tensor{}
	var floats []float32
	var ints []int64
	var raw []byte
	for m.Next() {
		switch m.Field() {
		case tensorName:
			name = m.String()
		case tensorDims:
			t.dims = m.Int64s(t.dims)
		case tensorType:
			t.element = element(m.Int32())
		case tensorFloats:
			floats = m.Floats(floats)
		case tensorInt32s, tensorInt64s:
			ints = m.Int64s(ints)
		case tensorDoubles:
			t.numbers = m.Doubles(t.numbers)
		case tensorStrings:
			t.texts = m.Strings(t.texts)
		case tensorRaw:
			raw = m.Bytes()
		case tensorPlace:
			if m.Int64() != 0 {
				m.Fail(errors.New("a tensor in another file"))
			}
		}
	}
	if m.Err() != nil || !t.fill(m, floats, ints, raw) {
		return name, nil
	}
	return name, t
}

// fill makes the numbers of a constant of what the message has, and reports success.
func (t *tensor) fill(m *protobuf.Message, floats []float32, ints []int64, raw []byte) bool {
	size := map[element]int{float32s: 4, uint8s: 1, int32s: 4, int64s: 8, float64s: 8}[t.element]
	n := len(floats) + len(ints)
	if size > 0 {
		n += len(raw) / size
	}
	if size > 0 && len(raw)%size != 0 {
		m.Fail(fmt.Errorf("%d bytes of a tensor's numbers of %d bytes", len(raw), size))
		return false
	}
	if !m.Take(8 * int64(n)) {
		return false
	}
	if t.numbers == nil {
		t.numbers = make([]float64, 0, n)
	}
	for _, v := range floats {
		t.numbers = append(t.numbers, float64(v))
	}
	for _, v := range ints {
		t.numbers = append(t.numbers, float64(v))
	}
	for ; size > 0 && len(raw) > 0; raw = raw[size:] {
		bits := uint64(0)
		for i := size - 1; i >= 0; i-- {
			bits = bits<<8 | uint64(raw[i])
		}
		t.numbers = append(t.numbers, numberOf(t.element, bits))
	}
	return true
}

// numberOf returns the number that some bits are in a type.
func numberOf(e element, bits uint64) float64 {
	switch e {
	case float32s:
		return float64(math.Float32frombits(uint32(bits)))
	case float64s:
		return math.Float64frombits(bits)
	case int32s:
		return float64(int32(bits))
	case int64s:
		return float64(int64(bits))
	}
	return float64(bits)
}

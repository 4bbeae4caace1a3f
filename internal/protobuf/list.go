package protobuf

import (
	"fmt"
	"math"
)

// A repeated field of numbers comes in two forms, and a file may mix them: packed, as one value of
// all numbers, or as one field per number. The methods of this file append what the current field
// has, in either form, to a list.

// Int64s appends the current field's integers to list.
func (m *Message) Int64s(list []int64) []int64 {
	return integers(m, list, func(v uint64) (int64, bool) { return int64(v), true })
}

// Int32s appends the current field's integers to list. An integer of more than 32 bits is an error.
func (m *Message) Int32s(list []int32) []int32 {
	return integers(m, list, func(v uint64) (int32, bool) {
		return int32(v), int64(v) == int64(int32(v))
	})
}

// Uint64s appends the current field's integers to list.
func (m *Message) Uint64s(list []uint64) []uint64 {
	return integers(m, list, func(v uint64) (uint64, bool) { return v, true })
}

// Bools appends the current field's values to list.
func (m *Message) Bools(list []bool) []bool {
	return integers(m, list, func(v uint64) (bool, bool) { return v != 0, true })
}

// Floats appends the current field's numbers of 32 bits to list.
func (m *Message) Floats(list []float32) []float32 {
	return fixed(m, list, Fixed32, 4, func(b []byte) float32 { return math.Float32frombits(le32(b)) })
}

// Doubles appends the current field's numbers of 64 bits to list.
func (m *Message) Doubles(list []float64) []float64 {
	return fixed(m, list, Fixed64, 8, func(b []byte) float64 { return math.Float64frombits(le64(b)) })
}

// Strings appends the current field, a text, to list.
func (m *Message) Strings(list []string) []string {
	s := m.String()
	if list = reserve(m, list, 1, 16); m.file.err != nil {
		return list
	}
	return append(list, s)
}

func integers[T any](m *Message, list []T, convert func(uint64) (T, bool)) []T {
	if m.file.err != nil {
		return list
	}
	at, end, count := m.value, m.next, 1
	if m.wire == Bytes {
		count = 0
		for _, b := range m.file.data[at:end] {
			if b < 0x80 {
				count++
			}
		}
	} else if !m.is(Varint) {
		return list
	}
	if list = reserve(m, list, count, 8); m.file.err != nil {
		return list
	}
	for at < end {
		v, next, err := m.varint(at, end)
		if err != nil {
			m.fail(at, err)
			return list
		}
		one, ok := convert(v)
		if !ok {
			m.fail(at, fmt.Errorf("%d is out of range", int64(v)))
			return list
		}
		list, at = append(list, one), next
	}
	return list
}

func fixed[T any](m *Message, list []T, single Wire, size int, convert func([]byte) T) []T {
	if m.file.err != nil || m.wire != Bytes && !m.is(single) {
		return list
	}
	b := m.file.data[m.value:m.next]
	if len(b)%size != 0 {
		m.fail(m.tag, fmt.Errorf("%d bytes of numbers of %d bytes", len(b), size))
		return list
	}
	if list = reserve(m, list, len(b)/size, int64(size)); m.file.err != nil {
		return list
	}
	for ; len(b) > 0; b = b[size:] {
		list = append(list, convert(b))
	}
	return list
}

// reserve returns list with capacity for n more elements of at most size bytes. It takes the memory
// of what it allocates. A list that is full doubles.
func reserve[T any](m *Message, list []T, n int, size int64) []T {
	if cap(list)-len(list) >= n || m.file.err != nil {
		return list
	}
	capacity := max(len(list)+n, 2*cap(list))
	if !m.Take(int64(capacity) * size) {
		return list
	}
	grown := make([]T, len(list), capacity)
	copy(grown, list)
	return grown
}

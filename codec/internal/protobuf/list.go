package protobuf

import (
	"fmt"
	"math"
)

// A repeated field of numbers comes in two forms, and a file may mix them: packed, as one value of
// all numbers, or as one field per number. The methods of this file append what the current field
// has, in either form, to a list.

// Int64s appends the current field's integers to list.
func (v *Value) Int64s(list []int64) []int64 {
	return integers(v, list, func(x uint64) (int64, bool) { return int64(x), true })
}

// Int32s appends the current field's integers to list. An integer of more than 32 bits is an error.
func (v *Value) Int32s(list []int32) []int32 {
	return integers(v, list, func(x uint64) (int32, bool) {
		return int32(x), int64(x) == int64(int32(x))
	})
}

// Floats appends the current field's numbers of 32 bits to list.
func (v *Value) Floats(list []float32) []float32 {
	return fixed(v, list, Fixed32, 4, func(b []byte) float32 {
		return math.Float32frombits(le32(b))
	})
}

// Doubles appends the current field's numbers of 64 bits to list.
func (v *Value) Doubles(list []float64) []float64 {
	return fixed(v, list, Fixed64, 8, func(b []byte) float64 {
		return math.Float64frombits(le64(b))
	})
}

// Strings appends the current field, a text, to list.
func (v *Value) Strings(list []string) []string {
	s := v.String()
	if list = reserve(v, list, 1, 16); v.file.err != nil {
		return list
	}
	return append(list, s)
}

func integers[T any](v *Value, list []T, convert func(uint64) (T, bool)) []T {
	if v.file.err != nil {
		return list
	}
	at, end, count := v.value, v.next, 1
	if v.wire == Bytes {
		count = 0
		for _, b := range v.file.data[at:end] {
			if b < 0x80 {
				count++
			}
		}
	} else if !v.is(Varint) {
		return list
	}
	if list = reserve(v, list, count, 8); v.file.err != nil {
		return list
	}
	for at < end {
		x, next, err := v.file.varint(at, end)
		if err != nil {
			v.fail(at, err)
			return list
		}
		one, ok := convert(x)
		if !ok {
			v.fail(at, fmt.Errorf("%d is out of range", int64(x)))
			return list
		}
		list, at = append(list, one), next
	}
	return list
}

func fixed[T any](v *Value, list []T, single Wire, size int, convert func([]byte) T) []T {
	if v.file.err != nil || v.wire != Bytes && !v.is(single) {
		return list
	}
	b := v.file.data[v.value:v.next]
	if len(b)%size != 0 {
		v.fail(v.tag, fmt.Errorf("%d bytes of numbers of %d bytes", len(b), size))
		return list
	}
	if list = reserve(v, list, len(b)/size, int64(size)); v.file.err != nil {
		return list
	}
	for ; len(b) > 0; b = b[size:] {
		list = append(list, convert(b))
	}
	return list
}

// reserve returns list with capacity for n more elements of at most size bytes. It takes the memory
// of what it allocates. A list that is full doubles.
func reserve[T any](v *Value, list []T, n int, size int64) []T {
	if cap(list)-len(list) >= n || v.file.err != nil {
		return list
	}
	capacity := max(len(list)+n, 2*cap(list))
	if !v.file.Take(int64(capacity) * size) {
		return list
	}
	grown := make([]T, len(list), capacity)
	copy(grown, list)
	return grown
}

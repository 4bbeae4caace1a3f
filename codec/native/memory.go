package native

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// littleEndian reports that numbers lie in memory as they do in a file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// sizeOf returns the bytes of one element.
func sizeOf[T element]() int { return int(reflect.TypeFor[T]().Size()) }

// memory returns the bytes that the elements of s lie in. No element has a pointer or padding, and
// any bytes are valid elements, as far as memory is concerned.
func memory[T element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*sizeOf[T]())
}

// view returns the elements whose bytes are b: b's own memory where order and alignment allow, else
// a copy.
func view[T element](b []byte) []T {
	size := sizeOf[T]()
	if len(b) < size {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if littleEndian && uintptr(p)%uintptr(reflect.TypeFor[T]().Align()) == 0 {
		return unsafe.Slice((*T)(p), len(b)/size)
	}
	return copied[T](b)
}

// copied is view for any memory and machine.
func copied[T element](b []byte) []T {
	s := make([]T, len(b)/sizeOf[T]())
	copy(memory(s), b)
	if !littleEndian {
		turn[T](memory(s))
	}
	return s
}

// rawBytes returns the bytes of s as in a file: s's own memory where possible.
func rawBytes[T element](s []T) []byte {
	if littleEndian {
		return memory(s)
	}
	b := slices.Clone(memory(s))
	turn[T](b)
	return b
}

// turn reverses the order of bytes in each number of elements: a struct is one of several.
func turn[T element](b []byte) {
	t := reflect.TypeFor[T]()
	widths := []int{int(t.Size())}
	if t.Kind() == reflect.Struct {
		widths = nil
		for i := range t.NumField() {
			widths = append(widths, int(t.Field(i).Type.Size()))
		}
	}
	for len(b) > 0 {
		for _, w := range widths {
			slices.Reverse(b[:w])
			b = b[w:]
		}
	}
}

// widest is the alignment that elements of all kinds are content with.
const widest = 8

// fits reports whether elements of all kinds may lie where b starts.
func fits(b []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%widest == 0 }

// aligned returns n bytes of memory in which elements of all kinds may lie.
func aligned(n int) []byte {
	words := make([]uint64, (n+widest-1)/widest)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

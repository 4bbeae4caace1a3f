package catboost

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sample is a buffer by hand: a table of an int32, a text, a vector of two tables without fields
// and a byte.
func sample() []byte {
	u16, u32 := binary.LittleEndian.AppendUint16, binary.LittleEndian.AppendUint32
	b := u32(nil, 16) // root
	for _, x := range []uint16{12, 20, 4, 8, 12, 16} {
		b = u16(b, x) // 4: vtable
	}
	b = u32(b, 12)                                    // 16: table; its vtable lies 12 before
	b = u32(b, 7)                                     // 20: the number
	b = u32(b, 12)                                    // 24: the text, at 36
	b = u32(b, 16)                                    // 28: the vector, at 44
	b = append(b, 9, 0, 0, 0)                         // 32: the byte
	b = append(u32(b, 3), 'a', 'b', 'c', 0)           // 36
	b = u32(u32(u32(b, 2), 12), 8)                    // 44: two elements, both at 60
	return u32(u16(u16(b, 4), 4), uint32(60-56+0)<<0) // 56: vtable, 60: table
}

// read reads everything, and returns it.
func read(data []byte) (number int32, text string, tables int, last uint8, err error) {
	b := newFlatBuffer(data)
	t := b.Root()
	number, text, last = t.Int32(0, -1), string(t.Text(1)), t.Uint8(3, 0)
	v := t.Vector(2, 4)
	for i := range v.Len() {
		if e := v.Table(i); e.Int32(0, 5) == 5 {
			tables++
		}
	}
	t.Float64(0, 0)
	t.Table(1).Vector(2, 12)
	return number, text, tables, last, b.Err()
}

func TestRead(t *testing.T) {
	b := newFlatBuffer(sample())
	root := b.Root()
	v := root.Vector(2, 4)
	if root.Int32(0, -1) != 7 || string(root.Text(1)) != "abc" || root.Uint8(3, 0) != 9 ||
		root.Int32(4, -1) != -1 || root.Uint8(5, 0) != 0 || v.Len() != 2 || v.Table(1).Uint8(0, 3) != 3 || b.Err() != nil {
		t.Errorf("%d %q %d %d, %v", root.Int32(0, -1), root.Text(1), root.Uint8(3, 0), v.Len(), b.Err())
	}
}

// No damage makes a reader leave the buffer.
func TestDamage(t *testing.T) {
	whole := sample()
	for n := range whole {
		if _, _, _, _, err := read(whole[:n]); err == nil {
			t.Errorf("the first %d bytes are read without an error", n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := slices.Clone(whole)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		read(b)
	})
}

func FuzzRead(f *testing.F) {
	f.Add(sample())
	f.Fuzz(func(_ *testing.T, b []byte) { read(b) })
}

package protobuf_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// The bytes of the encoding guide of Protocol Buffers: 150 as field 1, "testing" as field 2, and 3,
// 270 and 86942 packed as field 6.
func TestKnownBytes(t *testing.T) {
	const file = "\x08\x96\x01" + "\x12\x07testing" + "\x32\x06\x03\x8e\x02\x9e\xa7\x05"
	m := protobuf.NewMessage([]byte(file), 0, nil)
	var list []int64
	for m.Next() {
		switch m.Field() {
		case 1:
			if v := m.Int64(); v != 150 {
				t.Errorf("%d, want 150", v)
			}
		case 2:
			if s := m.String(); s != "testing" {
				t.Errorf("%q", s)
			}
		case 6:
			list = m.Int64s(list)
		}
	}
	if m.Err() != nil || !slices.Equal(list, []int64{3, 270, 86942}) {
		t.Errorf("%v, %v", list, m.Err())
	}
	var w protobuf.Writer
	w.Int64(1, 150)
	w.String(2, "testing")
	w.Int64s(6, list)
	if string(w.Data()) != file {
		t.Errorf("written as %q", w.Data())
	}
}

// record has a field of each type.
type record struct {
	Int     int64
	Float   float32
	Double  float64
	Text    string
	Ints    []int64
	Int32s  []int32
	Floats  []float32
	Doubles []float64
	Texts   []string
	Packed  bool // how the lists are written
	Below   *record
}

func draw(t *rapid.T, depth int) *record {
	r := &record{
		Int:     rapid.Int64().Draw(t, "int"),
		Float:   rapid.Float32().Draw(t, "float"),
		Double:  rapid.Float64().Draw(t, "double"),
		Text:    rapid.String().Draw(t, "text"),
		Ints:    rapid.SliceOf(rapid.Int64()).Draw(t, "ints"),
		Int32s:  rapid.SliceOf(rapid.Int32()).Draw(t, "int32s"),
		Floats:  rapid.SliceOf(rapid.Float32()).Draw(t, "floats"),
		Doubles: rapid.SliceOf(rapid.Float64()).Draw(t, "doubles"),
		Texts:   rapid.SliceOf(rapid.String()).Draw(t, "texts"),
		Packed:  rapid.Bool().Draw(t, "packed"),
	}
	if depth > 0 {
		r.Below = draw(t, depth-1)
	}
	return r
}

func (r *record) write(w *protobuf.Writer) {
	w.Int64(1, r.Int)
	w.Float(2, r.Float)
	w.Double(3, r.Double)
	w.String(4, r.Text)
	wide := make([]int64, len(r.Int32s))
	for i, v := range r.Int32s {
		wide[i] = int64(v)
	}
	if r.Packed {
		w.Int64s(5, r.Ints)
		w.Int64s(6, wide)
		w.Floats(7, r.Floats)
		w.Doubles(8, r.Doubles)
	} else {
		each(r.Ints, func(v int64) { w.Int64(5, v) })
		each(wide, func(v int64) { w.Int64(6, v) })
		each(r.Floats, func(v float32) { w.Float(7, v) })
		each(r.Doubles, func(v float64) { w.Double(8, v) })
	}
	each(r.Texts, func(s string) { w.String(9, s) })
	if r.Below != nil {
		w.Message(1000, r.Below.write)
	}
}

func each[T any](list []T, f func(T)) {
	for _, v := range list {
		f(v)
	}
}

func read(m *protobuf.Message) *record {
	r := &record{}
	for m.Next() {
		switch m.Field() {
		case 1:
			r.Int = m.Int64()
		case 2:
			r.Float = m.Float()
		case 3:
			r.Double = m.Double()
		case 4:
			r.Text = m.String()
		case 5:
			r.Packed = m.Wire() == protobuf.Bytes
			r.Ints = m.Int64s(r.Ints)
		case 6:
			r.Int32s = m.Int32s(r.Int32s)
		case 7:
			r.Floats = m.Floats(r.Floats)
		case 8:
			r.Doubles = m.Doubles(r.Doubles)
		case 9:
			r.Texts = m.Strings(r.Texts)
		case 1000:
			r.Below = read(m.Message())
		}
	}
	return r
}

func (r *record) equal(o *record) bool {
	if r == nil || o == nil {
		return r == o
	}
	return r.Int == o.Int && r.Float == o.Float && r.Double == o.Double && r.Text == o.Text &&
		slices.Equal(r.Ints, o.Ints) && slices.Equal(r.Int32s, o.Int32s) &&
		slices.Equal(r.Floats, o.Floats) && slices.Equal(r.Doubles, o.Doubles) &&
		slices.Equal(r.Texts, o.Texts) && r.Below.equal(o.Below)
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := draw(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		var w protobuf.Writer
		want.write(&w)
		m := protobuf.NewMessage(w.Data(), 0, nil)
		if got := read(m); m.Err() != nil || !got.equal(want) {
			t.Fatalf("%+v came back as %+v, %v", want, got, m.Err())
		}
	})
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		at   int64
		want string
	}{
		"number 0":            {"\x00\x01", 0, "number 0"},
		"number too great":    {"\x80\x80\x80\x80\x10\x01", 0, "number 536870912"},
		"group":               {"\x08\x01\x0b", 2, "wire type 3"},
		"tag ends":            {"\x08\x01\x88", 2, "unexpected EOF"},
		"integer ends":        {"\x08\x01\x08\x80", 2, "unexpected EOF"},
		"integer of 11 bytes": {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0, "64 bits"},
		"integer of 65 bits":  {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, "64 bits"},
		"float ends":          {"\x15\x01\x02\x03", 0, "unexpected EOF"},
		"text ends":           {"\x22\x05abcd", 0, "unexpected EOF"},
		"length near 2^64":    {"\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0, "unexpected EOF"},
		"no UTF-8":            {"\x22\x01\xff", 0, "UTF-8"},
		"floats of 5 bytes":   {"\x3a\x05abcde", 0, "5 bytes"},
		"packed integer ends": {"\x2a\x02\x01\x80", 3, "unexpected EOF"},
		"int32 out of range":  {"\x32\x06\x01\xff\xff\xff\xff\x0f", 3, "out of range"},
		"wrong wire":          {"\x0d\x01\x02\x03\x04", 0, "wire type 5, want 0"},
		"in a message":        {"\xc2\x3e\x02\x08\x80", 3, "unexpected EOF"},
	} {
		m := protobuf.NewMessage([]byte(c.data), 100, nil)
		read(m)
		var damage *protobuf.Error
		if !errors.As(m.Err(), &damage) || damage.Offset != 100+c.at ||
			!strings.Contains(damage.Error(), c.want) {
			t.Errorf("%s: %v, want %q at byte %d", name, m.Err(), c.want, 100+c.at)
		}
		if m.Next() {
			t.Errorf("%s: a field behind the error", name)
		}
	}
}

func TestInt32(t *testing.T) {
	for v, ok := range map[int64]bool{-1: true, math.MaxInt32: true, math.MinInt32: true,
		math.MaxInt32 + 1: false, math.MinInt64: false} {
		var w protobuf.Writer
		w.Int64(1, v)
		m := protobuf.NewMessage(w.Data(), 0, nil)
		m.Next()
		if got := m.Int32(); (m.Err() == nil) != ok || ok && int64(got) != v {
			t.Errorf("%d is read as %d, %v", v, got, m.Err())
		}
	}
}

func TestDepth(t *testing.T) {
	nested := func(levels int) error {
		var data []byte
		for range levels {
			var w protobuf.Writer
			w.String(1000, string(data))
			data = w.Data()
		}
		m := protobuf.NewMessage(data, 0, nil)
		read(m)
		return m.Err()
	}
	if err := nested(protobuf.MaxDepth - 1); err != nil {
		t.Errorf("messages at the limit: %v", err)
	}
	if err := nested(protobuf.MaxDepth); err == nil {
		t.Error("no error for messages beyond the limit")
	}
}

// An error of take ends the reading and is returned as it is.
func TestTake(t *testing.T) {
	var w protobuf.Writer
	w.Int64s(5, make([]int64, 1000))
	left := int64(7999)
	full := errors.New("full")
	m := protobuf.NewMessage(w.Data(), 0, func(n int64) error {
		if left -= n; left < 0 {
			return full
		}
		return nil
	})
	if r := read(m); m.Err() != full || len(r.Ints) > 0 {
		t.Errorf("%d integers, %v", len(r.Ints), m.Err())
	}
}

// A field that is no list and comes twice: the last value counts, as the format defines it.
func TestTwice(t *testing.T) {
	var w protobuf.Writer
	w.Int64(1, 1)
	w.Int64(1, 2)
	if r := read(protobuf.NewMessage(w.Data(), 0, nil)); r.Int != 2 {
		t.Errorf("%d, want 2", r.Int)
	}
}

// FuzzMessage reads any bytes. An error has a place in the file, and the memory of lists is bounded
// by the file's size. What is read without an error is read again from what the writer makes of it.
func FuzzMessage(f *testing.F) {
	f.Add([]byte("\x08\x96\x01\x12\x07testing\x32\x06\x03\x8e\x02\x9e\xa7\x05"))
	var w protobuf.Writer
	(&record{Int: -1, Float: 2, Double: 3, Text: "t", Ints: []int64{1, -1}, Floats: []float32{1},
		Texts: []string{"a"}, Below: &record{Packed: true, Doubles: []float64{1, 2}}}).write(&w)
	f.Add(w.Data())
	f.Fuzz(func(t *testing.T, data []byte) {
		taken := int64(0)
		m := protobuf.NewMessage(data, 0, func(n int64) error {
			taken += n
			return nil
		})
		r := read(m)
		if taken > 64*int64(len(data)) {
			t.Fatalf("%d bytes taken for a file of %d", taken, len(data))
		}
		var damage *protobuf.Error
		if err := m.Err(); err != nil {
			if !errors.As(err, &damage) || damage.Offset < 0 || damage.Offset > int64(len(data)) {
				t.Fatalf("%v", err)
			}
			return
		}
		var w protobuf.Writer
		r.write(&w)
		again := protobuf.NewMessage(w.Data(), 0, nil)
		got := read(again)
		var second protobuf.Writer
		if got.write(&second); again.Err() != nil || !bytes.Equal(second.Data(), w.Data()) {
			t.Fatalf("%+v came back as %+v, %v", r, got, again.Err())
		}
	})
}

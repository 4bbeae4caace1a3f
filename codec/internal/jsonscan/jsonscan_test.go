package jsonscan_test

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
	"pgregory.net/rapid"
)

// value reads any value as encoding/json decodes it.
func value(s *jsonscan.Scanner) any {
	switch s.Next() {
	case '{':
		m := map[string]any{}
		s.Object(func(name string) { m[name] = value(s) })
		return m
	case '[':
		a := []any{}
		s.Array(func(int) { a = append(a, value(s)) })
		return a
	case '"':
		return s.Text()
	case 't', 'f':
		return s.Bool()
	case 'n':
		s.Skip()
		return nil
	}
	return s.Finite()
}

// values generates values of all kinds.
func values(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Float64(), func(x float64) any { return x }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
	}
	if depth > 0 {
		inner := values(depth - 1)
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(inner, 0, 4), func(a []any) any { return a }),
			rapid.Map(rapid.MapOfN(rapid.String(), inner, 0, 4),
				func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(kinds...)
}

// What encoding/json writes is read back, and left out whole.
func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := values(3).Draw(t, "value")
		b, err := json.MarshalIndent(want, "", rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Skip("a number that JSON has not")
		}
		before := piece - rapid.IntRange(0, len(b)).Draw(t, "bytes in the first piece")
		for form, of := range forms(string(b), before) {
			s := of()
			got := value(s)
			s.End()
			if s.Err() != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s %s: %v, %v", form, b, got, s.Err())
			}
			left := of()
			left.Skip()
			left.End()
			if left.Err() != nil {
				t.Fatal(left.Err())
			}
		}
	})
}

// piece is the number of bytes of a file that a scanner reads at a time.
const piece = 64 << 10

// forms returns scanners of a text in memory, and of a file in which spaces are before it.
func forms(text string, spaces int) map[string]func() *jsonscan.Scanner {
	file := strings.NewReader(strings.Repeat(" ", spaces) + text)
	return map[string]func() *jsonscan.Scanner{
		"text": func() *jsonscan.Scanner { return jsonscan.NewText([]byte(text), nil) },
		"file": func() *jsonscan.Scanner { return jsonscan.New(file, file.Size(), nil, nil) },
	}
}

// scanner returns a scanner of a text.
func scanner(text string) *jsonscan.Scanner { return jsonscan.NewText([]byte(text), nil) }

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{"7": 7, "-3": -3, `"12"`: 12, "2.0": 2, "1e3": 1000} {
		if s := scanner(text); s.Int(-10, 1000) != want || s.Err() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
	for _, text := range []string{"1.5", "1e300", "1001", "-11", "x", `"`, `""`, "99999999999999999999"} {
		if s := scanner(text); s.Int(-10, 1000) != 0 || s.Err() == nil {
			t.Errorf("%s is taken for an integer", text)
		}
	}
	if s := scanner(`"18446744073709551615"`); s.Uint() != math.MaxUint64 {
		t.Error(s.Err())
	}
	for text, want := range map[string]float64{"1e-3": 1e-3, `"0.25"`: 0.25, "Infinity": math.Inf(1),
		"-Infinity": math.Inf(-1), "1e999": math.Inf(1), "NaN": math.NaN()} {
		s := scanner(text)
		if x := s.Float(64); math.Float64bits(x) != math.Float64bits(want) || s.Err() != nil {
			t.Errorf("%s: %v, %v", text, x, s.Err())
		}
		finite := scanner(text)
		finite.Finite()
		if fine := math.Abs(want) <= math.MaxFloat64; fine != (finite.Err() == nil) {
			t.Errorf("%s as a finite number: %v", text, finite.Err())
		}
	}
	// double precision rounds it to 1 + 2^-24, and that to single precision to 1
	const between = "1.00000005960464477539062501"
	if x := scanner(between).Float(32); x != 1+0x1p-23 {
		t.Errorf("%s is %v in single precision", between, x)
	}
	for text, want := range map[string]bool{"true": true, "1": true, "false": false, "0": false} {
		if s := scanner(text); s.Bool() != want || s.Err() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
}

// Damage is reported at the same byte of a text and of a file, wherever the pieces of the file end.
func TestDamage(t *testing.T) {
	for _, text := range []string{"", "{", "[", "[1", "[1,", "[1 2]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`,
		`"`, `"\`, `"\u12"`, `"\x"`, "\"\n\"", "\"\xff\"", "1e999", "]", strings.Repeat("1", 65),
		strings.Repeat("[", 20000), strings.Repeat(`{"a":`, 20000), "1 1", "truth"} {
		for inside := range min(len(text), 20) + 1 {
			found := map[string]*jsonscan.Error{}
			for form, of := range forms(text, piece-inside) {
				s := of()
				value(s)
				s.End()
				var e *jsonscan.Error
				if !errors.As(s.Err(), &e) {
					t.Fatalf("%s %.40q is taken for JSON: %v", form, text, s.Err())
				}
				found[form] = e
			}
			if a, b := found["text"], found["file"]; a.Offset != b.Offset-int64(piece-inside) ||
				a.Path != b.Path || a.Err.Error() != b.Err.Error() {
				t.Fatalf("%.40q: %v, as a file %v", text, a, b)
			}
		}
	}
}

func TestPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": {"b": 1, "c": x}}`:   "a.c",
		`{"a": [1, {"b": [1, 2, x]`: "a[1].b[2]",
		`[{"a": 1}, {"\u00e4": x}]`: `[1].\u00e4`,
		`x`:                         "file",
		strings.Repeat(`{"a":`, 10): "...a.a.a.a.a.a.a.a",
	} {
		s := scanner(text)
		value(s)
		var e *jsonscan.Error
		if !errors.As(s.Err(), &e) || e.Path != want || e.Offset < int64(strings.Index(text, "x")) {
			t.Errorf("%s: %v, want %s", text, s.Err(), want)
		}
	}
}

// What a scanner allocates is within what it takes, and an error of take ends the reading.
func TestBudget(t *testing.T) {
	texts := map[string]string{
		"names":  `{"a": 1, "b": {"a": 2}}`,
		"escape": `"` + strings.Repeat(`\n`, 100_000) + `"`,
		"long":   `"` + strings.Repeat("x", 1_000_000) + `"`,
		"deep":   strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"many":   "{" + strings.Repeat(`"name that is stored once": 1, `, 10_000) + `"": 0}`,
	}
	for name, text := range texts {
		r := strings.NewReader(text)
		taken := int64(0)
		s := jsonscan.New(r, r.Size(), func(n int64) error { taken += n; return nil }, nil)
		s.Skip()
		if s.End(); s.Err() != nil {
			t.Fatalf("%s: %v", name, s.Err())
		}
		if taken > 16*r.Size()+1_000_000 {
			t.Errorf("%s: %d bytes taken for %d", name, taken, r.Size())
		}
		stop := errors.New("stop")
		s = jsonscan.New(r, r.Size(), func(n int64) error {
			if n > 32 {
				return stop
			}
			return nil
		}, nil)
		if value(s); s.Err() != stop {
			t.Errorf("%s: %v", name, s.Err())
		}
	}
}

// failing is a file that cannot be read to its end.
type failing struct{ err error }

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at > 0 {
		return 0, f.err
	}
	return copy(p, "[1, "), nil
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	s := jsonscan.New(failing{broken}, 100, nil, nil)
	if value(s); s.Err() != broken {
		t.Error(s.Err())
	}
	s = jsonscan.New(failing{io.EOF}, 100, nil, nil)
	value(s)
	var e *jsonscan.Error
	if !errors.As(s.Err(), &e) || e.Offset != 4 || !strings.Contains(e.Error(), "the file ends") {
		t.Errorf("a file that is shorter than its size: %v", s.Err())
	}
}

// The first error, and no other, is passed to a function that may end the reading.
func TestFirstErrorEndsReading(t *testing.T) {
	r := strings.NewReader(`{"a": [1, "x"], "b": nil}`)
	s := jsonscan.New(r, r.Size(), nil, func(err error) { panic(err) })
	defer func() {
		if err, ok := recover().(*jsonscan.Error); !ok || err != s.Err() || err.Path != "a[1]" {
			t.Errorf("ended by %v, the error is %v", err, s.Err())
		}
	}()
	s.Object(func(string) { s.Array(func(int) { s.Finite() }) })
	t.Error("a text is taken for a number")
}

// An error of the caller stays, and is the only one.
func TestStop(t *testing.T) {
	mine := errors.New("mine")
	s := scanner("[1, 2, 3]")
	n := 0
	s.Array(func(int) {
		n++
		s.Stop(mine)
		s.Fail("another")
		s.Float(64)
	})
	s.End()
	if s.Err() != mine || n != 1 || s.Next() != 0 || s.Text() != "" || s.Take(1) {
		t.Errorf("%v after %d elements", s.Err(), n)
	}
}

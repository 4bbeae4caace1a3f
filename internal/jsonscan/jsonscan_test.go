package jsonscan_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/jsonscan"
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
	return s.Float()
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
		s := jsonscan.New(b)
		got := value(s)
		s.End()
		if s.Err() != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, %v", b, got, s.Err())
		}
		left := jsonscan.New(b)
		left.Skip()
		left.End()
		if left.Err() != nil {
			t.Fatal(left.Err())
		}
	})
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{"7": 7, "-3": -3, `"12"`: 12, "2.0": 2, "1e3": 1000} {
		if s := jsonscan.New([]byte(text)); s.Int(-10, 1000) != want || s.Err() != nil {
			t.Errorf("%s: %v", text, s.Err())
		}
	}
	for _, text := range []string{"1.5", "1e300", "1001", "-11", "x", `"`, `""`, "99999999999999999999"} {
		if s := jsonscan.New([]byte(text)); s.Int(-10, 1000) != 0 || s.Err() == nil {
			t.Errorf("%s is taken for an integer", text)
		}
	}
	if s := jsonscan.New([]byte(`"18446744073709551615"`)); s.Uint() != math.MaxUint64 {
		t.Error(s.Err())
	}
}

func TestDamage(t *testing.T) {
	for _, text := range []string{"", "{", "[", "[1", "[1,", "[1 2]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`,
		`"`, `"\`, `"\u12"`, `"\x"`, "\"\n\"", "\"\xff\"", "1e999", "]", strings.Repeat("1", 65),
		strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 5000), "1 1"} {
		s := jsonscan.New([]byte(text))
		value(s)
		s.End()
		if s.Err() == nil {
			t.Errorf("%.40q is taken for JSON", text)
		}
	}
}

func TestPath(t *testing.T) {
	s := jsonscan.New([]byte(`{"a": {"b": 1, "c": x}}`))
	value(s)
	if s.Path() != "a.c" || s.Offset() < 20 || s.Err() == nil {
		t.Errorf("%q at byte %d: %v", s.Path(), s.Offset(), s.Err())
	}
}

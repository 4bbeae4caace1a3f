// Package codectest owns the conformance suite of model file formats, and the models it tries them
// on. A format's tests call Run; codec/formats does so for every row of its table.
//
// The suite checks the contract of codec.Format. A written model is read back equal, but for
// formats of other tools, where what is read back gives the same file. The same model gives the
// same bytes. A format recognises its own files, and a damaged file gives an error of the right
// type.
package codectest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Run tests a format on models, on random models of every type, and on files that other programs
// wrote in it. A model that Encode refuses as unsupported is left out; at least one model or file
// must remain.
func Run(t *testing.T, f codec.Format, models []model.Model, files ...[]byte) {
	if f.Encode != nil {
		for i, m := range models {
			b, ok := encode(t, f, m)
			if !ok {
				continue
			}
			files = append(files, b)
			t.Run(fmt.Sprintf("round trip %d", i), func(t *testing.T) { roundTrip(t, f, m, b) })
		}
		t.Run("round trip of random models", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := rapid.OneOf(rapid.Map(Ensemble(), asModel), rapid.Map(Rules(), asModel),
					rapid.Map(Committees(), asModel), rapid.Map(Linear(), asModel),
					rapid.Map(Bayes(), asModel),
					rapid.Map(Neighbours(), asModel), rapid.Map(Networks(), asModel),
					rapid.Map(Machines(), asModel)).Draw(t, "model")
				if b, ok := encode(t, f, m); ok {
					roundTrip(t, f, m, b)
				}
			})
		})
		t.Run("failing writer", func(t *testing.T) { failingWriter(t, f, models) })
	}
	if len(files) == 0 {
		t.Fatalf("no model and no file to test %s with", f.Name)
	}
	for i, b := range files {
		if i%tier.Count(4, 1, 1) > 0 {
			continue
		}
		t.Run(fmt.Sprintf("file %d", i), func(t *testing.T) {
			t.Run("sniff", func(t *testing.T) { sniff(t, f, b) })
			t.Run("truncate", func(t *testing.T) { truncate(t, f, b) })
			t.Run("flip", func(t *testing.T) { flip(t, f, b) })
			t.Run("limit", func(t *testing.T) { limit(t, f, b) })
			t.Run("failing reader", func(t *testing.T) { failingReader(t, f, b) })
		})
	}
}

func asModel[M model.Model](m M) model.Model { return m }

// Decode decodes b with the default limits.
func Decode(f codec.Format, b []byte) (model.Model, error) {
	return f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
}

// Diff describes how two models differ, "" if they are equal: nil and empty slices are the same,
// and so are JSON texts that differ in spaces. What ensembles keep for Bind is not compared.
func Diff(a, b model.Model) string {
	if reflect.DeepEqual(a, b) { // which takes a fraction of what follows
		return ""
	}
	isJSON := func(p cmp.Path) bool { return p.Last().Type() == reflect.TypeFor[json.RawMessage]() }
	noJSON := func(p cmp.Path) bool { return !isJSON(p) }
	sameJSON := func(a, b json.RawMessage) bool { return bytes.Equal(compact(a), compact(b)) }
	return cmp.Diff(a, b, cmp.FilterPath(noJSON, cmpopts.EquateEmpty()),
		cmp.FilterPath(isJSON, cmp.Comparer(sameJSON)), cmpopts.EquateComparable(tree.Node{}),
		cmpopts.EquateNaNs(), // golden rows lack values
		cmpopts.IgnoreUnexported(model.Ensemble{}))
}

func compact(j json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, j) != nil {
		return j
	}
	return b.Bytes()
}

// encode returns the file of m, false if the format cannot hold it.
func encode(t rapid.TB, f codec.Format, m model.Model) ([]byte, bool) {
	t.Helper()
	var b bytes.Buffer
	err := f.Encode(&b, m)
	if unsupported := (*codec.UnsupportedError)(nil); errors.As(err, &unsupported) {
		return nil, false
	}
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b.Bytes(), true
}

func roundTrip(t rapid.TB, f codec.Format, m model.Model, b []byte) {
	t.Helper()
	if again, _ := encode(t, f, m); !bytes.Equal(b, again) {
		t.Fatal("two encodings of one model differ")
	}
	got, err := Decode(f, b)
	if err != nil {
		t.Fatalf("decode what was encoded: %v", err)
	}
	if d := Diff(m, got); d != "" && !f.Foreign {
		t.Fatalf("the model came back changed (- before, + after):\n%s", d)
	}
	again, _ := encode(t, f, got)
	if f.Foreign && !bytes.Equal(b, again) {
		// other nodes may stand for some of the model's: from here on they stay
		b = again
		if got, err = Decode(f, b); err != nil {
			t.Fatalf("decode what was encoded again: %v", err)
		}
		again, _ = encode(t, f, got)
	}
	if !bytes.Equal(b, again) {
		t.Fatal("the model that came back is encoded differently")
	}
}

func sniff(t *testing.T, f codec.Format, b []byte) {
	if !f.Sniff(b[:min(len(b), 512)]) {
		t.Error("the format does not recognise its own file")
	}
	for _, other := range []string{"", "\x00", "a,b\n1,2\n", "GIF89a\x00\x00"} {
		if f.Sniff([]byte(other)) {
			t.Errorf("the format takes %q for its own", other)
		}
	}
}

// truncate ends the file after every byte.
func truncate(t *testing.T, f codec.Format, b []byte) {
	for n := range len(b) {
		got, err := Decode(f, b[:n])
		if err == nil && f.Sealed {
			t.Fatalf("the first %d of %d bytes are taken for a whole model", n, len(b))
		}
		mustBehave(t, f, got, err, fmt.Sprintf("truncated at %d", n))
	}
}

// flip changes every byte in three ways: one bit, another bit, all bits. By day each byte has one
// of the three in turn.
func flip(t *testing.T, f codec.Format, b []byte) {
	b = bytes.Clone(b)
	each := tier.Count(1, 1, 3)
	for i := range b {
		masks := []byte{1 << (i % 8), 0xff, 1 << ((i + 3) % 8)}
		for k := range each {
			mask := masks[(i+k)%len(masks)]
			b[i] ^= mask
			got, err := Decode(f, b)
			b[i] ^= mask
			if err == nil && f.Sealed {
				t.Fatalf("no error for byte %d changed by %#x", i, mask)
			}
			mustBehave(t, f, got, err, fmt.Sprintf("byte %d ^ %#x", i, mask))
		}
	}
}

// mustBehave checks what came of a damaged file: an error of one of the types of package codec, or
// a valid model.
func mustBehave(t *testing.T, f codec.Format, got model.Model, err error, damage string) {
	t.Helper()
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	switch {
	case err == nil:
		if v, ok := got.(model.Checked); ok {
			if err := v.Validate(); err != nil {
				t.Fatalf("%s: accepted, and not valid: %v", damage, err)
			}
		}
	case got != nil:
		t.Fatalf("%s: a model beside the error %v", damage, err)
	case errors.As(err, &corrupt):
		if corrupt.Format != f.Name || corrupt.Section == "" || corrupt.Offset < 0 {
			t.Fatalf("%s: the error has no format, section or offset: %#v", damage, corrupt)
		}
	case !errors.As(err, &unsupported) && !errors.As(err, &limit):
		t.Fatalf("%s: error of type %T: %v", damage, err, err)
	}
}

// limit decodes with too little memory.
func limit(t *testing.T, f codec.Format, b []byte) {
	_, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{Memory: 1})
	if want := (*codec.LimitError)(nil); !errors.As(err, &want) || want.Format != f.Name ||
		want.Limit != 1 {
		t.Errorf("with one byte of memory: %v", err)
	}
}

var errBroken = errors.New("broken")

// failAfter fails once n bytes have passed.
type failAfter struct {
	r io.ReaderAt
	n int
}

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func (f *failAfter) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > int64(f.n) {
		return 0, errBroken
	}
	return f.r.ReadAt(p, at)
}

// failingWriter checks that Encode reports the failure of its writer, wherever it comes.
func failingWriter(t *testing.T, f codec.Format, models []model.Model) {
	for _, m := range models {
		b, ok := encode(t, f, m)
		if !ok {
			continue
		}
		for n := 0; n < len(b); n += 1 + len(b)/100 {
			if err := f.Encode(&failAfter{n: n}, m); !errors.Is(err, errBroken) {
				t.Fatalf("the writer fails after %d of %d bytes: %v", n, len(b), err)
			}
		}
	}
}

// failingReader checks that a failing disk is not called a damaged file.
func failingReader(t *testing.T, f codec.Format, b []byte) {
	for n := 0; n < len(b); n += 1 + len(b)/100 {
		_, err := f.Decode(&failAfter{bytes.NewReader(b), n}, int64(len(b)), codec.Limits{})
		if corrupt := (*codec.CorruptError)(nil); !errors.Is(err, errBroken) ||
			errors.As(err, &corrupt) {
			t.Fatalf("the reader fails after %d of %d bytes: %v", n, len(b), err)
		}
	}
}

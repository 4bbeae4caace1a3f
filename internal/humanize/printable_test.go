package humanize_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/humanize"
)

func written(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := humanize.NewWriter(&b, false)
	if n, err := io.WriteString(w, text); err != nil || n != len(text) {
		t.Fatal(n, err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"a line\n\ttwo":          "a line\n\ttwo",
		"\x1b[2J":                `\u001b[2J`,
		"\a\b\r\x7f":             `\u0007\u0008\u000d\u007f`,
		"\u0085\u009b31m":        `\u0085\u009b31m`,
		"\x9b31m\xff":            "\ufffd31m\ufffd",
		"\u202eabc\u202c":        `\u202eabc\u202c`,
		"\u2066\u2069\u200e":     `\u2066\u2069\u200e`,
		"\u200f\u061c":           `\u200f\u061c`,
		"\u2028\u2029":           `\u2028\u2029`,
		"e\u0301 שלום नमस्ते":    "e\u0301 שלום नमस्ते",
		"می\u200cخواهم 👩\u200d👧": "می\u200cخواهم 👩\u200d👧",
		"全角\u3000空白 \u00a0":      "全角\u3000空白 \u00a0",
		"\xe2\x80":               "\ufffd",
	} {
		if got := written(t, text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":             "",
		"plain":        "plain",
		"a\nb\tc\r\nd": "a b c  d",
		"\x1b\u202e":   `\u001b\u202e`,
		"\xff":         "\ufffd",
	} {
		if got := humanize.Line(text); got != want {
			t.Errorf("%q is %q in a line, want %q", text, got, want)
		}
	}
}

// Whatever is written, in pieces of any size, no byte of it is obeyed, and what is harmless comes
// through.
func TestWriterAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t,
			"text")
		sizes := rapid.SliceOf(rapid.IntRange(0, 5)).Draw(t, "sizes")
		var b bytes.Buffer
		w := humanize.NewWriter(&b, false)
		rest := []byte(text)
		for _, n := range append(sizes, len(text)) {
			n = min(n, len(rest))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if !utf8.ValidString(got) || strings.ContainsFunc(got,
			func(r rune) bool { return r != '\n' && r != '\t' && humanize.Obeyed(r) }) {
			t.Fatalf("%q is written as %q", text, got)
		}
		var want strings.Builder
		for rest := text; rest != ""; {
			if !utf8.FullRuneInString(rest) { // a rune that is cut off at the end is one
				want.WriteRune(utf8.RuneError)
				break
			}
			r, n := utf8.DecodeRuneInString(rest)
			rest = rest[n:]
			if r == '\n' || r == '\t' || !humanize.Obeyed(r) {
				want.WriteRune(r)
			} else {
				fmt.Fprintf(&want, `\u%04x`, r)
			}
		}
		if got != want.String() {
			t.Fatalf("%q is written as %q, want %q", text, got, want.String())
		}
	})
}

// JSON is the same value before and after.
func TestWriterKeepsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + "\u202e\u0085\x7f"
		var b bytes.Buffer
		w := humanize.NewWriter(&b, false)
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		if err := e.Encode(text); err != nil {
			t.Fatal(err)
		}
		var again string
		if err := json.Unmarshal(b.Bytes(), &again); err != nil || again != text {
			t.Fatalf("%q comes back as %q, %v", text, again, err)
		}
		if strings.ContainsFunc(strings.TrimSuffix(b.String(), "\n"), humanize.Obeyed) {
			t.Fatalf("obeyed: %q", b.String())
		}
	})
}

func TestExactText(t *testing.T) {
	for terminal, want := range map[bool]string{false: "\ufffd\x1b\xff",
		true: "\ufffd\\u001b\ufffd"} {
		var b bytes.Buffer
		w := humanize.NewWriter(&b, terminal)
		if _, err := w.Write([]byte{0xe2}); err != nil {
			t.Fatal(err)
		}
		exact, err := w.Exact()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(exact, "\x1b\xff"); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil || b.String() != want {
			t.Errorf("terminal %v: %q, %v, want %q", terminal, b.String(), err, want)
		}
	}
}

func TestWriterErrors(t *testing.T) {
	full := errors.New("full")
	for _, text := range []string{"a", "\x1b", "\xe2"} {
		w := humanize.NewWriter(failing{full}, false)
		_, err := io.WriteString(w, text)
		if err == nil {
			err = w.Flush()
		}
		if !errors.Is(err, full) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

package source_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
)

// packed compresses a text into one member of a gzip file.
func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpacked reads a stored text to its end.
func unpacked(t *testing.T, stored string) (string, error) {
	t.Helper()
	s := source.Bytes("t.gz", []byte(stored))
	text, err := s.OpenText(t.Context(), "text")
	if err != nil {
		return "", err
	}
	defer text.Close()
	var all []byte
	for b := make([]byte, 7); ; {
		n, err := text.Fill(b)
		if n == 0 || err != nil {
			return string(all), err
		}
		all = append(all, b[:n]...)
	}
}

func TestGzipMembers(t *testing.T) {
	one := packed(t, "one\n")
	for name, c := range map[string]struct{ stored, want string }{
		"one":          {one, "one\n"},
		"several":      {one + packed(t, "") + packed(t, "two\n"), "one\ntwo\n"},
		"with padding": {one + strings.Repeat("\x00", 5000), "one\n"},
	} {
		if got, err := unpacked(t, c.stored); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// What follows the gzip data is named as such, however short it is; data that breaks off is called
// truncated.
func TestGzipWithMoreBehind(t *testing.T) {
	one := packed(t, "one\n")
	place := strconv.Itoa(len(one))
	for _, more := range []string{"x", "garbage", "\x00\x00y",
		strings.Repeat("longer than a header ", 9)} {
		_, err := unpacked(t, one+more)
		if !errors.Is(err, data.ErrText) || !strings.Contains(err.Error(), "head -c "+place) ||
			strings.Contains(err.Error(), "truncated") {
			t.Errorf("%q behind the data: %v", more, err)
		}
	}
	for _, truncated := range []string{one[:len(one)-1], one + one[:1], one + one[:5],
		one + one[:len(one)-3]} {
		if _, err := unpacked(t, truncated); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes of members of %d: %v", len(truncated), len(one), err)
		}
	}
}

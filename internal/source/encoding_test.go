package source

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/coppice-ml/coppice/data"
)

// encode writes a text in an encoding.
func encode(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	encoded, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// readAll returns the text of a source, or the error of reading it.
func readAll(t *testing.T, s Source) (string, error) {
	text, err := s.OpenText(t.Context(), "verse")
	if err != nil {
		return "", err
	}
	defer text.Close()
	var all strings.Builder
	b := make([]byte, 7)
	for {
		n, err := text.Fill(b)
		if n == 0 || err != nil {
			return all.String(), err
		}
		all.Write(b[:n])
	}
}

func TestEncodings(t *testing.T) {
	const text = "straße,preis\nKönigsallee,5\n"
	long := strings.Repeat("Ä€\n", 5000)
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	for _, c := range []struct{ name, stored, encoding, want string }{
		{"UTF-8", text, "", text},
		{"UTF-8, named", text, "utf-8", text},
		{"UTF-8 with a mark", "\ufeff" + text, "", text},
		{"a mark against the name", "\ufeff" + text, "windows-1252", text},
		{"UTF-16 little endian", encode(t, little, text), "", text},
		{"UTF-16 big endian", encode(t, big, text), "", text},
		{"UTF-16 against the name", encode(t, big, text), "latin1", text},
		{"UTF-16 without a mark", encode(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), text), "utf-16le", text},
		{"Windows", encode(t, charmap.Windows1252, text), "windows-1252", text},
		{"a euro of Windows", "5 \x80\n", "Latin1", "5 €\n"},
		{"Russian", encode(t, charmap.KOI8R, "привет\n"), "koi8-r", "привет\n"},
		{"long", encode(t, charmap.Windows1252, long), "windows-1252", long},
		{"long UTF-16", encode(t, little, long), "", long},
	} {
		s := Bytes("t", []byte(c.stored))
		s.Encoding = c.encoding
		if got, err := readAll(t, s); err != nil || got != c.want {
			t.Errorf("%s: %.40q, %v", c.name, got, err)
		}
		path := filepath.Join(t.TempDir(), "t")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		_, err = z.Write([]byte(c.stored))
		if err := errors.Join(err, z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(t, Source{Name: path, Size: 9, version: new(version), Encoding: c.encoding}); err != nil ||
			got != c.want {
			t.Errorf("%s, compressed: %.40q, %v", c.name, got, err)
		}
	}
}

func TestBadEncodings(t *testing.T) {
	for _, c := range []struct {
		stored, encoding, want string
		why                    error
	}{
		{"a\n", "windows1252", `there is no encoding "windows1252"; did you mean "windows-1252"?`, data.ErrOption},
		{"a\n", "klingon", `there is no encoding "klingon"`, data.ErrOption},
		{"a\n", "iso-2022-kr", `there is no encoding "iso-2022-kr"; did you mean "iso-2022-jp"?`, data.ErrOption},
		{"\xff\xfea\x00\n\x00\x00\xd8b\x00", "", "t:2: bytes that are no text in the encoding utf-16le", data.ErrText},
		{"a\nb\x81\xff\n", "shift_jis", "t:2: bytes that are no text in the encoding shift_jis", data.ErrText},
	} {
		s := Bytes("t", []byte(c.stored))
		s.Encoding = c.encoding
		if _, err := readAll(t, s); err == nil || err.Error() != c.want || !errors.Is(err, c.why) {
			t.Errorf("%q in %q: got %v, want %s", c.stored, c.encoding, err, c.want)
		}
	}
	if err := CheckEncoding("latin1"); err != nil {
		t.Error(err)
	}
}

package source

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// zipped returns an archive of files with these contents, by pairs of names and contents.
func zipped(t *testing.T, method uint16, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: method})
		if err == nil {
			_, err = io.WriteString(f, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unzip reads the text of an archive.
func unzip(b []byte) (string, error) {
	s := Bytes("t.zip", b)
	text, err := s.OpenText(context.Background(), "CSV")
	if err != nil {
		return "", err
	}
	defer text.Close()
	var all []byte
	part := make([]byte, 1000)
	for {
		n, err := text.Fill(part)
		if n == 0 || err != nil {
			return string(all), err
		}
		all = append(all, part[:n]...)
	}
}

func TestArchives(t *testing.T) {
	long := strings.Repeat("a,b\n1,2\n", 5000)
	for name, c := range map[string]struct {
		b          []byte
		want, fail string
	}{
		"one table":           {zipped(t, zip.Deflate, "t.csv", long), long, ""},
		"of a Mac":            {zipped(t, zip.Deflate, "d/", "", "d/t.csv", long, "__MACOSX/d/._t.csv", "x", "d/.DS_Store", "y"), long, ""},
		"behind other things": {zipped(t, zip.Deflate, "__MACOSX/x", "zz", "t.csv", "a\n1\n"), "a\n1\n", ""},
		"an empty table":      {zipped(t, zip.Deflate, "t.csv", ""), "", ""},
		"several tables":      {zipped(t, zip.Deflate, "a.csv", long, "b.csv", long), "", `t.zip: the archive holds several files, "a.csv" and "b.csv": unpack it`},
		"no table":            {zipped(t, zip.Deflate, "d/", ""), "", "t.zip: the archive holds no table"},
		"a workbook":          {zipped(t, zip.Deflate, "[Content_Types].xml", "x"), "", "t.zip: this is an Excel workbook: the format xlsx reads it"},
		"an archive inside":   {zipped(t, zip.Deflate, "t.zip", "PK\x03\x04"), "", "t.zip: this is a zip archive inside another one, not CSV"},
		"a strange method":    {zipped(t, zip.Store, "t.csv", "a\n"), "", `t.zip: the file "t.csv" of the archive is not compressed as usual: unpack it`},
	} {
		got, err := unzip(c.b)
		switch {
		case c.fail == "" && (err != nil || got != c.want):
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		case c.fail != "" && (err == nil || err.Error() != c.fail):
			t.Errorf("%s: got %v, want %s", name, err, c.fail)
		}
	}
}

// Every archive that is cut off or has a wrong byte in its table is an error, or the whole table.
func TestDamagedArchives(t *testing.T) {
	text := strings.Repeat("a,b\n1,2\n", 20) + "12345,6789\n"
	b := zipped(t, zip.Deflate, "t.csv", text)
	for n := range b {
		if got, err := unzip(b[:n]); err == nil && got != "" && got != text && n > 30 {
			t.Errorf("%d bytes of %d: %q", n, len(b), got)
		}
		damaged := bytes.Clone(b)
		damaged[n] ^= 0x10
		if got, err := unzip(damaged); err == nil && got != text && strings.HasPrefix(got, "a") {
			t.Errorf("byte %d: %q", n, got)
		}
	}
}

package h2o_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// repacked writes an archive again: edit returns the content of a file, false to leave it out.
func repacked(t testing.TB, b []byte, edit func(name, content string) (string, bool)) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		text, keep := edit(f.Name, string(content))
		if !keep {
			continue
		}
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// replaced replaces a text in model.ini.
func replaced(t testing.TB, b []byte, from, to string) []byte {
	t.Helper()
	return repacked(t, b, func(name, content string) (string, bool) {
		if name == "model.ini" && !strings.Contains(content, from) {
			t.Fatalf("model.ini has no %q", from)
		}
		return strings.Replace(content, from, to, 1), true
	})
}

// small returns a model of one tree, without what its predictions do not need.
func small(t testing.TB) []byte {
	b := replaced(t, read(t, "testdata/gbm-gaussian.mojo"), "n_trees = 8", "n_trees = 1")
	return repacked(t, b, func(name, content string) (string, bool) {
		return content, !strings.HasPrefix(name, "trees/") || name == "trees/t00_000.bin"
	})
}

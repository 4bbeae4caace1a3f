package outside_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice/internal/outside"
)

// mapFile writes a file and maps its first size bytes.
func mapFile(t *testing.T, content []byte, size int64) (path string, b []byte, unmap func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := outside.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, unmap = f.Map(size)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path, b, unmap
}

// The bytes are the file's, after it was closed, and when another file has taken its name.
func TestFile(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789"), 1000)
	path, b, unmap := mapFile(t, content, int64(len(content)))
	if b == nil {
		t.Skip("this system does not map files")
	}
	other := path + ".new"
	if err := os.WriteFile(other, make([]byte, len(content)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, content) {
		t.Error("other bytes than those of the file")
	}
	unmap()
}

func TestEmptyFile(t *testing.T) {
	if _, b, _ := mapFile(t, nil, 0); b != nil {
		t.Errorf("%d bytes of an empty file", len(b))
	}
}

// The start of a file is no more than that.
func TestRange(t *testing.T) {
	_, b, unmap := mapFile(t, []byte("abcdef"), 3)
	if b == nil {
		t.Skip("this system does not map files")
	}
	if string(b) != "abc" || cap(b) != 3 {
		t.Errorf("%q of capacity %d", b, cap(b))
	}
	unmap()
}

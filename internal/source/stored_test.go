package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// Any part of what was stored can be read, from memory and from the file. The file has no name
// where the system allows that, and nothing is left of it.
func TestStored(t *testing.T) {
	folder := t.TempDir()
	all := make([]byte, 3*storedPiece+5)
	for i := range all {
		all[i] = byte(i >> 10 * 7)
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{0, 1, storedPiece - 1, storedPiece, storedPiece + 1, 3 * storedPiece, len(all)}).Draw(t, "size")
		limit := rapid.SampledFrom([]int64{0, storedPiece, storedPiece + 1, 1 << 40}).Draw(t, "memory")
		s, err := Store(t.Context(), Stdin, iotest.HalfReader(bytes.NewReader(all[:size])), limit, folder)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}()
		if s.InFile() != (int64(size) > limit) || s.Size() != int64(size) {
			t.Fatalf("%d bytes, in a file: %v", s.Size(), s.InFile())
		}
		if head, err := s.Head(); err != nil || !bytes.Equal(head, all[:min(size, HeadSize)]) {
			t.Fatal("another head")
		}
		for range 4 {
			from := rapid.IntRange(0, size).Draw(t, "from")
			to := rapid.IntRange(from, size).Draw(t, "to")
			b := make([]byte, to-from)
			if _, err := s.ReadAt(b, int64(from)); err != nil && err != io.EOF || !bytes.Equal(b, all[from:to]) {
				t.Fatal(err)
			}
		}
		for range 2 { // sources of it are read from their start
			sources, err := All(t.Context(), &data.ReadOptions{Stdin: s}, []string{"-"}, nil, false)
			if err != nil {
				t.Fatal(err)
			}
			f, err := sources[0].Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(f)
			if err != nil || !bytes.Equal(b, all[:size]) {
				t.Fatal(err)
			}
		}
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Input that breaks off, a folder that is none and an end of the work are errors of one line.
func TestStoredFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("some"), iotest.ErrReader(errors.New("the line is dead")))
	if _, err := Store(t.Context(), Stdin, broken, 1, t.TempDir()); err == nil || err.Error() != "stdin: the line is dead" {
		t.Error(err)
	}
	none := filepath.Join(t.TempDir(), "none")
	if _, err := Store(t.Context(), Stdin, strings.NewReader("some"), 1, none); err == nil || !strings.HasPrefix(err.Error(), "cannot make a scratch file in "+none) {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Store(ended, Stdin, strings.NewReader("some"), 1, ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A pipe and a device are read once, a file is not, nor is a path that is none.
func TestIsPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{os.DevNull: true, file: false, filepath.Dir(file): false, "none": false, "-": false, "s3://a/b": false} {
		if got := IsPipe(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

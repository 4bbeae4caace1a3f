package coppice_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// A model whose file is large enough to be mapped is the one that was saved, and stays so when another model is saved
// under its name.
func TestOpenLargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forest.coppice")
	forest := largeForest(10, 10, 10_000)
	mustSave(t, path, forest)
	m, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	mustSave(t, path, codectest.Tiny())
	runtime.GC()
	if d := codectest.Diff(forest, m); d != "" {
		t.Errorf("another model:\n%s", d)
	}
	if !bytes.Equal(modelBytes(t, m), modelBytes(t, forest)) {
		t.Error("the model that was opened has another file")
	}
	mustHold(t, path, codectest.Tiny(), 1)
}

// Opening a large file copies it nowhere on systems that map files; reading it does.
func TestOpenAllocates(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("this system may read files that it could map")
	}
	path := filepath.Join(t.TempDir(), "forest.coppice")
	mustSave(t, path, largeForest(10, 10, 10_000))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mapped := allocated(t, func() (model.Model, error) { return coppice.Open(path) })
	read := allocated(t, func() (model.Model, error) { return coppice.Read(f, info.Size()) })
	if size := uint64(info.Size()); mapped > size/8 || read < size {
		t.Errorf("of a file of %d bytes Open allocates %d and Read %d", size, mapped, read)
	}
}

// allocated returns how many bytes opening a model allocates, live or not.
func allocated(t *testing.T, open func() (model.Model, error)) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := open(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Damage of a large file shows wherever it is.
func TestOpenDamagedLargeFile(t *testing.T) {
	whole := modelBytes(t, largeForest(10, 10, 10_000))
	path := filepath.Join(t.TempDir(), "forest.coppice")
	for name, damage := range map[string]func([]byte) []byte{
		"a bit in the middle":   func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		"a bit near the end":    func(b []byte) []byte { b[len(b)-20] ^= 1; return b },
		"the end":               func(b []byte) []byte { return b[:len(b)-1] },
		"more than there was":   func(b []byte) []byte { return append(b, 0) },
		"a bit of the head":     func(b []byte) []byte { b[17] ^= 1; return b },
		"the name of a section": func(b []byte) []byte { b[33] ^= 1; return b },
	} {
		if err := os.WriteFile(path, damage(bytes.Clone(whole)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := coppice.Open(path); !errors.As(err, new(*codec.CorruptError)) {
			t.Errorf("%s: error %v, want a damaged file", name, err)
		}
	}
	if err := os.WriteFile(path, make([]byte, len(whole)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := coppice.Open(path); !errors.Is(err, coppice.ErrNotModel) {
		t.Errorf("error %v of a large file of zeros", err)
	}
}

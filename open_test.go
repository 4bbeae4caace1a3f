package coppice_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// ways are the ways to open a file.
var ways = map[string]func(path string) (model.Model, error){"Open": coppice.Open, "OpenMapped": openMapped}

func openMapped(path string) (model.Model, error) {
	m, err := coppice.OpenMapped(path)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// A model whose file is large enough to be mapped is the one that was saved, and stays so when
// another model is saved under its name.
func TestOpenLargeFile(t *testing.T) {
	for name, open := range ways {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "forest.coppice")
			forest := largeForest(10, 10, 10_000)
			mustSave(t, path, forest)
			m, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			mustSave(t, path, codectest.Tiny())
			runtime.GC()
			if !bytes.Equal(modelBytes(t, m), modelBytes(t, forest)) {
				t.Error("the model is another one than was opened")
			}
			mustHold(t, path, codectest.Tiny(), 1)
		})
	}
}

// Bytes that are written into the file of an open model, or removed from it, change no prediction.
func TestOverwriteAfterOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forest.coppice")
	forest := largeForest(10, 10, 10_000)
	mustSave(t, path, forest)
	size := len(modelBytes(t, forest))
	m, err := coppice.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, 200)
	names := m.Spec().Schema.Names()
	for i := range rows {
		rows[i] = make([]float64, len(names))
		for k := range rows[i] {
			rows[i][k] = math.Sin(float64(i*len(names) + k))
		}
	}
	f, err := data.FromRows(rows, names)
	if err != nil {
		t.Fatal(err)
	}
	want := modeltest.Predict(t, forest, f, model.Options{}, nil)
	for name, damage := range map[string]func() error{
		"other bytes": func() error { return overwrite(path, bytes.Repeat([]byte{0x3f}, size)) },
		"no bytes":    func() error { return os.Truncate(path, 0) },
		"a table":     func() error { return os.WriteFile(path, []byte("a,b\n1,2\n"), 0o644) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if got := modeltest.Predict(t, m, f, model.Options{}, nil); !slices.Equal(got, want) {
			t.Errorf("%s in the file change predictions", name)
		}
		if err := os.WriteFile(path, modelBytes(t, m), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// overwrite writes over the bytes of a file in place.
func overwrite(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// Open of a file that two models are written into in turn, in place, gives one of the two or an
// error, never a model of both.
func TestOpenWhileOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forest.coppice")
	first, second := largeForest(10, 10, 10_000), largeForest(10, 10, 10_000)
	slices.Reverse(second.Trees)
	second.Meta.Label = "z"
	files := [][]byte{modelBytes(t, first), modelBytes(t, second)}
	if len(files[0]) != len(files[1]) {
		t.Fatal("the files differ in size: the parts of one do not fit the other")
	}
	if err := os.WriteFile(path, files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(m model.Model, err error) (whole bool) {
		if err != nil {
			if text := err.Error(); !strings.HasPrefix(text, "cannot open model "+path+": ") || strings.Contains(text, "\n") {
				t.Errorf("error %q", text)
			}
			return false
		}
		if got := modelBytes(t, m); !bytes.Equal(got, files[0]) && !bytes.Equal(got, files[1]) {
			t.Error("the model is neither of the two")
		}
		return true
	}
	for i := range tier.Count(10, 40, 40) {
		var wg sync.WaitGroup
		wg.Go(func() {
			for k := range 4 {
				write := overwrite
				if i%2 == 1 {
					// truncates the file first
					write = func(path string, b []byte) error { return os.WriteFile(path, b, 0o644) }
				}
				if err := write(path, files[(i+k)%2]); err != nil {
					t.Error(err)
				}
			}
		})
		check(coppice.Open(path))
		check(coppice.Open(path))
		wg.Wait()
		if !check(coppice.Open(path)) {
			t.Error("a file that is not written to any more cannot be opened")
		}
	}
}

// Mapping a large file copies it nowhere on systems that map files; opening copies it once.
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
	mapped := allocated(t, func() (model.Model, error) { return coppice.OpenMapped(path) })
	read := allocated(t, func() (model.Model, error) { return coppice.Open(path) })
	if size := uint64(info.Size()); mapped > size/8 || read < size || read > size+size/8 {
		t.Errorf("of a file of %d bytes OpenMapped allocates %d and Open %d", size, mapped, read)
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
		for way, open := range ways {
			if _, err := open(path); !errors.As(err, new(*codec.CorruptError)) {
				t.Errorf("%s, %s: error %v, want a damaged file", name, way, err)
			}
		}
	}
	if err := os.WriteFile(path, make([]byte, len(whole)), 0o644); err != nil {
		t.Fatal(err)
	}
	for way, open := range ways {
		if _, err := open(path); !errors.Is(err, coppice.ErrNotModel) {
			t.Errorf("%s: error %v of a large file of zeros", way, err)
		}
	}
}

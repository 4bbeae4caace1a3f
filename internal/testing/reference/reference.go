// Package reference reads, for tests, the frozen results of other programs on tables, and finds
// those tables.
package reference

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Read decodes a file of JSON, which may end in .gz and is compressed then.
func Read[T any](t testing.TB, path string) *T {
	t.Helper()
	v := new(T)
	if err := json.NewDecoder(Open(t, path)).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// Open opens a file for the time of the test; what ends in .gz is uncompressed.
func Open(t testing.TB, path string) io.Reader {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if !strings.HasSuffix(path, ".gz") {
		return file
	}
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return plain
}

// Table returns the path of a table: in the repository's testdata, where it may be compressed, or
// in the shared data, which COPPICE_DATA names. It skips the test where neither has it.
func Table(t testing.TB, name string) string {
	t.Helper()
	root := root(t)
	shipped, shared := filepath.Join(root, "testdata", name), os.Getenv("COPPICE_DATA")
	if shared == "" {
		shared = filepath.Join(root, "..", "shared")
	}
	for _, path := range []string{shipped, shipped + ".gz", filepath.Join(shared, "data", name)} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s is neither in testdata nor in the folder that COPPICE_DATA names", name)
	return ""
}

// root returns the project's root as a path relative to the folder of the test, which is the
// working directory.
func root(t testing.TB) string {
	t.Helper()
	folder := "."
	for range 10 {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		folder = filepath.Join("..", folder)
	}
	t.Fatal("the test does not run in a folder of the project")
	return ""
}

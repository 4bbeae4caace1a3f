//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// All engines in Go predict alike from the files that they read, and batches as all rows at once.
func TestEnginesAgree(t *testing.T) {
	b := &bench{dir: t.TempDir(), train: 500, rows: 3000}
	c := &one{trees: 10, leaves: 15, base: filepath.Join(b.dir, "model")}
	if err := b.table(); err != nil {
		t.Fatal(err)
	}
	if err := b.write(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	x, err := numbers[float32](b.rowsFile())
	if err != nil {
		t.Fatal(err)
	}
	if len(x) != b.rows*columns {
		t.Fatalf("%d values in %d rows of %d columns", len(x), b.rows, columns)
	}
	open := func(e engine, err error) engine {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	const threads = 2
	engines := map[string]engine{}
	for _, suffix := range []string{".coppice", ".txt", ".ubj", ".onnx"} {
		e, err := openOurs(c.base+suffix, threads)
		engines["coppice "+suffix] = open(e, err)
	}
	plain, err := openLoop(c.base+".coppice", threads)
	engines["loop"] = open(plain, err)
	peer, err := openLeaves(c.base+".leaves.txt", threads)
	engines["leaves"] = open(peer, err)
	want := make([]float64, b.rows)
	for i := range want {
		want[i], _ = plain.one(x[i*columns : (i+1)*columns])
	}
	for name, e := range engines {
		m := measuring{engine: e, x: x, limit: time.Hour}
		got, err := m.run()
		if err != nil {
			t.Fatal(name, err)
		}
		if len(got) != b.rows {
			t.Errorf("%s predicted %d of %d rows", name, len(got), b.rows)
		}
		if d := largest(got, want); d > 1e-7 {
			t.Errorf("%s differs by %g", name, d)
		}
		if d := m.facts["unlike"]; d != 0 {
			t.Errorf("%s differs by %g in batches", name, d)
		}
	}
}

func TestLibrary(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "lightgbm", "lib", "lib_lightgbm.so")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Dir(file), filepath.Dir(filepath.Dir(file)),
		folder} {
		if got := library(path, "lib_lightgbm.so"); got != file {
			t.Errorf("%s: found %q", path, got)
		}
	}
	for _, path := range []string{"", filepath.Join(folder, "no")} {
		if got := library(path, "lib_lightgbm.so"); got != "" {
			t.Errorf("%q: found %q", path, got)
		}
	}
}

//go:build linux

package predict

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// All engines in Go predict alike from the files that they read, and batches as all rows at once.
func TestEnginesAgree(t *testing.T) {
	b := &bench{Run: &pairs.Run{Dir: t.TempDir(), Rows: 3000}, train: 500}
	c := &one{trees: 10, leaves: 15, base: filepath.Join(b.Dir, "model")}
	if err := b.table(); err != nil {
		t.Fatal(err)
	}
	if err := b.write(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	x, err := exchange.ReadAll[float32](b.rowsFile())
	if err != nil {
		t.Fatal(err)
	}
	if len(x) != b.Rows*columns {
		t.Fatalf("%d values in %d rows of %d columns", len(x), b.Rows, columns)
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
	want := make([]float64, b.Rows)
	for i := range want {
		want[i], _ = plain.one(x[i*columns : (i+1)*columns])
	}
	for name, e := range engines {
		m := measuring{engine: e, x: x, limit: time.Hour}
		got, err := m.run()
		if err != nil {
			t.Fatal(name, err)
		}
		if len(got) != b.Rows {
			t.Errorf("%s predicted %d of %d rows", name, len(got), b.Rows)
		}
		if d := largest(got, want); d > 1e-7 {
			t.Errorf("%s differs by %g", name, d)
		}
		if d := m.facts["unlike"]; d != 0 {
			t.Errorf("%s differs by %g in batches", name, d)
		}
	}
}
